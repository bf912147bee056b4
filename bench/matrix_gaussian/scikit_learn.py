"""scikit-learn's GaussianNB."""

from sklearn.naive_bayes import GaussianNB

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return GaussianNB()
