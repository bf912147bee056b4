"""Writes density_reference.json: log densities of every family under every rule, from an independent source.

Run by hand with mpmath, numpy, scipy and scikit-learn installed:
  python3 tests/families/make_density_reference.py > tests/families/density_reference.json

The values are computed with 50 digits from the formulas of docs/families. SciPy's distribution of the
same parameters has to agree before a value is written, and so do scikit-learn's shares of shrinkage
and mixtures where no imaginary rows are added. For texts its three classifiers are the witnesses, where they have
the rule. What passed this way is counted on standard error.
"""
import json
import sys
from itertools import product
from math import inf

import numpy as np
from mpmath import betainc, erfc, exp, log, loggamma, matrix, mp, mpf, pi, psi, sqrt
from scipy import optimize, stats
from sklearn.covariance import ledoit_wolf_shrinkage, oas
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from make_value_reference import improved, mdl, scale, sheather_jones
from pairs_reference import Pairs

mp.dps = 50
RULES = ["mle", "unbiased", "m-estimate=2.5", "laplace=0.75", "map", "map=3", "bayes", "bayes=12"]
BLOCKS = ["full", "tied", "spherical", "tied, spherical", "shrunk=0.3", "shrunk=0.3, spherical", "shrunk", "shrunk, spherical",
          "shrunk=oas", "shrunk=oas, spherical", "tied, shrunk=0.3", "tied, shrunk", "tied, shrunk=oas, spherical", "rda=0.25",
          "rda=0.5, shrunk=0.25, spherical", "rda=0.75, shrunk"]
TEXTS = ["bernoulli", "multinomial", "multinomial, counts=binary", "multinomial, counts=log", "multinomial, idf",
         "multinomial, counts=log, idf, alpha=0.5", "", "complement", "complement, counts=binary", "complement, counts=log",
         "complement, counts=log, idf", "complement, idf, alpha=2", "complement, counts=log, scale=0.5, min=8",
         "bernoulli, min=8"]
CLASSES = [0] * 18 + [1] * 13 + [2] * 9
CLOUDS = [r % 5 < 3 for r in range(len(CLASSES))]  # of the table with two clouds per class: the left one
checked = {"scipy": 0, "scikit-learn": 0}


def agree(value, witness, whose="scipy", tolerance=1e-9):
    """A double's 16 digits are lost where a witness subtracts; a wrong formula is off by far more."""
    checked[whose] += 1
    if value == -inf and witness == -inf:
        return
    if not abs(float(value) - float(witness)) <= tolerance * max(1, abs(float(value))):
        sys.exit(f"{whose} has {witness}, the formula {value}")


def of_class(column, c):
    return [x for x, k in zip(column, CLASSES) if k == c]


def strength(rule):
    name, _, number = rule.partition("=")
    return name, 0 if name in ("mle", "unbiased") else mpf(number or 1)


# Numbers -----------------------------------------------------------------------------------------------------------


def log_normal(square, log_determinant, d):
    return -(d * log(2 * pi) + log_determinant + square) / 2


def log_student(square, log_determinant, d, freedom):
    return (loggamma((freedom + d) / 2) - loggamma(freedom / 2) - (d * log(pi * freedom) + log_determinant) / 2
            - (freedom + d) / 2 * log(1 + square / freedom))


def moments(values):
    mean = sum(map(mpf, values)) / len(values)
    return mpf(len(values)), mean, sum((x - mean) ** 2 for x in values)


def number(values, column, rule, among_classes=False):
    """Mean, variance and degrees of freedom (infinite: normal). Under bayes a class is as wide as classes are."""
    name, s = strength(rule)
    n, mean, m2 = moments(values)
    total, m0, all2 = moments(column)
    if among_classes and name == "bayes":
        within = sum(moments(of_class(column, c))[2] for c in range(3))
        share = min(mpf(1), (within / (all2 / total) + 1) / (total - 3 + 1))
        kappa, nu = n + share * s, n + 3 * s
        m2 += 3 * s * share * all2 / total + n * share * s / kappa * (mean - m0) ** 2
        return (n * mean + share * s * m0) / kappa, m2 / nu * (kappa + 1) / kappa, nu
    m2 = m2 + s * all2 / total + n * s / (n + s) * (mean - m0) ** 2
    mean, n = (n * mean + s * m0) / (n + s), n + s
    if name == "bayes":
        return mean, m2 / n * (n + 1) / n, n
    return mean, m2 / {"unbiased": n - 1, "map": n + 3}.get(name, n), inf


def log_number(x, mean, variance, freedom):
    square = (x - mean) ** 2 / variance
    if freedom == inf:
        value = log_normal(square, log(variance), 1)
        agree(value, stats.norm.logpdf(float(x - mean), 0, float(sqrt(variance))))
    else:
        value = log_student(square, log(variance), 1, freedom)
        agree(value, stats.t.logpdf(float(x - mean), float(freedom), 0, float(sqrt(variance))))
    return value


def gaussian(columns, points, rule, _, among_classes=True):
    return [[sum(log_number(mpf(x), *number(of_class(column, c), column, rule, among_classes))
                 for x, column in zip(point, columns)) for point in points] for c in range(3)]


