"""The program."""

from contender import TableProgram


class Contender(TableProgram):
    pass
