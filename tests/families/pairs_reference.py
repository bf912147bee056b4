"""The slow way to read counts of pairs, for make_density_reference.py: every formula of docs/families/pairs.md as it is
written there, every tree tried, every value of a missing column written out, with 50 digits.
"""
from itertools import product

import numpy as np
from mpmath import log, lu_solve, matrix, mpf, sqrt


def states_of(columns, edges, classes, mdl):
    """Codes instead of words, and groups of bins instead of numbers; None stays. And how many there are."""
    result = []
    for i, column in enumerate(columns):
        if edges is None:
            names = sorted({x for x in column if x is not None})
            result.append((lambda x, names=names: None if x is None or x not in names else names.index(x), len(names)))
            continue
        inner = edges[i][1:-1]
        bins = [None if x is None else int(np.searchsorted(inner, x, side="right")) for x in column]
        known = sorted((b, c) for b, c in zip(bins, classes) if b is not None)
        cuts = mdl(np.array([float(b) for b, _ in known]), np.array([c for _, c in known]))
        result.append((lambda x, inner=inner, cuts=cuts: None if x is None else
                       int(np.searchsorted(cuts, np.searchsorted(inner, x, side="right"))), len(cuts) + 1))
    return result


def all_trees(d):
    """Every tree over d columns that hangs from the first: the parents of all."""
    for parents in product(range(d), repeat=d - 1):
        tree = (None, *parents)
        if all(reaches_root(tree, i) for i in range(d)):
            yield tree


def reaches_root(tree, i):
    for _ in tree:
        if i is None or tree[i] is None:
            return True
        i = tree[i]
    return False


