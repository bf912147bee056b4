"""Weka's NaiveBayes from its command line."""

from contender import WekaTable


class Contender(WekaTable):
    pass
