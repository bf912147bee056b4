"""The program without any option."""

from messages import Folders


class Contender(Folders):
    pass
