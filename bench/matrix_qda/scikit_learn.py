"""scikit-learn's QuadraticDiscriminantAnalysis."""

from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return QuadraticDiscriminantAnalysis()
