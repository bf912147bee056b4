# SPDX-License-Identifier: Apache-2.0
"""Generative classification: learn what each class looks like, decide by Bayes' rule."""
from credence import _core
from credence._evaluation import CrossValidation
from credence._explanation import Evidence, Explanation
from credence._files import Files, read
from credence._model import Model, ParameterTable
from credence.classifier import BayesClassifier

__version__: str = _core.VERSION

__all__ = [
    "BayesClassifier",
    "CrossValidation",
    "Evidence",
    "Explanation",
    "Files",
    "Model",
    "ParameterTable",
    "__version__",
    "read",
]
