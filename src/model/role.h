/* role.h: what one head mostly does, as numbers with their chance levels. Pure; in double.
 * A word is earned and never guessed: each is the largest share of the way from what chance gives
 * to the most that there can be. T tokens. */
#ifndef HEADLIGHT_MODEL_ROLE_H
#define HEADLIGHT_MODEL_ROLE_H

#include "base/registry.h"
#include "math/mat.h"
#include "model/mask.h"

/* Rows of the registry ROLES in this order. All are over the rows i with two open keys or more, n_i
 * of them, since one with a single key has no choice.
 *   previous  mean of A[i][i−1] over i ≥ 1 with i−1 open     chance: mean of 1/n_i over the same
 *   self      mean of A[i][i] over i with i open             chance: the same
 *   first     mean of A[i][0] over i ≥ 1 with 0 open         chance: the same
 *   spread    mean of H(A[i])/ln n_i, H the entropy          chance: that of rows drawn evenly from
 *                                                            all that sum to 1, (Σ_{k=2}^n 1/k)/ln
 * n content   correlation of n_i·A[i][j] with the cosine of  chance: 2/√(m − 1), two deviations of
 *             rows i and j of X over the m open pairs i ≠ j  a correlation of independent values
 */
typedef enum RoleKind {
    ROLE_PREVIOUS,
    ROLE_SELF,
    ROLE_FIRST,
    ROLE_SPREAD,
    ROLE_CONTENT,
    ROLE_COUNT
} RoleKind;
extern const Registry ROLES;

#define ROLE_MIXED (-1) /* none is above its chance */

/* Not numbers where nothing can be measured: no such row, or nothing that varies. */
typedef struct RoleMeasure {
    double value, chance;
} RoleMeasure;

typedef struct Role {
    RoleMeasure of[ROLE_COUNT];
    int kind; /* the one with the largest role_excess above 0, or ROLE_MIXED */
} Role;

/* (value − chance)/(1 − chance): 0 at chance, 1 at the most; not a number where either is not, or
 * chance leaves no room. */
double role_excess(const RoleMeasure *measure);

/* weights are one head's (T, T), 0 at closed pairs; similarity (T, T) the cosines of similarity.h
 * between the rows of X. */
void role_of(Role *out, const Mat *weights, const Mask *mask, const Mat *similarity);

#endif
