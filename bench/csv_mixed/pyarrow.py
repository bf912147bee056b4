"""The file through pyarrow, then scikit-learn."""

from readers import Pyarrow


class Contender(Pyarrow):
    pass
