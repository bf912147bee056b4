"""The package without any option."""

from messages import Package


class Contender(Package):
    agreement = 0.99
