#!/usr/bin/env python3
"""Mixtures reach at least scikit-learn's log-likelihood from the same number of starts.

A small part of bench/mixture.py, which says what is compared: with floor=1e-6 against GaussianMixture with
reg_covar=1e-6, and without a floor against its best start that has no spike. Every class of every set must be level or
ahead; draws on both sides come from fixed seeds. Skipped (77) without scikit-learn.
"""
import argparse
import os
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
SETS = [(name, covariance) for name in ["iris", "wine", (2, 300, 1.0), (4, 400, 3.0)] for covariance in ("full", "diagonal")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/credence")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads do not pay for matrices as small as these
    os.environ["CREDENCE_PROGRAM"] = str(Path(options.program).resolve())
    sys.path.insert(0, str(BENCH))
    try:
        import mixture
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    parts = [mixture.compared(seed, SETS, False) for seed in options.seeds]
    for _, _, lines in parts:
        print("\n".join(lines))
    found = mixture.summary([margins for _, margins, _ in parts])
    # Nothing compared is nothing shown.
    return int(any(one["behind"] > 0 or one["compared"] < 16 * len(options.seeds) for one in found.values()))


if __name__ == "__main__":
    sys.exit(main())