def one_component(columns, points, rule, parameters):
    """Imaginary rows as wide as the columns, under every rule."""
    return gaussian(columns, points, rule, parameters, False)


# Several numbers together ------------------------------------------------------------------------------------------


class Part:
    """Rows, weight with the imaginary rows, mean, scatter, and the rows from their mean."""

    def __init__(self, rows, weight, mean, scatter, centred, means):
        self.rows, self.weight, self.mean, self.scatter, self.centred, self.means = rows, weight, mean, scatter, centred, means


def diagonal(values):
    result = mp.zeros(len(values))
    for i, x in enumerate(values):
        result[i, i] = x
    return result


def merged(columns, c, s):
    """The rows of a class, and s imaginary rows with the columns' means and variances."""
    d = len(columns)
    own = [moments(of_class(column, c)) for column in columns]
    whole = [moments(column) for column in columns]
    n = own[0][0]
    centred = [[mpf(x) - own[i][1] for x in of_class(columns[i], c)] for i in range(d)]
    scatter = matrix(d, d)
    for i in range(d):
        for j in range(d):
            scatter[i, j] = sum(a * b for a, b in zip(centred[i], centred[j]))
            scatter[i, j] += n * s / (n + s) * (whole[i][1] - own[i][1]) * (whole[j][1] - own[j][1])
    scatter += diagonal([s * m2 / total for total, _, m2 in whole])
    mean = [(n * own[i][1] + s * whole[i][1]) / (n + s) for i in range(d)]
    return Part(n, n + s, mean, scatter, centred, 1)


def pooled(columns, parts, s):
    """The imaginary rows' own spread counts once, not once per class."""
    spread = diagonal([s * m2 / total for total, _, m2 in map(moments, columns)])
    rows = sum(p.rows for p in parts)
    centred = [sum((p.centred[i] for p in parts), []) for i in range(len(columns))]
    scatter = sum((p.scatter for p in parts), mp.zeros(len(columns))) - (len(parts) - 1) * spread
    return Part(rows, rows + s, None, scatter, centred, len(parts))


def share_of_target(part, how, spherical, s):
    """Ledoit and Wolf (2004), or OAS as scikit-learn writes it; towards the diagonal in units of the spreads."""
    d, n = len(part.centred), part.rows
    covariance = part.scatter / part.weight
    unit = [mpf(1) if spherical else sqrt(covariance[i, i]) for i in range(d)]
    r = [[covariance[i, j] / unit[i] / unit[j] for j in range(d)] for i in range(d)]
    mu = sum(r[i][i] for i in range(d)) / d
    squares = sum(x * x for row in r for x in row)
    if how == "oas":
        alpha = squares / d**2
        result = min(mpf(1), (alpha + mu**2) / ((n + 1) * (alpha - mu**2 / d)))
    else:
        lengths = [sum((part.centred[i][k] / unit[i]) ** 2 for i in range(d)) for k in range(int(n))]
        delta = (squares - d * mu**2) / d
        beta = (sum(x * x for x in lengths) / n - squares) / n / d
        result = min(delta, max(mpf(0), beta)) / delta
    if s == 0:
        rows = np.array([[float(x / unit[i]) for x in part.centred[i]] for i in range(d)]).T
        witness = oas(rows, assume_centered=True)[1] if how == "oas" else ledoit_wolf_shrinkage(rows, assume_centered=True)
        agree(result, witness, "scikit-learn")
    return result


def covariance_of(part, rule, options):
    """What the rule makes of a scatter, shrunk; and the degrees of freedom behind it."""
    name, s = strength(rule)
    d = part.scatter.rows
    shrunk, spherical = options.get("shrunk"), "spherical" in options
    shape_spherical = spherical and shrunk is None
    divisor = part.weight
    if name == "unbiased":
        divisor -= part.means
    if name == "map":  # the mode of means and covariance together
        divisor += part.means + (mpf(2) / d if shape_spherical else 2 * d)
    covariance = part.scatter / divisor
    variances = [covariance[i, i] for i in range(d)]
    target = diagonal([sum(variances) / d] * d if spherical else variances)
    if shape_spherical:
        return target, part.weight * d
    if shrunk is None:
        return covariance, part.weight
    weight = share_of_target(part, shrunk, spherical, s) if shrunk in ("", "oas") else mpf(float(shrunk))
    return (1 - weight) * covariance + weight * target, part.weight


def block(columns, points, rule, parameters):
    options = dict((p.strip() + "=").split("=")[:2] for p in parameters.split(","))
    name, s = strength(rule)
    parts = [merged(columns, c, s) for c in range(3)]
    everything = pooled(columns, parts, s)
    towards = mpf(1) if "tied" in options else mpf(float(options.get("rda", 0)))
    result = []
    for part in parts:
        own, freedom = covariance_of(part, rule, options)
        together, all_freedom = covariance_of(everything, rule, options)
        covariance = (1 - towards) * own + towards * together
        freedom = (1 - towards) * freedom + towards * all_freedom
        if name == "bayes":
            covariance *= (part.weight + 1) / part.weight
        result.append([log_vector(point, part.mean, covariance, freedom if name == "bayes" else inf) for point in points])
    return result


