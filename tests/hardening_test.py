#!/usr/bin/env python3
"""An optimised program is built so that a mistake in memory ends it: reads its ELF headers with readelf."""
import re
import subprocess
import sys


def read(path, *what):
    return subprocess.run(["readelf", "-W", *what, path], capture_output=True, text=True, check=True).stdout


def main():
    path = sys.argv[1]
    header, segments, dynamic, symbols = (read(path, what) for what in ("-h", "-l", "-d", "--dyn-syms"))
    stack = re.search(r"GNU_STACK.*", segments)
    properties = {
        "its code lies at an address that differs from run to run (PIE)": "DYN (" in header,
        "tables of addresses are read-only (RELRO)": "GNU_RELRO" in segments,
        "and filled in before it starts (BIND_NOW)": bool(re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW", dynamic)),
        "the stack is not executable": stack is not None and "E" not in stack.group().split()[-2],
        "no part of it is both written and executed": not re.search(r"LOAD.*RWE", segments),
        "functions check their stack (-fstack-protector-strong)": "__stack_chk_fail" in symbols,
        "functions of the C library check their buffers (_FORTIFY_SOURCE)": bool(re.search(r"__\w+_chk\b", symbols)),
    }
    for sentence, holds in properties.items():
        print("ok   " if holds else "NOT  ", sentence)
    return 0 if all(properties.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
