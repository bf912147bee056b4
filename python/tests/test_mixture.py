# SPDX-License-Identifier: Apache-2.0
"""MixtureDiscriminantAnalysis against one GaussianMixture per class."""
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import credence


@pytest.mark.parametrize("covariance", ["full", "diag"])
@pytest.mark.parametrize("seed", [1, 2])
def test_reg_covar_gives_each_class_at_least_the_likelihood_of_scikit_learn(covariance, seed):
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    for c in np.unique(y):
        prior = (np.arange(3) == c).astype(float)  # then log p(x) is log p(x | c)
        ours = credence.MixtureDiscriminantAnalysis(n_components=3, covariance_type=covariance, reg_covar=1e-6, n_init=10,
                                                    random_state=seed, rule="mle", priors=prior).fit(X, y)
        theirs = GaussianMixture(3, covariance_type=covariance, reg_covar=1e-6, n_init=10, tol=1e-6, max_iter=2000,
                                 random_state=seed).fit(X[y == c])
        rows = X[y == c]
        assert ours.score_samples(rows).sum() >= theirs.score_samples(rows).sum() - 1e-3


def test_reg_covar_is_the_variance_of_a_column_that_never_varies():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=40), np.full(40, 7.0)])
    y = np.repeat(["a", "b"], 20)
    model = credence.MixtureDiscriminantAnalysis(n_components=1, covariance_type="diag", reg_covar=0.25, rule="mle").fit(X, y)
    first, second = model.score_samples([[0.0, 7.0], [0.0, 7.5]])
    assert first - second == pytest.approx(0.5 * 0.5**2 / 0.25, rel=1e-9)


def test_a_reg_covar_below_0_is_refused():
    with pytest.raises(ValueError, match="reg_covar"):
        credence.MixtureDiscriminantAnalysis(reg_covar=-1.0).fit([[0.0], [1.0]], ["a", "b"])


def test_reg_covar_may_be_a_number_of_numpy():
    X, y = load_iris(return_X_y=True)
    plain = credence.MixtureDiscriminantAnalysis(reg_covar=0.001).fit(X, y)
    numpy = credence.MixtureDiscriminantAnalysis(reg_covar=np.float64(0.001)).fit(X, y)
    assert (plain.predict_proba(X) == numpy.predict_proba(X)).all()


@pytest.mark.parametrize("priors", [[-0.2, 0.6, 0.6], [0.2, 0.3, 0.6], [0.5, 0.5]])
def test_priors_that_are_no_shares_are_refused(priors):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="(?i)priors"):
        credence.MixtureDiscriminantAnalysis(priors=priors).fit(X, y)


@pytest.mark.parametrize("share", [-0.2, float("nan")])
def test_a_share_below_0_is_no_prior_of_any_classifier(share):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="is no share"):
        credence.BayesClassifier(prior=[share, 0.6, 0.6]).fit(X, y)
