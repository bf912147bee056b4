"""The package's QuadraticDiscriminantAnalysis."""

import credence

from contender import Estimator


class Contender(Estimator):
    name = "credence"
    needs = ("credence",)

    def make(self):
        return credence.QuadraticDiscriminantAnalysis()