def tied_diagonal(columns, points, rule, _):
    parts = [block([column], [[point[i]] for point in points], rule, "tied") for i, column in enumerate(columns)]
    return [[sum(part[c][p] for part in parts) for p in range(len(points))] for c in range(3)]


def log_vector(point, mean, covariance, freedom):
    d = len(point)
    factor = mp.cholesky(covariance)
    z = mp.lu_solve(factor, matrix([mpf(x) - m for x, m in zip(point, mean)]))
    square = sum(x * x for x in z)
    log_determinant = 2 * sum(log(factor[i, i]) for i in range(d))
    # The witness works in units of the spreads, lest a pseudo-inverse take a small column for none.
    unit = [sqrt(covariance[i, i]) for i in range(d)]
    x = np.array([float((p - m) / u) for p, m, u in zip(point, mean, unit)])
    r = np.array([[float(covariance[i, j] / unit[i] / unit[j]) for j in range(d)] for i in range(d)])
    if freedom == inf:
        value, witness = log_normal(square, log_determinant, d), stats.multivariate_normal(np.zeros(d), r)
    else:
        value, witness = log_student(square, log_determinant, d, freedom), stats.multivariate_t(np.zeros(d), r, float(freedom))
    agree(value, witness.logpdf(x) - float(sum(map(log, unit))))
    return value


# Mixtures of two ---------------------------------------------------------------------------------------------------


def components_of(columns, rows, responsible, rule, independent):
    """Weight, mean and covariance of each of two normals; half of the imaginary rows go to each."""
    name, s = strength(rule)
    d, s = len(columns), s / 2
    extra = 0 if name != "map" else 3 if independent else 2 * d + 1
    middle, spread = zip(*((m, m2 / n) for n, m, m2 in map(moments, columns)))
    result = []
    for share in zip(*responsible):
        weight = sum(share) + s
        mean = [(sum(r * x[i] for r, x in zip(share, rows)) + s * middle[i]) / weight for i in range(d)]
        covariance = diagonal([s * v for v in spread])
        for i in range(d):
            for j in [i] if independent else range(d):
                covariance[i, j] += sum(r * (x[i] - mean[i]) * (x[j] - mean[j]) for r, x in zip(share, rows))
                covariance[i, j] += s * (middle[i] - mean[i]) * (middle[j] - mean[j])
        result.append((weight, mean, covariance / (weight + extra)))
    return result


def climb(columns, c, rule, independent):
    """Expectation-maximisation from the clouds that were drawn, until 40 digits no longer change."""
    rows = list(zip(*(map(mpf, of_class(column, c)) for column in columns)))
    responsible = [(mpf(int(left)), mpf(int(not left))) for left in of_class(CLOUDS, c)]
    for _ in range(1000):
        found = components_of(columns, rows, responsible, rule, independent)
        logs = []
        for weight, mean, covariance in found:
            inverse, constant = mp.inverse(covariance), log(weight) - log(mp.det(covariance)) / 2
            apart = [matrix([x - m for x, m in zip(row, mean)]) for row in rows]
            logs.append([constant - (y.T * inverse * y)[0] / 2 for y in apart])
        before, responsible = responsible, [(1 / (1 + exp(b - a)), 1 / (1 + exp(a - b))) for a, b in zip(*logs)]
        if max(abs(a[0] - b[0]) for a, b in zip(before, responsible)) < mpf(10) ** -40:
            return found
    sys.exit("expectation-maximisation does not settle")


def settled_witness(columns, c, independent, found):
    """scikit-learn's expectation-maximisation, begun beside the solution: nothing pulls it away. Columns standardised."""
    spread = np.array([np.std(column) for column in columns])
    rows = np.array([of_class(column, c) for column in columns]).T
    means = np.array([[float(m) for m in mean] for _, mean, _ in found])
    precisions = np.array([1.1 * np.array(mp.inverse(covariance).tolist(), float) for _, _, covariance in found])
    precisions *= np.outer(spread, spread)
    witness = GaussianMixture(2, covariance_type="diag" if independent else "full", reg_covar=0, tol=1e-14, max_iter=10000,
                              weights_init=[0.5, 0.5], means_init=means / spread + 0.02, random_state=1,
                              precisions_init=np.array([p.diagonal() for p in precisions]) if independent else precisions)
    witness.fit(rows / spread)
    return lambda point: witness.score_samples([point / spread])[0] - np.log(spread).sum()


def mixture(columns, points, rule, parameters):
    name, s = strength(rule)
    independent = "diagonal" in parameters
    result = []
    for c in range(3):
        found = climb(columns, c, rule, independent)
        total = sum(weight for weight, _, _ in found)
        densities = [mpf(0)] * len(points)
        for weight, mean, covariance in found:
            if name == "unbiased":
                covariance *= weight / (weight - 1)
            if name == "bayes":
                covariance *= (weight + 1) / weight
            freedom = weight if name == "bayes" else inf
            for p, point in enumerate(points):
                if independent:
                    value = sum(log_number(mpf(x), m, covariance[i, i], freedom) for i, (x, m) in enumerate(zip(point, mean)))
                else:
                    value = log_vector(point, mean, covariance, freedom)
                densities[p] += weight / total * exp(value)
        result.append([log(p) for p in densities])
        if name == "mle":
            witness = settled_witness(columns, c, independent, found)
            for point, value in zip(points, result[-1]):
                agree(value, witness(point), "scikit-learn")
    return result


