"""The file through polars, then scikit-learn."""

from readers import Polars


class Contender(Polars):
    pass
