"""Writes block_reference.csv: densities of gaussian blocks by NumPy and SciPy, an independent source.

Run by hand: python3 tests/families/make_block_reference.py > tests/families/block_reference.csv
The table of training rows is made by the same small generator in gaussian_block_test.cpp.
"""

import numpy as np
from scipy.stats import multivariate_normal, multivariate_t


def rows():
    """A linear congruential generator that C++ repeats exactly; three columns, two classes."""
    state = 12345
    table = []
    for r in range(40):
        row = []
        for _ in range(3):
            state = (1103515245 * state + 12345) % 2**31
            row.append(state / 2**31)
        label = r % 2
        a = row[0] * 4 + label
        table.append((label, [a, a * 0.5 + row[1] * 2 - label, 100 + row[2] * 30]))
    return table


TABLE = rows()
X = np.array([values for _, values in TABLE])
Y = np.array([label for label, _ in TABLE])
POINTS = [[2.0, 1.0, 110.0], [0.5, 3.0, 128.0], [9.0, -4.0, 60.0]]


def scatter(part):
    centred = part - part.mean(axis=0)
    return centred.T @ centred


def imagined(part, strength):
    """Weight, mean and scatter after `strength` imaginary rows of the columns' mean and variance."""
    n = len(part)
    shift = X.mean(axis=0) - part.mean(axis=0)
    total = n + strength
    mean = part.mean(axis=0) + shift * strength / total
    return total, mean, scatter(part) + np.outer(shift, shift) * n * strength / total + strength * np.diag(X.var(axis=0))


def classes(kind, rule, strength=1.0):
    parts = [X[Y == c] for c in (0, 1)]
    d = X.shape[1]
    if rule in ("mle", "unbiased"):
        means = [p.mean(axis=0) for p in parts]
        if kind == "full":
            return [multivariate_normal(m, scatter(p) / (len(p) - (rule == "unbiased"))) for m, p in zip(means, parts)]
        pooled = sum(map(scatter, parts)) / (len(X) - 2 * (rule == "unbiased"))
        return [multivariate_normal(m, pooled) for m in means]
    merged = [imagined(p, strength) for p in parts]
    pooled = sum(s for _, _, s in merged) - strength * np.diag(X.var(axis=0))
    total = len(X) + strength
    if rule == "map":
        if kind == "full":
            return [multivariate_normal(m, s / (n + 2 * d + 1)) for n, m, s in merged]
        return [multivariate_normal(m, pooled / (total + 2 * d + 2)) for _, m, _ in merged]
    if kind == "full":
        return [multivariate_t(m, s / n * (n + 1) / n, df=n) for n, m, s in merged]
    return [multivariate_t(m, pooled / total * (n + 1) / n, df=total) for n, m, _ in merged]


print("kind,rule,class,point,log_density")
for kind in ("full", "tied"):
    for rule in ("mle", "unbiased", "map=1", "bayes", "bayes=50"):
        name, _, strength = rule.partition("=")
        for c, density in enumerate(classes(kind, name, float(strength or 1))):
            for i, point in enumerate(POINTS):
                print(f"{kind},{rule},{c},{i},{density.logpdf(point):.17g}")