# Bins and kernels --------------------------------------------------------------------------------------------------


def shares(counts, rule):
    """Categorical probabilities of counts; the imaginary rows are spread evenly."""
    name, s = strength(rule)
    k = len(counts)
    if name == "laplace":
        s *= k
    if rule == "map":
        s = mpf(2 * k)
    alpha = [mpf(n) + s / k for n in counts]
    if name == "map":
        alpha = [max(mpf(0), a - 1) for a in alpha]
    return [a / sum(alpha) for a in alpha]


def safe_log(x):
    return log(x) if x > 0 else -inf


def edges_of(x, parameters):
    x = np.array(x)
    name, _, value = parameters.partition("=")
    if name == "width":
        w = float(value)
        return w * np.arange(np.floor(x.min() / w), np.floor(x.max() / w) + 2)
    if name == "":  # MDL where it makes more than one bin
        cuts = edges_of(x, "mdl")
        return cuts if len(cuts) > 2 else edges_of(x, "fd")
    if name == "fd":
        return np.histogram_bin_edges(x, bins="fd")
    if name in ("mdl", "frequency"):
        order = np.argsort(x, kind="stable")
        x, y = x[order], np.array(CLASSES)[order]
        if name == "mdl":
            cuts = mdl(x, y)
        else:
            gaps = [i for i in range(1, len(x)) if x[i] != x[i - 1]]
            near = [min(gaps, key=lambda i: abs(i - len(x) * b / float(value))) for b in range(1, int(value))]
            cuts = sorted({(x[i - 1] + x[i]) / 2 for i in near})
        return np.array([x[0], *cuts, x[-1]])
    return np.linspace(x.min(), x.max(), int(value or name) + 1)


def histogram(columns, points, rule, parameters):
    column = columns[0]
    edges = edges_of(column, parameters)
    result = []
    for c in range(3):
        counts = np.histogram(of_class(column, c), edges)[0]
        p = shares([int(n) for n in counts], rule)
        witness = stats.rv_histogram((np.array([float(q) for q in p]), edges), density=False)
        row = []
        for (x,) in points:
            if not edges[0] <= x <= edges[-1]:
                row.append(-log(mpf(len(column) + 1)) - log(mpf(float(edges[-1])) - mpf(float(edges[0]))))
                continue
            b = min(int(np.searchsorted(edges, x, side="right")) - 1, len(p) - 1)
            row.append(safe_log(p[b] / (mpf(float(edges[b + 1])) - mpf(float(edges[b])))))
            if p[b] > 0 and x < edges[-1]:
                agree(row[-1], witness.logpdf(x))
        result.append(row)
    return result


def cumulative(z, freedom):
    if freedom == inf:
        return erfc(-z / sqrt(mpf(2))) / 2
    tail = betainc(freedom / 2, mpf(1) / 2, 0, freedom / (freedom + z * z), regularized=True) / 2
    return 1 - tail if z > 0 else tail


def kernel(columns, points, rule, parameters):
    options = dict((p.strip() + "=").split("=")[:2] for p in parameters.split(",") if p)
    column, s = columns[0], strength(rule)[1]
    low, high = (float(end) if end else None for end in options.get("support", "..").split(".."))
    result = []
    for c in range(3):
        values = np.array(of_class(column, c))
        width = options.get("bandwidth", "silverman")
        h = {"silverman": lambda x: 0.9 * scale(x) * len(x) ** -0.2, "sj": sheather_jones, "isj": improved}.get(
            width, lambda x: float(width))(values)
        row = []
        for (x,) in points:
            # A kernel's part beyond an end is folded back: kernels at the mirror images.
            places = [mpf(float(v)) for v in values]
            if low is not None and high is not None:
                step = 2 * (mpf(high) - mpf(low))
                places = [q + step * k for v in places for k in range(-8, 9) for q in (v, 2 * mpf(low) - v)]
            elif low is not None:
                places += [2 * mpf(low) - v for v in places]
            density = sum(exp(-((x - v) / h) ** 2 / 2) for v in places) / (len(values) * mpf(h) * sqrt(2 * pi))
            if low is None:
                kde = stats.gaussian_kde(values)
                kde.set_bandwidth(h / np.sqrt(kde.covariance[0, 0]) * kde.factor)
                agree(log(density), kde.logpdf(x)[0])
            if s:
                g = number(column, column, rule)
                mass = mpf(1)
                for end, sign in (low, -1), (high, 1):
                    if end is not None:
                        mass -= 1 - cumulative(sign * (end - g[0]) / sqrt(g[1]), g[2])
                n = len(values)
                density = (n * density + s * exp(log_number(mpf(x), *g)) / mass) / (n + s)
            row.append(log(density))
        result.append(row)
    return result


# Counts and words --------------------------------------------------------------------------------------------------


