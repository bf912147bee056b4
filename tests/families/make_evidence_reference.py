"""Writes evidence_reference.csv: evidence by numerical integration over the parameters, by scipy.

Each line is a family, the strength s of the prior, the column's mean and variance (of a poisson: its mean), the values,
and the log of the integral of likelihood times prior. Trapezoids over a fine grid: for integrands that are smooth and
vanish at both ends, as these are in the logarithm of a variance or rate, they converge faster than any power.

    python make_evidence_reference.py > evidence_reference.csv
"""
import numpy as np
from scipy import stats
from scipy.special import logsumexp


def gaussian(values, s, mean, variance):
    """The mean is N(m0, v/s), v is inverse gamma with shape s/2 and scale s v0/2."""
    log_v = np.linspace(-12, 90, 6001)
    v = np.exp(log_v)[:, None]
    z = np.linspace(-12, 12, 1201)[None, :]
    n = len(values)
    mu = (sum(values) + s * mean) / (n + s) + z * np.sqrt(v / (n + s))
    log_p = stats.invgamma.logpdf(v, s / 2, scale=s * variance / 2) + log_v[:, None]
    log_p = log_p + stats.norm.logpdf(mu, mean, np.sqrt(v / s)) + 0.5 * np.log(v / (n + s))
    for x in values:
        log_p = log_p + stats.norm.logpdf(x, mu, np.sqrt(v))
    return logsumexp(log_p) + np.log(log_v[1] - log_v[0]) + np.log(z[0, 1] - z[0, 0])


def poisson(values, s, mean, _):
    log_rate = np.linspace(-90, 8, 100001)
    rate = np.exp(log_rate)
    log_p = stats.gamma.logpdf(rate, s * mean, scale=1 / s) + log_rate
    for x in values:
        log_p = log_p + stats.poisson.logpmf(x, rate)
    return logsumexp(log_p) + np.log(log_rate[1] - log_rate[0])


CASES = [
    (gaussian, [1.5], 1, 0.5, 2),
    (gaussian, [1.5, -0.25, 3], 1, 0.5, 2),
    (gaussian, [10.5, 11.25, 9.75, 12], 3, 8.5, 4.5),
    (poisson, [3], 1, 2.5, 0),
    (poisson, [0, 2, 7], 1, 2.5, 0),
    (poisson, [4, 6, 3, 5], 3, 1.25, 0),
]

if __name__ == "__main__":
    print("family,strength,mean,variance,values,log_evidence")
    for family, values, strength, mean, variance in CASES:
        cells = " ".join(map(str, values))
        print(f"{family.__name__},{strength},{mean},{variance},{cells},{family(values, strength, mean, variance):.15g}")
