"""scikit-learn's LinearDiscriminantAnalysis."""

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn, solver svd"
    needs = ("scikit-learn",)

    def make(self):
        return LinearDiscriminantAnalysis()
