"""Writes reference.csv: log densities computed with 60 digits by mpmath, an independent source.

Run by hand with mpmath installed: python3 tests/families/make_reference.py > tests/families/reference.csv
Arguments are exact doubles; the results are rounded to 20 digits.
"""

from mpmath import mp, mpf, gamma, log, loggamma, pi

mp.dps = 60


def normal(x, mean, scale):
    z = (x - mean) / scale
    return -z * z / 2 - log(scale) - log(2 * pi) / 2


def student(x, mean, scale, freedom):
    z = (x - mean) / scale
    return (loggamma((freedom + 1) / 2) - loggamma(freedom / 2) - log(pi * freedom) / 2 - log(scale)
            - (freedom + 1) / 2 * log(1 + z * z / freedom))


def poisson(x, rate):
    return x * log(rate) - rate - loggamma(x + 1)


def negative_binomial(x, shape, rate):
    return (loggamma(x + shape) - loggamma(shape) - loggamma(x + 1)
            + shape * log(rate / (rate + 1)) - x * log(rate + 1))


def rising(a, x):
    return loggamma(a + x) - loggamma(a)


CASES = [
    (normal, [(0, 0, 1), (3.7, -1.2, 0.4), (1e9 + 0.5, 1e9, 0.25), (2e-9, 1e-9, 1e-9), (40, 0, 1), (-1e9, 1e9, 1e9)]),
    (student, [(0, 0, 1, 1), (2.5, 1, 0.5, 3), (1e9 + 0.5, 1e9, 0.25, 14), (5e-9, 1e-9, 1e-9, 0.01), (40, 0, 1, 5.3),
               (1, 0, 2, 1e6), (3, 0, 2, 1e9), (1e200, 0, 1, 2)]),
    (poisson, [(0, 2.5), (3, 2.5), (100, 2.5), (17, 16.9), (1000, 950.25), (1e9, 1e9 + 12345.5), (5, 1e-9), (0, 1e9), (200, 1e5)]),
    (negative_binomial, [(0, 1.5, 2), (3, 1.5, 2), (100, 0.01, 0.3), (7, 1e9, 1e9), (3, 1e12, 2.5e11), (1e6, 1e6 + 0.5, 1.25),
                         (1e9, 1e9, 1), (12, 0.3, 50), (1, 1e-9, 1e-3), (250, 33.5, 7)]),
    (rising, [(0.2, 1), (0.2, 5), (3.5, 40), (1e9, 100), (123456.75, 2.5), (0.001, 1000), (17, 0.5), (1e6, 1e6)]),
]

print("function,a,b,c,d,log_value")
for function, rows in CASES:
    for row in rows:
        value = function(*[mpf(number) for number in row])
        cells = [repr(float(number)) for number in row] + [""] * (4 - len(row))
        print(f"{function.__name__},{','.join(cells)},{mp.nstr(value, 20)}")
