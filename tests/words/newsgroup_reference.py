#!/usr/bin/env python3
"""Writes newsgroup_reference.json: what scikit-learn makes of the texts below.

newsgroup_test.cpp compares. Needs scikit-learn; run it again when a text is added:
    python tests/words/newsgroup_reference.py
"""
import itertools
import json
from pathlib import Path

from sklearn.datasets._twenty_newsgroups import (
    strip_newsgroup_footer, strip_newsgroup_header, strip_newsgroup_quoting)

POST = """From: ada@engine.example (Ada)
Subject: Re: Notes
Lines: 9

In article <1843@engine.example> charles@engine.example writes:
> The cards are punched.
> And sorted.

Then let us weave.
It said: nothing. He said nothing.

--
Ada, weaver of algebra
"""

TEXTS = [
    POST, POST.replace("\n", "\r\n"), POST.rstrip("\n"), POST + "\n\n  \n",
    "", "\n", "\n\n", "\n\n\n", " ", "one line", "one line\n", "two\nlines", "a\n\nb", "a\n\nb\n\nc\n",
    "a\n \nb", "a\n\t\nb\n---\n", "---", "---\n---", "--\nonly a footer", "body\n--\nsig\n\n\n",
    "body\n- - -\nsig", "body\n -- \nsig", "body\n--x\nsig", "body\n\u00a0\nsig", "body\n\u3000--\u2028\nsig",
    "body\n\u200b\nsig", "\u00a0\n\u00a0body\u00a0", "body\n\x1c\nsig", "body\n\x85\nsig", "body\r\n\r\nsig",
    "caf\u00e9\n\n\u00e9", "\U0001f600\n\n\U0001f600\n", "\x0b\n\x0cx", "body\n\u2014\nsig",
    "> a\nb\n>c\n >d\n| e\n|f\n e|f", "he writes in red\nwrites\nwrites:\nwrote :\nwrote:\nsays:\nsaid:",
    "In article\nin article\n In article\nIn articles\nQuoted from\nQuoted From", ">\n>\n>", ">", "|",
    "a\n>\n\n>\nb", "keep\n\n\n> drop", "Said:\nsaid:x\nx said:", "\n>a\n", "header\n\n\n\nbody", "a\n\n",
    "no header here\nat all",
]
# Every short text over what matters.
TEXTS += ["".join(parts) for parts in itertools.product(["\n", "-", " ", "x", ">"], repeat=3)]


def main():
    cases = []
    for text in TEXTS:
        body = strip_newsgroup_header(text)
        cases.append({
            "text": text, "header": body, "footer": strip_newsgroup_footer(text),
            "quotes": strip_newsgroup_quoting(text),
            "all": strip_newsgroup_quoting(strip_newsgroup_footer(body))})
    lines = ",\n".join(json.dumps(case) for case in cases)
    Path(__file__).with_suffix(".json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
