#include "model/theory/rank_law.h"

#include <math.h>

/* number of points of the density; more of them change nothing in four digits */
#define PLACES 400

/* Return the imaginary part of the complex roots of a·x³ + b·x² + c·x + d; 0 if all are real. */
static double cubic_imaginary(double a, double b, double c, double d) {
    double p = (3 * a * c - b * b) / (9 * a * a);
    double q = (27 * a * a * d - 9 * a * b * c + 2 * b * b * b) / (54 * a * a * a);
    double inside = q * q + p * p * p;
    if (inside <= 0)
        return 0;
    double root = sqrt(inside);
    return 0.86602540378443865 * fabs(cbrt(-q + root) - cbrt(-q - root));
}

static double quadratic_imaginary(double a, double b, double c) {
    double inside = 4 * a * c - b * b;
    return inside <= 0 ? 0 : sqrt(inside) / (2 * fabs(a));
}

/* Return the density of the squared singular values, scaled to mean 1. If ψ(1/x) is the sum of
 * their moments, (1 + ψ)(1 + q·ψ)(1 + k·ψ) = x·ψ, and the imaginary part of ψ gives the density. */
static double density(double q, double k, double x) {
    double cube = q * k, square = q + k + q * k, line = 1 + q + k - x;
    double imaginary =
        cube > 0 ? cubic_imaginary(cube, square, line, 1) : quadratic_imaginary(square, line, 1);
    return imaginary / (3.14159265358979324 * x);
}

double rank_law(int D, int K, bool query_drawn, bool key_drawn) {
    double ratio = (double)K / D, q = query_drawn ? ratio : 0, k = key_drawn ? ratio : 0;
    if (q + k == 0)
        return K;
    double most = pow((1 + sqrt(q)) * (1 + sqrt(k)), 2), sum = 0, logs = 0;
    for (int i = 0; i < PLACES; i++) {
        double t = (i + 0.5) / PLACES,
               x = most * t * t * t; /* more points near 0, where the density is high */
        double share = density(q, k, x) * 3 * most * t * t / PLACES, sigma = sqrt(x);
        sum += share * sigma;
        logs += share * sigma * log(sigma);
    }
    return K * sum * exp(-logs / sum);
}
