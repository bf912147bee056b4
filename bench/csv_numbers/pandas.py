"""The file through pandas, then scikit-learn."""

from readers import Pandas


class Contender(Pandas):
    pass
