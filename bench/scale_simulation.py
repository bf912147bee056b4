#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a fit takes on a cluster that is not there: skew, stragglers and lost workers, by the cost model of docs/scale.md.

  bench/scale_simulation.py --rows 1e12 --workers 1000 --partitions 20000
"""
import argparse
import heapq
import random


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e12)
    parser.add_argument("--row-bytes", type=float, default=190, help="of Parquet: 381 MB for 2,000,000 x 21")
    parser.add_argument("--workers", type=int, default=1000, help="cores")
    parser.add_argument("--partitions", type=int, default=20_000)
    parser.add_argument("--speed", type=float, default=64e6, help="bytes that a core reads and counts in a second")
    parser.add_argument("--statistics", type=float, default=20e3, help="bytes of a partition's statistics")
    parser.add_argument("--merging", type=float, default=200e6, help="bytes of statistics that a core merges in a second")
    parser.add_argument("--network", type=float, default=1e9, help="bytes into one machine in a second")
    parser.add_argument("--skew", type=float, default=0.5, help="sigma of the log of a partition's size")
    parser.add_argument("--stragglers", type=float, default=0.01, help="share of tasks that take five times as long")
    parser.add_argument("--lost", type=float, default=0.001, help="share of tasks whose worker is lost half-way")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def reading(given, rng):
    """When the last partition is read: tasks in order, each to the core that is free first."""
    sizes = [rng.lognormvariate(0, given.skew) for _ in range(given.partitions)]
    scale = given.rows * given.row_bytes / given.speed / sum(sizes)
    free = [0.0] * given.workers
    heapq.heapify(free)
    for size in sizes:
        time = size * scale * (5 if rng.random() < given.stragglers else 1)
        if rng.random() < given.lost:
            time *= 1.5  # half of it was in vain
        heapq.heappush(free, heapq.heappop(free) + time)
    return max(free)


def merging(given, tree):
    """All statistics to one machine, or sixteen at a time until sixteen are left."""
    seconds, parts = 0.0, given.partitions
    while tree and parts > 16:
        rounds = -(-parts // 16 // given.workers) or 1
        seconds += rounds * 16 * given.statistics * (1 / given.merging + 1 / given.network)
        parts = -(-parts // 16)
    return seconds + parts * given.statistics * (1 / given.merging + 1 / given.network)


def main():
    given = options()
    rng = random.Random(given.seed)
    read = reading(given, rng)
    ideal = given.rows * given.row_bytes / given.speed / given.workers
    print(f"reading    {read:12.1f} s   ({read / ideal:.2f} of what equal, undisturbed tasks would take)")
    for name, tree in (("at once", False), ("as a tree", True)):
        print(f"merging    {merging(given, tree):12.1f} s   {name}")
    print(f"driver     {given.partitions * given.statistics / 1e9:12.3f} GB  of statistics at once")


if __name__ == "__main__":
    main()