def poisson(columns, points, rule, _):
    column, (name, s) = columns[0], strength(rule)
    result = []
    for c in range(3):
        n, total = len(of_class(column, c)) + s, sum(of_class(column, c)) + s * mpf(sum(column)) / len(column)
        row = []
        for (x,) in points:
            if name == "bayes":
                row.append(loggamma(x + total) - loggamma(total) - loggamma(x + 1) + total * log(n / (n + 1)) - x * log(n + 1))
                agree(row[-1], stats.nbinom.logpmf(x, float(total), float(n / (n + 1))))
                continue
            rate = max(mpf(0), total - 1) / n if name == "map" else mpf(total) / n
            row.append(x * log(rate) - rate - loggamma(x + 1))
            agree(row[-1], stats.poisson.logpmf(x, float(rate)))
        result.append(row)
    return result


def negative_binomial(columns, points, rule, _):
    """The imaginary rows have the counts of the whole column. Maxima by SciPy's simplex first, then to 40 digits."""
    column, (name, s) = columns[0], strength(rule)
    seen, result = sorted(set(column)), []
    for c in range(3):
        own = of_class(column, c)
        weights = [own.count(v) + s * mpf(column.count(v)) / len(column) for v in seen]
        n, total = sum(weights), sum(w * v for w, v in zip(weights, seen))
        if name == "bayes":
            result.append(integrated(seen, weights, n, total, points))
            continue
        extra = mpf(1 if name == "map" else 0)
        rate, k = best_size(seen, weights, n, total, extra)
        row = []
        for (x,) in points:
            if k == inf:
                row.append(x * log(rate) - rate - loggamma(x + 1))
                agree(row[-1], stats.poisson.logpmf(x, float(rate)))
            else:
                row.append(loggamma(x + k) - loggamma(k) - loggamma(x + 1) + k * log(k / (k + rate)) + x * log(rate / (k + rate)))
                agree(row[-1], stats.nbinom.logpmf(x, float(k), float(k / (k + rate))))
        result.append(row)
    return result


def best_size(seen, weights, n, total, extra):
    rate = (total - extra) / n
    if sum(w * ((v - rate) ** 2 - v) for w, v in zip(weights, seen)) <= 0:
        return rate, inf

    def loss(p):
        size, mean = np.exp(p)
        logs = stats.nbinom.logpmf(seen, size, size / (size + mean))
        return -sum(float(w) * q for w, q in zip(weights, logs)) + float(extra) * p[1]

    near = optimize.minimize(loss, [0.5, float(log(rate))], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 4000}).x

    def slope(k):
        mean = (total - extra) / (n + extra / k)
        return (sum(w * (psi(0, v + k) - psi(0, k)) for w, v in zip(weights, seen)) + n * log(k / (k + mean))
                + (n * mean - total) / (k + mean))

    k = mp.findroot(slope, mpf(float(np.exp(near[0]))))
    mean = (total - extra) / (n + extra / k)
    agree(log(k), near[0], tolerance=1e-5)
    agree(log(mean), near[1], tolerance=1e-5)
    return mean, k


def integrated(seen, weights, n, total, points):
    """Over k / (1 + k) uniform, the rate integrated out in closed form; the integral by Gauss and Legendre, in pieces."""
    ends = [mpf(t) for t in range(-64, 65, 4)]

    def posterior(t):
        k = exp(t)
        return exp(sum(w * (loggamma(v + k) - loggamma(k)) for w, v in zip(weights, seen))
                   + loggamma(k * n) + loggamma(total) - loggamma(k * n + total)) * k / (1 + k) ** 2

    def given(x, k):
        a = k * n
        return exp(loggamma(x + k) - loggamma(k) - loggamma(x + 1) + loggamma(a + k) + loggamma(total + x) + loggamma(a + total)
                   - loggamma(a) - loggamma(total) - loggamma(a + total + k + x))

    with mp.workdps(30):
        norm = mp.quad(posterior, ends, method="gauss-legendre")
        row = [log(mp.quad(lambda t: posterior(t) * given(x, exp(t)), ends, method="gauss-legendre") / norm) for (x,) in points]
    grid, middles = np.linspace(-6, 14, 201), (np.arange(500) + 0.5) / 500
    mass = np.array([float(posterior(mpf(t)) / norm) for t in grid])
    for (x,), value in zip(points, row):
        average = [stats.nbinom.pmf(x, k, stats.beta.ppf(middles, k * float(n), float(total))).mean() for k in np.exp(grid)]
        agree(exp(value), np.trapezoid(mass * average, grid), tolerance=1e-3)
    return row


def categorical(columns, points, rule, _):
    names = sorted(set(columns[0]))
    result = []
    for c in range(3):
        p = shares([of_class(columns[0], c).count(v) for v in names], rule)
        witness = stats.multinomial(1, [float(q) for q in p])
        row = []
        for (x,) in points:
            row.append(safe_log(p[names.index(x)]))
            agree(row[-1], witness.logpmf([v == x for v in names]))
        result.append(row)
    return result


def joint(columns, points, rule, _):
    names = list(product(*(sorted(set(column)) for column in columns)))
    rows = list(zip(*columns))
    result = []
    for c in range(3):
        own = [row for row, y in zip(rows, CLASSES) if y == c]
        p = shares([own.count(cell) for cell in names], rule)
        witness = stats.multinomial(1, [float(q) for q in p])
        result.append([])
        for point in points:
            result[-1].append(safe_log(p[names.index(tuple(point))]))
            agree(result[-1][-1], witness.logpmf([cell == tuple(point) for cell in names]))
    return result


