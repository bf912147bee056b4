"""scikit-learn's ComplementNB."""

from sklearn.naive_bayes import ComplementNB

from contender import Estimator


class Contender(Estimator):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return ComplementNB()
