"""Writes calibration_reference.json: temperature and Platt scaling by SciPy, isotonic by scikit-learn.

Run by hand with both installed, in the project's root:
    python tests/choose/make_calibration_reference.py > tests/choose/calibration_reference.json
Scores are log joints of overlapping normals, made too sure of themselves. Targets hold one imaginary
row: of weight W in all and a posterior q, a row counts as (W + q) / (W + 1) of its class, as
q / (W + 1) of the others. Platt's with two classes are his own: 1 - 1/(N + 2) in a class of weight N.
"""
import json
import sys

import numpy as np
from scipy.optimize import minimize, root
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression


def make(seed, rows, classes, weighted):
    random = np.random.default_rng(seed)
    cls = random.choice(classes, rows, p=np.arange(1, classes + 1) / (classes * (classes + 1) / 2))
    centres = random.normal(size=(classes, 3))
    x = centres[cls] + 1.2 * random.normal(size=(rows, 3))
    scores = -3 * ((x[:, None, :] - centres[None]) ** 2).sum(2) + random.normal(size=classes)
    weight = random.integers(1, 5, rows).astype(float) if weighted else np.ones(rows)
    return scores - 40, cls, weight


def targets_of(scores, cls, weight):
    total = weight.sum()
    return (total * np.eye(scores.shape[1])[cls] + softmax(scores, axis=1)) / (total + 1)


def platt_targets_of(cls, weight):
    doubt = 1 / (np.array([weight[cls == c].sum() for c in range(2)])[cls] + 2)
    return np.where(np.arange(2) == cls[:, None], 1 - doubt[:, None], doubt[:, None])


def scale(scores, targets, weight, with_bias):
    classes = scores.shape[1]
    scores = scores - scores.max(1, keepdims=True)

    def u(theta):
        return theta[0] * scores + (np.concatenate([[0], theta[1:]]) if with_bias else 0)

    def value(theta):
        return -(weight[:, None] * targets * log_softmax(u(theta), axis=1)).sum() / weight.sum()

    def gradient(theta):
        miss = weight[:, None] * (softmax(u(theta), axis=1) - targets) / weight.sum()
        slope = (miss * scores).sum()
        return np.concatenate([[slope], miss.sum(0)[1:]]) if with_bias else np.array([slope])

    start = minimize(value, np.zeros(classes if with_bias else 1), jac=gradient, method="BFGS")
    found = root(gradient, start.x, tol=1e-15)
    assert np.linalg.norm(gradient(found.x)) < 1e-13, found
    return found.x


def one_against_all(scores, c):
    others = np.delete(scores, c, axis=1)
    return scores[:, c] - logsumexp(others, axis=1)


def isotonic(scores, cls, weight, c, asked):
    x = one_against_all(scores, c)
    is_c = cls == c
    with_, without = weight[is_c].sum(), weight[~is_c].sum()
    y = np.where(is_c, (with_ + 1) / (with_ + 2), 1 / (without + 2))
    fitted = IsotonicRegression(out_of_bounds="clip").fit(x, y, sample_weight=weight)
    return fitted.predict(asked).tolist()


def main():
    result = []
    for seed, rows, classes, weighted in [(1, 90, 2, False), (2, 120, 2, True), (3, 150, 4, True)]:
        scores, cls, weight = make(seed, rows, classes, weighted)
        targets = targets_of(scores, cls, weight)
        temperature = scale(scores, targets, weight, False)[0]
        platt = scale(scores, platt_targets_of(cls, weight) if classes == 2 else targets, weight, True)
        if classes == 2 and not weighted:  # scikit-learn's own, which stops earlier
            a, b = _sigmoid_calibration(scores[:, 1] - scores[:, 0], cls)
            assert abs(a + platt[0]) < 1e-3 and abs(b + platt[1]) < 1e-3, (a, b, platt)
        asked = np.linspace(-60, 60, 241)
        result.append({
            "classes": classes, "scores": scores.ravel().tolist(), "cls": cls.tolist(), "weight": weight.tolist(),
            "temperature": temperature, "slope": platt[0], "bias": [0, *platt[1:]], "asked": asked.tolist(),
            "curves": [isotonic(scores, cls, weight, c, asked) for c in range(classes)]})
    json.dump(result, sys.stdout)
    print()


main()
