# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of estimators, without exceptions."""
from sklearn.utils.estimator_checks import parametrize_with_checks

import credence


@parametrize_with_checks([
    credence.BayesClassifier(), credence.GaussianNB(), credence.MultinomialNB(), credence.ComplementNB(),
    credence.BernoulliNB(), credence.CategoricalNB(), credence.PoissonNB(), credence.LinearDiscriminantAnalysis(),
    credence.QuadraticDiscriminantAnalysis(), credence.MixtureDiscriminantAnalysis()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