def coin(hits, rows, present, rule):
    p = shares([rows - hits, hits], rule)[1]
    value = safe_log(p if present else 1 - p)
    agree(value, stats.bernoulli.logpmf(int(present), float(p)))
    return value


def bernoulli(columns, points, rule, _):
    if isinstance(columns[0][0], dict):
        names = sorted({word for bag in columns[0] for word in bag})
        columns = [[int(word in bag) for bag in columns[0]] for word in names]
        points = [[int(word in bag) for word in names] for (bag,) in points]
    return [[sum(coin(sum(of_class(column, c)), CLASSES.count(c), x, rule) for x, column in zip(point, columns))
             for point in points] for c in range(3)]


def multinomial(columns, points, rule, _):
    if isinstance(columns[0][0], dict):
        names = sorted({word for bag in columns[0] for word in bag})
        columns = [[bag.get(word, 0) for bag in columns[0]] for word in names]
        points = [[bag.get(word, 0) for word in names] for (bag,) in points]
    name, s = strength(rule)
    result = []
    for c in range(3):
        counts = [sum(of_class(column, c)) for column in columns]
        p, row = shares(counts, rule), []
        for point in points:
            length = sum(point)
            # SciPy counts all orders of the draws; the family the one order that was drawn.
            orders = loggamma(length + 1) - sum(loggamma(x + 1) for x in point)
            if name == "bayes":
                alpha = [n + s / len(counts) for n in counts]
                row.append(loggamma(sum(alpha)) - loggamma(sum(alpha) + length)
                           + sum(loggamma(a + x) - loggamma(a) for a, x in zip(alpha, point)))
                witness = stats.dirichlet_multinomial([float(a) for a in alpha], length).logpmf(point)
            else:
                row.append(sum(x * safe_log(q) for q, x in zip(p, point) if x))
                witness = stats.multinomial(length, [float(q) for q in p]).logpmf(point)
            agree(row[-1] + orders, witness)
        result.append(row)
    return result


# Texts -------------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """A rule under which the model has no density."""


def weighed(document, counts):
    """How much each word of a document weighs. Under log these are rounded to multiples of 2^-30."""
    if counts != "log":
        return {word: mpf(1 if counts == "binary" else n) for word, n in document.items()}
    logs = {word: 1 + log(mpf(n)) for word, n in document.items()}
    length = sqrt(sum(x * x for x in logs.values()))
    return {word: mp.nint(x / length * 2**30) / 2**30 for word, x in logs.items()}


def text(columns, points, rule, parameters):
    options = dict((p.strip() + "=").split("=")[:2] for p in parameters.split(",") if p)
    model = next((m for m in ("bernoulli", "multinomial", "complement") if m in options), "complement")
    counts = options.get("counts", {"bernoulli": "binary"}.get(model, "raw" if model in options else "log"))
    documents = columns[0]
    having = {word: sum(word in d for d in documents) for word in sorted({word for d in documents for word in d})}
    words = [word for word, n in having.items() if n >= float(options.get("min", 0))]
    rare = {w: 1 + log(mpf(1 + len(documents)) / (1 + having[w])) if "idf" in options else mpf(1) for w in words}
    observed = [[sum(weighed(d, counts).get(w, 0) for d in of_class(documents, c)) * rare[w] for w in words] for c in range(3)]
    # By default a document of unit length weighs log2 of the number of classes.
    factor = mpf(options["scale"]) if "scale" in options else log(mpf(3)) / log(mpf(2)) if counts == "log" else mpf(1)
    scored = []
    for (point,) in points:
        weights = weighed({w: n for w, n in point.items() if w in words}, counts)
        row = [weights.get(w, 0) * rare[w] for w in words]
        # What idf has weighed is brought to unit length once more.
        length = sqrt(sum(x * x for x in row)) if counts == "log" and "idf" in options else 1
        scored.append([x / (length or 1) * factor for x in row])
    if model == "bernoulli":
        result = [[sum(coin(n, CLASSES.count(c), int(x > 0), rule) for n, x in zip(observed[c], row)) for row in scored]
                  for c in range(3)]
    else:
        result = urns(model, observed, scored, rule, mpf(options.get("alpha", "0.03")))
    if "min" not in options:  # its documents have unit length without the words left out
        ask_scikit_learn(model, counts, "idf" in options, documents, words, points, rule, result,
                         float(options.get("alpha", 0.03)), float(factor))
    return result


def urns(model, observed, scored, rule, alpha):
    name, s = strength(rule)
    k = len(observed[0])
    # Under bayes alpha is the imaginary count of each word, where other families share out one row.
    under = f"laplace={s * alpha}" if name == "bayes" else rule
    if model == "multinomial":
        theta = [shares(row, under) for row in observed]
        return [[sum(x * safe_log(p) for x, p in zip(row, theta[c]) if x) for row in scored] for c in range(3)]
    together = [sum(column) for column in zip(*observed)]
    others = [[n - own for n, own in zip(together, observed[c])] for c in range(3)]
    lifted = min(n for row in others for n in shares(row, under))
    if name in ("mle", "unbiased") or lifted == 0 or (name == "map" and rule != "map" and s < k):
        raise Refused
    log_all = [log(p) for p in shares(together, under)]
    log_others = [[log(p) for p in shares(row, under)] for row in others]
    return [[sum(x * (2 * a - b) for x, a, b in zip(row, log_all, log_others[c])) for row in scored] for c in range(3)]


