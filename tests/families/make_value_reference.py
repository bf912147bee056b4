"""Writes value_reference.csv: kernel and histogram densities and MDL cuts from independent sources.

Run by hand with numpy and scipy installed:
  python3 tests/families/make_value_reference.py iris.csv > tests/families/value_reference.csv
iris.csv has the header sepal_length,sepal_width,petal_length,petal_width,species.

kernel      scipy.stats.gaussian_kde with the bandwidth that the row gives
histogram   numpy.histogram(density=True)
fd          numpy.histogram_bin_edges(bins="fd"), the edges one by one
silverman, sj, isj   bandwidths: the formula, R's bw.SJ and Botev's kde.m, written anew with numpy
mdl         the cuts of Fayyad and Irani on a column of iris, a plain recursion over rows
"""
import csv
import sys

import numpy as np
from scipy.fft import dct
from scipy.optimize import brentq
from scipy.stats import gaussian_kde

# The values that value_samples.hpp repeats: a skewed sample, and the same far from 0 and near it.
STEPS = np.arange(60)
BASE = np.round(np.sinh(((STEPS * 37) % 60 - 21) / 13.0), 3)
WEIGHTS = 1.0 + (STEPS * 7) % 3
SAMPLES = {"base": BASE, "far": 1e9 + np.round(BASE * 16) / 16, "tiny": BASE * 1e-9}


def row(*cells):
    print(",".join(c if isinstance(c, str) else repr(float(c)) for c in cells))


def kernel():
    for name, x in SAMPLES.items():
        for share in 0.07, 0.4:
            h = share * x.std()
            # gaussian_kde scales by its own sd; a unit bandwidth times sd is what is asked for.
            for weights in None, WEIGHTS:
                kde = gaussian_kde(x - x.mean(), weights=weights)
                kde.set_bandwidth(h / np.sqrt(kde.covariance[0, 0]) * kde.factor)
                for q in -1.3, 0.0, 0.7, 2.5:
                    at = x.mean() + q * x.std()
                    row("kernel", name, "weighted" if weights is not None else "plain", h, at,
                        kde.logpdf(at - x.mean())[0])


def histogram():
    for name, x in SAMPLES.items():
        for bins in 5, 20:
            for weights in None, WEIGHTS:
                density, edges = np.histogram(x, bins=bins, weights=weights, density=True)
                for b in range(bins):
                    row("histogram", name, "weighted" if weights is not None else "plain", bins,
                        (edges[b] + edges[b + 1]) / 2, density[b])
        for edge in np.histogram_bin_edges(x, bins="fd"):
            row("fd", name, "plain", 0, 0, edge)


def scale(x):
    return min(x.std(), (np.quantile(x, 0.75) - np.quantile(x, 0.25)) / 1.34)


def sheather_jones(x):
    """R's bw.SJ(method = "ste") without its binning, and with our scale."""
    n = len(x)
    square = (x[:, None] - x[None, :]) ** 2

    def phi4(h):
        d = square / h**2
        return (np.exp(-d / 2) * (d * d - 6 * d + 3)).sum() / (n * (n - 1) * h**5 * np.sqrt(2 * np.pi))

    def phi6(h):
        d = square / h**2
        return (np.exp(-d / 2) * (d**3 - 15 * d**2 + 45 * d - 15)).sum() / (
            n * (n - 1) * h**7 * np.sqrt(2 * np.pi))

    a, b = 1.24 * scale(x) * n ** (-1 / 7), 1.23 * scale(x) * n ** (-1 / 9)
    alpha = 1.357 * (phi4(a) / -phi6(b)) ** (1 / 7)
    top = 1.144 * scale(x) * n**-0.2
    return brentq(lambda h: (1 / (2 * np.sqrt(np.pi) * n) / phi4(alpha * h ** (5 / 7))) ** 0.2 - h,
                  0.02 * top, 2 * top, xtol=1e-15 * top, rtol=1e-14)


def improved(x):
    """Botev's kde.m on 1024 cells."""
    n, cells = len(np.unique(x)), 1024
    reach = 2 * np.ptp(x)
    place = ((x - x.min()) / np.ptp(x) + 0.5) / 2 * cells
    counts = np.bincount(place.astype(int), minlength=cells)
    a2 = (dct(counts / counts.sum())[1:] / 2) ** 2
    i = np.arange(1, cells, dtype=float) ** 2

    def fixed_point(t):
        f = 2 * np.pi**14 * np.sum(i**7 * a2 * np.exp(-i * np.pi**2 * t))
        for s in range(6, 1, -1):
            k0 = np.prod(np.arange(1, 2 * s, 2)) / np.sqrt(2 * np.pi)
            const = (1 + 0.5 ** (s + 0.5)) / 3
            time = (2 * const * k0 / n / f) ** (2 / (3 + 2 * s))
            f = 2 * np.pi ** (2 * s) * np.sum(i**s * a2 * np.exp(-i * np.pi**2 * time))
        return t - (2 * n * np.sqrt(np.pi) * f) ** -0.4

    top = 1e-4
    while fixed_point(top) * fixed_point(1e-12) > 0:
        top *= 2
    return np.sqrt(brentq(fixed_point, 1e-12, top, xtol=1e-17, rtol=1e-14)) * reach


def bandwidths():
    for name, x in SAMPLES.items():
        row("silverman", name, "plain", 0, 0, 0.9 * scale(x) * len(x) ** -0.2)
        row("sj", name, "plain", 0, 0, sheather_jones(x - x.mean()))
        row("isj", name, "plain", 0, 0, improved(x))


def entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -(shares * np.log2(shares)).sum()


def mdl(x, y):
    """Cuts of rows sorted by x: every place between different values is tried."""
    best = None
    for i in range(1, len(x)):
        if x[i] != x[i - 1]:
            e = (i * entropy(y[:i]) + (len(y) - i) * entropy(y[i:])) / len(y)
            if best is None or e < best[0] - 1e-12:
                best = e, i
    if best is None:
        return []
    left, right, n = y[: best[1]], y[best[1]:], len(y)
    k, k1, k2 = (len(np.unique(part)) for part in (y, left, right))
    delta = np.log2(3**k - 2) - (k * entropy(y) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(y) - best[0] <= (np.log2(n - 1) + delta) / n:
        return []
    i = best[1]
    return mdl(x[:i], left) + [(x[i - 1] + x[i]) / 2] + mdl(x[i:], right)


def iris(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = list(rows[0])
    y = np.array([r[columns[-1]] for r in rows])
    for column, name in enumerate(columns[:-1]):
        x = np.array([float(r[name]) for r in rows])
        order = np.argsort(x, kind="stable")
        for cut in mdl(x[order], y[order]):
            row("mdl", "iris", "plain", column, 0, cut)


if __name__ == "__main__":
    print("what,sample,weights,parameter,at,value")
    kernel()
    histogram()
    bandwidths()
    iris(sys.argv[1])
