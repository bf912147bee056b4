"""Weka's NaiveBayes from its command line."""

from contender import WekaTable


class Contender(WekaTable):
    lacks = ("predict_proba",)  # its output has the label's probability alone
    note = WekaTable.note + "; adds one to every count"
