"""The package's GaussianNB."""

import credence

from single_rows import SingleRows


class Contender(SingleRows):
    name = "credence"
    needs = ("credence",)

    def make(self):
        return credence.GaussianNB()
