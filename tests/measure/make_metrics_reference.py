#!/usr/bin/env python3
"""Random scores judged by scikit-learn, and by plain definitions where it has none.

    python3 make_metrics_reference.py > metrics_reference.json
"""
import json
import sys

import numpy as np
from scipy.special import logsumexp
from scipy.stats import binomtest, norm
from sklearn import metrics as sk

Z = norm.ppf(0.975)


def log_odds(joint):
    result = np.empty_like(joint)
    for c in range(joint.shape[1]):
        result[:, c] = joint[:, c] - logsumexp(np.delete(joint, c, axis=1), axis=1)
    return np.round(result, 9)  # ties stay ties


def delong(positive, score, weight):
    """The standard error, pair by pair; weights as in docs/judge.md."""
    wins = (score[positive][:, None] > score[~positive][None, :]) + 0.5 * (
        score[positive][:, None] == score[~positive][None, :])
    w1, w0 = weight[positive], weight[~positive]
    v1, v0 = wins @ w0 / w0.sum(), w1 @ wins / w1.sum()
    auc = v1 @ w1 / w1.sum()

    def part(v, w):
        rows = w.sum() ** 2 / (w**2).sum()
        return (w**2 * (v - auc) ** 2).sum() / w.sum() ** 2 * rows / (rows - 1)

    return np.sqrt(part(v1, w1) + part(v0, w0))


def mean_interval(values, weight):
    mean = np.average(values, weights=weight)
    rows = weight.sum() ** 2 / (weight**2).sum()
    error = np.sqrt((weight**2 * (values - mean) ** 2).sum() / weight.sum() ** 2 * rows / (rows - 1))
    return [mean - Z * error, mean + Z * error]


def reject_area(confidence, wrong, weight):
    area = 0
    for value in np.unique(confidence):
        here, answered = confidence == value, confidence >= value
        area += weight[here].sum() * np.average(wrong[answered], weights=weight[answered])
    return area / weight.sum()


def case(seed, classes, rows, decimals, weighted):
    random = np.random.default_rng(seed)
    truth = random.integers(classes, size=rows)
    joint = random.normal(size=(rows, classes)) * 1.5
    joint[np.arange(rows), truth] += 1
    joint[:, -1] -= 2.5 * (classes > 4)  # of many classes one is hardly ever predicted
    joint = np.round(joint, decimals)
    weight = np.round(random.uniform(0.2, 3, size=rows), 2) if weighted else np.ones(rows)
    p = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    predicted = joint.argmax(axis=1)
    labels = list(range(classes))
    one_hot = np.eye(classes)[truth]
    odds = log_odds(joint)
    precision, recall, f1, support = sk.precision_recall_fscore_support(
        truth, predicted, labels=labels, sample_weight=weight, zero_division=np.nan)
    auc = [sk.roc_auc_score(truth == c, odds[:, c], sample_weight=weight) for c in labels]
    ap = [sk.average_precision_score(truth == c, odds[:, c], sample_weight=weight) for c in labels]
    positives = [weight[truth == c].sum() ** 2 / (weight[truth == c] ** 2).sum() for c in labels]
    loss = -np.log(p[np.arange(rows), truth])
    brier = ((p - one_hot) ** 2).sum(axis=1)
    accuracy = sk.accuracy_score(truth, predicted, sample_weight=weight)
    expected = {
        "accuracy": accuracy,
        "balanced_accuracy": sk.balanced_accuracy_score(truth, predicted, sample_weight=weight),
        "log_loss": sk.log_loss(truth, p, labels=labels, sample_weight=weight),
        "brier": np.average(brier, weights=weight),
        "macro_f1": sk.f1_score(truth, predicted, average="macro", sample_weight=weight),
        "mcc": sk.matthews_corrcoef(truth, predicted, sample_weight=weight),
        "roc_auc": np.mean(auc),
        "average_precision": np.mean(ap),
        "reject_area": reject_area(odds.max(axis=1), predicted != truth, weight),
        "confusion": sk.confusion_matrix(truth, predicted, labels=labels,
                                         sample_weight=weight).astype(float).tolist(),
        "classes": [{
            "support": support[c], "precision": precision[c], "recall": recall[c], "f1": f1[c],
            "roc_auc": auc[c], "average_precision": ap[c],
            "roc_auc_deviation": delong(truth == c, odds[:, c], weight),
            "average_precision_interval": (1 / (1 + np.exp(-(
                np.log(ap[c] / (1 - ap[c])) + np.array([-1, 1]) * Z
                / np.sqrt(positives[c] * ap[c] * (1 - ap[c])))))).tolist(),
        } for c in labels],
        "log_loss_interval": mean_interval(loss, weight),
        "brier_interval": mean_interval(brier, weight),
    }
    if not weighted:
        ci = binomtest(int((truth == predicted).sum()), rows).proportion_ci(method="wilson")
        expected["accuracy_interval"] = [ci.low, ci.high]
    return {"truth": truth.tolist(), "weight": weight.tolist(), "joint": joint.tolist(),
            "expected": expected}


def without_nan(value):
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_nan(one) for one in value]
    if isinstance(value, (float, np.floating)):
        return None if np.isnan(value) else float(value)
    return value


if __name__ == "__main__":
    cases = [case(1, 2, 60, 6, False), case(2, 2, 80, 0, False), case(3, 2, 80, 1, True),
             case(4, 3, 90, 6, False), case(5, 3, 90, 0, True), case(6, 6, 120, 1, True)]
    json.dump(without_nan(cases), sys.stdout)
    print()
