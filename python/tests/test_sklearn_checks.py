# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of estimators, without exceptions."""
from sklearn.utils.estimator_checks import parametrize_with_checks

from credence import BayesClassifier


@parametrize_with_checks([BayesClassifier()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
