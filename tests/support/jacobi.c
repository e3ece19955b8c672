#include "support/jacobi.h"

#include <math.h>

static void rotate(double *a, double *b, int n) {
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < n; i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    if (fabs(ab) <= 1e-16 * sqrt(aa * bb))
        return;
    double angle = 0.5 * atan2(2 * ab, aa - bb), c = cos(angle), s = sin(angle);
    for (int i = 0; i < n; i++) {
        double first = a[i], second = b[i];
        a[i] = c * first + s * second;
        b[i] = c * second - s * first;
    }
}

void jacobi(double *sigma, double *m, int n, int stride) {
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotate(m + p * stride, m + q * stride, n);
    for (int p = 0; p < n; p++) {
        double squares = 0;
        for (int i = 0; i < n; i++)
            squares += m[p * stride + i] * m[p * stride + i];
        int at = p;
        for (; at > 0 && sigma[at - 1] < sqrt(squares); at--)
            sigma[at] = sigma[at - 1];
        sigma[at] = sqrt(squares);
    }
}
