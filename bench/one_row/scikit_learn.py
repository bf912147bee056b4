"""scikit-learn's GaussianNB."""

from sklearn.naive_bayes import GaussianNB

from single_rows import SingleRows


class Contender(SingleRows):
    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        return GaussianNB()
