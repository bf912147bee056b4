"""scikit-learn's LinearDiscriminantAnalysis by its faster solver."""

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn, solver lsqr"
    needs = ("scikit-learn",)

    def make(self):
        return LinearDiscriminantAnalysis(solver="lsqr")
