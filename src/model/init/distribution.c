#include "model/init/scheme.h"

#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;

static bool is_known(Distribution d) {
    return d.kind != DISTRIBUTION_NONE && d.std > 0;
}

static int sphere_dimensions(Distribution d) {
    return (int)lround(1 / (d.std * d.std));
}

/* Return ∫ cosᵖ from 0 to the angle, integrated by parts two powers at a time; all terms have the
 * same sign. */
static double cosine_integral(int power, double angle) {
    double c = cos(angle), s = sin(angle);
    double sum = power % 2 == 0 ? angle : s, term = power % 2 == 0 ? c * s : c * c * s;
    for (int p = power % 2 == 0 ? 2 : 3; p <= power; p += 2) {
        sum = (term + (p - 1) * sum) / p;
        term *= c * c;
    }
    return sum;
}

static double sphere_density(int n, double x) {
    if (fabs(x) > 1)
        return 0;
    if (n == 1)
        return fabs(x) == 1 ? INFINITY : 0;
    double whole = 2 * cosine_integral(n - 2, PI / 2);
    return pow(1 - x * x, 0.5 * (n - 3)) / whole;
}

static double sphere_below(int n, double x) {
    if (fabs(x) >= 1)
        return x >= 1 ? 1 : n == 1 && x == -1 ? 0.5 : 0;
    if (n == 1)
        return 0.5;
    double half = cosine_integral(n - 2, PI / 2);
    return 0.5 + 0.5 * cosine_integral(n - 2, asin(x)) / half;
}

double distribution_density(Distribution d, double x) {
    double bound = sqrt(3) * d.std, scaled = x / d.std;
    if (!is_known(d))
        return NAN;
    switch (d.kind) {
    case DISTRIBUTION_NONE:
        break;
    case DISTRIBUTION_UNIFORM:
        return fabs(x) <= bound ? 0.5 / bound : 0;
    case DISTRIBUTION_NORMAL:
        return exp(-0.5 * scaled * scaled) / (sqrt(2 * PI) * d.std);
    case DISTRIBUTION_SPHERE:
        return sphere_density(sphere_dimensions(d), x);
    }
    return NAN;
}

double distribution_below(Distribution d, double x) {
    double bound = sqrt(3) * d.std;
    if (!is_known(d))
        return NAN;
    switch (d.kind) {
    case DISTRIBUTION_NONE:
        break;
    case DISTRIBUTION_UNIFORM:
        return x <= -bound ? 0 : x >= bound ? 1 : 0.5 + 0.5 * x / bound;
    case DISTRIBUTION_NORMAL:
        return 0.5 * erfc(-x / (sqrt(2) * d.std));
    case DISTRIBUTION_SPHERE:
        return sphere_below(sphere_dimensions(d), x);
    }
    return NAN;
}