def ask_scikit_learn(model, counts, idf, documents, words, points, rule, result, alpha, factor):
    """Its classifiers add alpha to every count; its documents are scaled to unit length after idf, not before."""
    name, s = strength(rule)
    added = {"laplace": s, "m-estimate": s / (2 if model == "bernoulli" else len(words)),
             "map": 1 if rule == "map" else 0, "bayes": s / 2 if model == "bernoulli" else s * alpha}.get(name, 0)
    if added == 0 or (counts == "log" and idf):
        return
    whole, rows = ([[d.get(w, 0) for w in words] for d in group] for group in (documents, [p for (p,) in points]))
    whole, rows = np.array(whole), np.array(rows)
    if counts == "binary":
        whole, rows = np.minimum(whole, 1), np.minimum(rows, 1)
    if idf or counts == "log":
        scale = TfidfTransformer(norm="l2" if counts == "log" else None, use_idf=idf, sublinear_tf=counts == "log").fit(whole)
        whole, rows = scale.transform(whole).toarray(), scale.transform(rows).toarray()
    kind = {"bernoulli": BernoulliNB, "multinomial": MultinomialNB, "complement": ComplementNB}[model]
    fitted = kind(alpha=float(added)).fit(whole, CLASSES)
    joint = fitted.predict_joint_log_proba(rows)
    if model != "complement":  # whose scores have no prior in them
        joint = joint - fitted.class_log_prior_
    joint = joint * factor
    for c in range(3):
        for p in range(len(points)):
            # Complement's scores are compared between classes: what all share tells nothing.
            base = (result[0][p], joint[p][0]) if model == "complement" else (0, 0)
            agree(result[c][p] - base[0], joint[p][c] - base[1], "scikit-learn", 1e-7 if counts == "log" else 1e-11)


# Pairs -------------------------------------------------------------------------------------------------------------


def pairs(columns, points, rule, parameters, edges=None):
    if parameters == "linear" and rule in ("mle", "unbiased"):
        raise Refused
    return Pairs(columns, points, rule, parameters, CLASSES, shares, mdl, edges).log_density()


def binned_pairs(columns, points, edges, rule, parameters):
    return pairs(columns, points, rule, parameters, edges)


# Tables: two columns of a unit's size, one far from 0, one small -------------------------------------------------------


