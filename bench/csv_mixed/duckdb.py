"""The file through duckdb, then scikit-learn."""

from readers import Duckdb


class Contender(Duckdb):
    pass
