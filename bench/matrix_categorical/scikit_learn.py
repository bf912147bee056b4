"""scikit-learn's CategoricalNB."""

from sklearn.naive_bayes import CategoricalNB

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return CategoricalNB()
