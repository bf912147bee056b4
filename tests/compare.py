# Compares expected with actual output, line by line: equal text, or text with equal numbers.
#
#   0.208511~   in the expectation: any number that rounds to the digits shown
#   ...         alone on a line: any number of lines
#
# Numbers that both sides print with 8 significant digits or more may differ by 1e-9, relatively.
import difflib
import re
from decimal import Decimal

NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?~?")
ANY_LINES = "..."


def matches(expected, actual):
    """Whether the lines match. Lines after the first `...` are found as early as possible."""
    parts = [[]]
    for line in expected:
        if line == ANY_LINES:
            parts.append([])
        else:
            parts[-1].append(line)
    first, *others = parts
    if not others:
        return _same(first, actual)
    last = others.pop()
    if len(first) + len(last) > len(actual) or not _same(first, actual[: len(first)]):
        return False
    end = len(actual) - len(last)
    if not _same(last, actual[end:]):
        return False
    start = len(first)
    for part in others:
        while start + len(part) <= end and not _same(part, actual[start : start + len(part)]):
            start += 1
        start += len(part)
        if start > end:
            return False
    return True


def _same(expected, actual):
    return len(expected) == len(actual) and all(map(line_matches, expected, actual))


def line_matches(expected, actual):
    if expected == actual:
        return True
    if _text(expected, "~" in expected) != _text(actual, "~" in expected):
        return False
    return all(map(number_matches, NUMBER.findall(expected), NUMBER.findall(actual)))


def _text(line, squeeze):
    """The text between numbers; spaces count once where rounded digits may move columns."""
    return [re.sub(r"\s+", " ", piece) if squeeze else piece for piece in NUMBER.split(line)]


def number_matches(expected, actual):
    if expected == actual:
        return True
    if actual.endswith("~"):
        return False
    if expected.endswith("~"):
        value = Decimal(expected[:-1])
        unit = Decimal(1).scaleb(value.as_tuple().exponent)
        return abs(Decimal(actual) - value) <= Decimal("0.5000001") * unit
    if not (_is_real(expected) and _is_real(actual)):
        return False
    value, other = Decimal(expected), Decimal(actual)
    return abs(value - other) <= Decimal("1e-9") * max(abs(value), abs(other))


def _is_real(number):
    """Whether a number is a rounded real: a point or an exponent, and 8 significant digits."""
    digits = re.sub(r"[eE].*|[-+.]", "", number).lstrip("0")
    return len(digits) >= 8 and not number.lstrip("+-").isdigit()


def diff(expected, actual):
    """A unified diff in which lines that match are shown as equal."""
    shown = [next((a for a in actual if line_matches(e, a)), e) for e in expected]
    lines = difflib.unified_diff(shown, actual, "expected", "actual", lineterm="")
    return "\n".join("    " + line for line in lines)


def updated(expected, actual):
    """The actual lines, with the expectation's own spelling wherever that still matches."""
    if matches(expected, actual):
        return expected
    rest = list(expected)
    lines = []
    for line in actual:
        same = next((i for i, e in enumerate(rest) if line_matches(e, line)), None)
        if same is None:
            near = next((i for i, e in enumerate(rest) if _text(e, True) == _text(line, True)), None)
            lines.append(line if near is None else _keep_rounded(rest[near], line))
            same = near
        else:
            lines.append(rest[same])
        if same is not None:
            del rest[: same + 1]
    return lines


def _keep_rounded(expected, actual):
    numbers = iter(NUMBER.findall(expected))

    def replace(found):
        number = next(numbers)
        return number if number_matches(number, found.group()) else found.group()

    return NUMBER.sub(replace, actual)


def lines_of(output):
    """The lines of an output, without spaces at their ends and without blank lines at its end."""
    return [line.rstrip() for line in output.rstrip().split("\n")] if output.strip() else []
