# SPDX-License-Identifier: Apache-2.0
"""Generative classification: learn what each class looks like, decide by Bayes' rule."""
from credence import _core
from credence._categorical_nb import CategoricalNB
from credence._discrete_nb import BernoulliNB, ComplementNB, MultinomialNB, PoissonNB
from credence._discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from credence._evaluation import CrossValidation
from credence._explanation import Evidence, Explanation
from credence._files import Files, read
from credence._gaussian_nb import GaussianNB
from credence._mixture import MixtureDiscriminantAnalysis
from credence._model import Model, ParameterTable, lock
from credence.classifier import BayesClassifier

__version__: str = _core.VERSION

__all__ = [
    "BayesClassifier",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "CrossValidation",
    "Evidence",
    "Explanation",
    "Files",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "MixtureDiscriminantAnalysis",
    "Model",
    "MultinomialNB",
    "ParameterTable",
    "PoissonNB",
    "QuadraticDiscriminantAnalysis",
    "__version__",
    "lock",
    "read",
]