def tables():
    random = np.random.default_rng(7)
    y = np.array(CLASSES)
    z = random.normal(size=(len(y), 4))
    a = np.round(z[:, 0] * 2 + y * (2 - y) * 1.5, 3)
    b = np.round(z[:, 1] + 0.7 * a - 0.5 * y, 3)
    far = np.round(1e6 + 40 * z[:, 2] + 10 * a, 2)
    small = np.round(1e-3 * (z[:, 3] + 0.5 * b) * (1 + y / 2), 6)
    words = np.array(["red", "green", "blue", "grey"])[np.minimum(3, random.poisson(0.6 + y / 2))]
    amounts = random.poisson([[1.5, 0.7, 0.3]] * len(y)) + (y[:, None] == [0, 1, 2])
    amounts[y == 2, 0] = 0  # under mle, class 2 never has the first
    bags = [{w: int(n) for w, n in zip(("good", "bad", "very"), row) if n} for row in amounts]
    left = np.array(CLOUDS)
    e = np.random.default_rng(8).normal(size=(len(y), 2))  # its own draws: the other tables stay as they are
    across = np.round(50 + e[:, 0] * np.where(left, 1, 2) + np.where(left, -1, 1) * (6 + y), 3)
    along = np.round(0.01 * (e[:, 1] + 0.5 * e[:, 0] * np.where(left, 1, -1) + np.where(left, y, 2)), 5)
    # Every class has words of its own, and one that the others have too.
    choice = np.random.default_rng(11)
    rates = [[2.0, 0.4, 0.0, 0.9, 0.6, 0.1], [0.3, 1.2, 0.5, 0.9, 0.0, 0.1], [0.3, 0.2, 1.5, 0.9, 0.6, 0.1]]
    texts = [{w: int(n) for w, n in zip(("cash", "doctor", "match", "the", "über", "win"), choice.poisson(rates[c])) if n}
             for c in y]
    # Class 1 has no more spread than a Poisson has.
    mixed = np.random.default_rng(12)
    spread = np.where(y == 1, 3 + np.arange(len(y)) % 3, mixed.poisson(mixed.gamma(1.5, 2 + y)))
    # Each column of words leans on another; one value in twelve is missing.
    lean = np.random.default_rng(13)
    first = np.minimum(2, lean.poisson(0.5 + y / 3))
    second = np.where(lean.random(len(y)) < 0.7, first, lean.integers(0, 3, len(y)))
    third = np.where(lean.random(len(y)) < 0.6, (second + y) % 2, lean.integers(0, 2, len(y)))
    fourth = np.where(lean.random(len(y)) < 0.8, third, 1 - third)
    leaning = [[None if lean.random() < 1 / 12 else "xyz"[v] for v in column] for column in (first, second, third, fourth)]
    shifted = np.round(a + 2 * y, 2)  # two bins that tell the classes apart, and one column that does not
    partner = np.round(shifted * 0.8 + e[:, 0], 2)
    return {
        "clouds": ("number", [across, along], [[45.5, 0.005], [49.0, 0.011], [54.25, 0.03], [75.0, -0.02]]),
        "numbers": ("number", [a, b, far, small],
                    [[0.5, 0.25, 1000010.5, 0.0005], [3.0, -1.0, 999900.0, -0.003], [-20.0, 30.0, 1001500.0, 0.02]]),
        "one number": ("number", [a], [[0.5], [-1.75], [2.125], [40.0]]),
        "positive": ("number", [np.abs(a)], [[0.0], [0.4], [3.9]]),
        "counts": ("count", [random.poisson(2 + 3 * y)], [[0], [4], [60]]),
        "spread counts": ("count", [spread], [[0], [4], [60]]),
        "words": ("category", [words], [["red"], ["grey"], ["blue"]]),
        "two words": ("category", [words, np.array(["a", "b"])[np.random.default_rng(13).integers(2, size=len(y))]],
                      [["red", "a"], ["grey", "b"], ["blue", "a"]]),
        "coin": ("binary", [(random.random(len(y)) < 0.2 + 0.3 * y).astype(int)], [[0], [1]]),
        "amounts": ("amount", list(amounts.T), [[1, 0, 0], [0, 3, 1], [2, 5, 40]]),
        "bags": ("bag", [np.array(bags)], [[{"good": 1}], [{"bad": 3, "very": 1}], [{"good": 2, "bad": 5, "very": 40}]]),
        "texts": ("text", [np.array(texts)], [[{"the": 1}], [{"cash": 3, "the": 2, "unknown": 4}],
                                              [{"match": 30, "über": 1, "win": 2, "doctor": 7}], [{"unknown": 1}]]),
        "pairs": ("category", [np.array(column) for column in leaning],
                  [["x", "x", "x", "y"], ["z", "y", "y", "x"], ["y", None, "x", None], [None, "z", None, "y"],
                   ["unknown", "x", None, "y"], [None, None, None, None]]),
        "binned pairs": ("number", [shifted, partner, e[:, 1].round(2)], [[0.5, 1.0, 0.0], [-9.0, 20.0, 9.0], [3.0, None, 0.5],
                         [None, 2.5, None]], [[-5, -2, -1, 0, 1, 2, 3, 4, 9], [-5, 0, 1, 2, 3, 9], [-3, 0, 3]]),
    }


CASES = [("gaussian", "numbers", gaussian, ["diagonal"]), ("gaussian", "one number", gaussian, [""]),
         ("gaussian", "numbers", block, BLOCKS), ("gaussian", "numbers", tied_diagonal, ["diagonal, tied"]),
         ("mixture", "numbers", block, ["1"]), ("mixture", "numbers", one_component, ["1, diagonal"]),
         ("mixture", "clouds", mixture, ["2", "2, diagonal"]),
         ("histogram", "one number", histogram, ["", "5", "width=1.5", "frequency=4", "fd", "mdl"]),
         ("kernel", "one number", kernel, ["", "bandwidth=0.5", "bandwidth=sj", "bandwidth=isj"]),
         ("kernel", "positive", kernel, ["support=0..", "bandwidth=0.7, support=0..8"]),
         ("poisson", "counts", poisson, [""]), ("negative_binomial", "spread counts", negative_binomial, [""]),
         ("categorical", "words", categorical, [""]),
         ("joint", "two words", joint, [""]),
         ("bernoulli", "coin", bernoulli, [""]), ("bernoulli", "bags", bernoulli, [""]),
         ("multinomial", "amounts", multinomial, [""]), ("multinomial", "bags", multinomial, [""]),
         ("text", "texts", text, TEXTS), ("pairs", "pairs", pairs, ["", "aode", "kdb=1", "linear", "naive", "tan, backoff=2.5"]),
         ("pairs", "binned pairs", binned_pairs, ["tan", "aode", "kdb=1", "linear"])]


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def main():
    known = {name: (kind, [column.tolist() for column in columns], *points) for name, (kind, columns, *points) in tables().items()}
    lines = []
    for family, table, density, choices in CASES:
        for parameters in choices:
            for rule in RULES:
                what = {"family": family, "parameters": parameters, "rule": rule, "table": table}
                try:
                    values = density(*known[table][1:], rule, parameters)
                    what["log_density"] = [[None if x == -inf else float(x) for x in row] for row in values]
                except Refused:
                    what["refused"] = True
                lines.append(compact(what))
    heads = [f"{json.dumps(name)}: " + compact(dict(zip(("kind", "columns", "points", "edges"), table))) for name, table in known.items()]
    print('{"classes": ' + compact(CLASSES) + ',\n"tables": {\n' + ",\n".join(heads) + '},\n"cases": [\n' + ",\n".join(lines) + "]}")
    print(f"{len(lines)} cases; agreed: {checked}", file=sys.stderr)


if __name__ == "__main__":
    main()