class Pairs:
    def __init__(self, columns, points, rule, parameters, classes, shares, mdl, edges):
        self.classes, self.rule, self.shares = classes, rule, shares
        options = dict((p.strip() + "=").split("=")[:2] for p in parameters.split(",") if p)
        coding = states_of(columns, edges, classes, mdl)
        codes = [[code(x) for x in column] for (code, _), column in zip(coding, columns)]
        places = [i for i in range(len(columns)) if coding[i][1] > 1]
        self.columns = [codes[i] for i in places]
        self.sizes = [coding[i][1] for i in places]
        self.points = [[coding[i][0](point[i]) for i in places] for point in points]
        # The bins of a group are alike, whatever the class.
        self.spread = [mpf(0)] * len(points)
        for i, (code, _) in enumerate(coding if edges else []):
            groups = [code(edge) for edge in edges[i][:-1]]
            for p, point in enumerate(points):
                if point[i] is not None:
                    self.spread[p] += log(mpf(groups.count(code(point[i]))))
        self.prior = not rule.startswith(("mle", "unbiased"))
        self.is_linear = "linear" in options
        self.given = mpf(options["backoff"]) if "backoff" in options else None
        self.own = [[shares(self.counts(i, c), rule) for c in range(3)] for i in range(len(self.columns))]
        self.trees = self.read(next((name for name in ("aode", "kdb", "naive") if name in options), "tan"))

    def counts(self, i, c):
        return [sum(x == v and k == c for x, k in zip(self.columns[i], self.classes)) for v in range(self.sizes[i])]

    def both(self, i, j, c):
        """[value of i][value of j]"""
        pairs = [(a, b) for a, b, k in zip(self.columns[i], self.columns[j], self.classes) if k == c]
        return [[pairs.count((a, b)) for b in range(self.sizes[j])] for a in range(self.sizes[i])]

    def information(self, i, j):
        result = mpf(0)
        for c in range(3):
            table = self.both(i, j, c)
            total = sum(map(sum, table))
            for a, row in enumerate(table):
                for b, n in enumerate(row):
                    if n:
                        result += n * log(mpf(n) * total / sum(row) / sum(other[b] for other in table))
        return result

    def about_class(self, i):
        table = [self.counts(i, c) for c in range(3)]
        total = sum(map(sum, table))
        return sum(n * log(mpf(n) * total / sum(row) / sum(other[v] for other in table))
                   for row in table for v, n in enumerate(row) if n)

    def read(self, how):
        d = len(self.columns)
        if how == "naive":
            return [(None,) * d]
        if how == "aode":
            return [tuple(None if i == j else j for i in range(d)) for j in range(d)]
        told = [[np.float32(float(self.information(i, j))) if i != j else 0 for j in range(d)] for i in range(d)]
        if how == "kdb":
            order = sorted(range(d), key=lambda i: -float(self.about_class(i)))
            tree = [None] * d
            for k, i in enumerate(order):
                if k:
                    tree[i] = max(order[:k], key=lambda j: told[i][j])
            return [tuple(tree)]
        return [max(all_trees(d), key=lambda tree: sum(float(told[i][j]) for i, j in enumerate(tree) if j is not None))]

    def backoff(self, i, j):
        if self.given is not None or not self.prior:
            return self.given or mpf(0)
        best = None
        for strength in (mpf(2) ** k for k in range(-3, 13)):
            total = mpf(0)
            for c in range(3):
                counts, table = self.counts(i, c), self.both(i, j, c)
                for a, row in enumerate(table):
                    without = self.shares_without(counts, a)
                    for b, n in enumerate(row):
                        if n and (n > 1 or without > 0):
                            total += n * log((n - 1 + strength * without) / (sum(r[b] for r in table) - 1 + strength))
            if best is None or total > best[0]:
                best = (total, strength)
        return best[1]

    def shares_without(self, counts, a):
        rest = [n - (v == a) for v, n in enumerate(counts)]
        try:
            return self.shares(rest, self.rule)[a]
        except ZeroDivisionError:
            return mpf(0)

    def given_parent(self, i, j, a, b, c, strength):
        column = [row[b] for row in self.both(i, j, c)]
        if sum(column) + strength == 0:
            return self.own[i][c][a]
        return (column[a] + strength * self.own[i][c][a]) / (sum(column) + strength)

    def imaginary(self, i):
        name, _, number = self.rule.partition("=")
        rows = mpf(number or 1) * (self.sizes[i] if name == "laplace" else 1)
        return mpf(2 * self.sizes[i]) if self.rule == "map" else rows

    def linear_scores(self):
        """Discriminant analysis with every indicator of every row written out. Those of a column sum to 1, so their covariance is
        singular; ones in the block of each column make up for it where solutions sum to 0, as differences of shares do."""
        places = [(i, a) for i, size in enumerate(self.sizes) for a in range(size)]
        scatter = matrix(len(places))
        ones = matrix(len(places))
        rows = [[sum(x is not None and k == c for x, k in zip(column, self.classes)) for c in range(3)] for column in self.columns]
        raw = [[[mpf(n) / rows[i][c] for n in self.counts(i, c)] for c in range(3)] for i in range(len(self.columns))]
        weight = [sum(rows[i]) + 3 * self.imaginary(i) for i in range(len(self.columns))]
        for r, c in enumerate(self.classes):
            apart = [0 if self.columns[i][r] is None else (self.columns[i][r] == a) - raw[i][c][a] for i, a in places]
            for k, x in enumerate(apart):
                for m, y in enumerate(apart):
                    scatter[k, m] += x * y
        for k, (i, a) in enumerate(places):
            for m, (j, b) in enumerate(places):
                if i == j:
                    q, s = 1 / mpf(self.sizes[i]), self.imaginary(i)
                    ones[k, m] = 1
                    scatter[k, m] += 3 * s * ((a == b) * q - q * q)
                    for c in range(3):
                        n = rows[i][c]
                        scatter[k, m] += n * s / (n + s) * (raw[i][c][a] - q) * (raw[i][c][b] - q)
                scatter[k, m] /= sqrt(weight[i] * weight[j])
        mean = [sum((rows[i][c] + self.imaginary(i)) * self.own[i][c][a] for c in range(3)) / weight[i] for i, a in places]
        result = []
        for c in range(3):
            share = [self.own[i][c][a] for i, a in places]
            says = lu_solve(scatter + ones, matrix([p - m for p, m in zip(share, mean)]))
            result.append([sum(says[k] * ((point[i] == a) - (mean[k] + share[k]) / 2) for k, (i, a) in enumerate(places)
                               if point[i] is not None) - spread for point, spread in zip(self.points, self.spread)])
        return result

    def log_density(self):
        if self.is_linear:
            return self.linear_scores()
        strengths = {(i, j): self.backoff(i, j) for tree in self.trees for i, j in enumerate(tree) if j is not None}
        result = []
        for c in range(3):
            row = []
            for point, spread in zip(self.points, self.spread):
                ways = product(*[range(k) if x is None else [x] for x, k in zip(point, self.sizes)])
                total = mpf(0)
                for values in ways:
                    for tree in self.trees:
                        p = mpf(1)
                        for i, j in enumerate(tree):
                            p *= self.own[i][c][values[i]] if j is None else self.given_parent(
                                i, j, values[i], values[j], c, strengths[i, j])
                        total += p / len(self.trees)
                row.append(log(total) - spread if total > 0 else -float("inf"))
            result.append(row)
        return result
