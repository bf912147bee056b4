#!/usr/bin/env python3
"""No function is longer than a page: lists those of more than 60 lines, from signature to closing brace.

C++ is read by its brackets: outside of functions a "{" opens a namespace, a type, an initialiser or a
body, and what stands before it says which. A docstring is not counted.
"""
import ast
import re
import sys
from pathlib import Path

MOST = 60
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n\\]|\\.)*", re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\s*(inline\s+)?(namespace|extern)\b|\s*(template\s*<.*>\s*)?(typedef\s+)?(class|struct|union|enum)\b"
                   r"[^()]*(alignas\([^()]*\)[^()]*)?$", re.DOTALL)
INITIALISERS = re.compile(r"\)\s*(noexcept\s*)?:(?!:)")


def closing(code, at):
    """The place of the bracket that closes the one here."""
    pairs = {"{": "}", "(": ")"}
    opening, depth = code[at], 0
    for place in range(at, len(code)):
        if code[place] == opening:
            depth += 1
        elif code[place] == pairs[opening]:
            depth -= 1
            if depth == 0:
                return place
    sys.exit(f"a {opening} is never closed")


def functions(source):
    """(first line, last line) of every function body of C++ outside of other functions."""
    code = TEXT.sub(lambda text: re.sub(r"[^\n]", " ", text.group()), source)
    begin = place = 0
    while place < len(code):
        if code[place] == "(":
            place = closing(code, place)
        elif code[place] in ";}":
            begin = place + 1
        elif code[place] == "{":
            before = code[begin:place]
            in_list = INITIALISERS.search(before) and re.search(r"[\w>]\s*$", before)
            if SCOPE.match(before):
                begin = place + 1
            elif in_list or "(" not in before:
                place = closing(code, place)
            else:
                end = closing(code, place)
                first = begin + len(before) - len(before.lstrip())
                yield code.count("\n", 0, first) + 1, code.count("\n", 0, end) + 1
                place, begin = end, end + 1
        place += 1


def python_functions(source):
    """(first line, lines without the docstring) of every function of Python."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and ast.get_docstring(node)
            told = first.end_lineno - first.lineno + 1 if text else 0
            yield node.lineno, node.end_lineno - node.lineno + 1 - told


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    count = offenders = 0
    for folder, kind in (("include", "*.hpp"), ("src", "*.[ch]pp"), ("cli", "*.[ch]pp"), ("python", "*.[ch]pp"),
                         ("python/credence", "*.py")):
        for path in sorted((root / folder).rglob(kind)):
            source = path.read_text()
            found = (python_functions(source) if path.suffix == ".py" else
                     ((first, last - first + 1) for first, last in functions(source)))
            for line, lines in found:
                count += 1
                if lines > MOST:
                    offenders += 1
                    print(f"{path.relative_to(root)}:{line}: a function of {lines} lines, {MOST} at most")
    print(f"{count} functions, {offenders} offenders")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
