#!/usr/bin/env python3
"""The tasks in their quick sizes, against the committed ratios: names what has fallen by more than a fifth.

    python bench/quick.py [TASK...] [--keep]

A ratio is how many times as long as credence a contender takes. What fell is run once more before it is named, for one slow moment
of the machine is no loss. Ends with 1 where something fell or could not be measured. --keep writes bench/ratios.json, which is to be committed.
"""

import argparse
import json
import sys

import results
import run
import tasks

FALLEN = 0.8  # of the committed ratio
# What takes long even in its quick size, and what the other tasks measure as well.
LEFT_OUT = ("tune",)


def measure(names):
    found = []
    for name in names:
        try:
            found.append(run.run_task(name, "quick"))
        except Exception as error:  # the next task has nothing to do with it
            run.say(f"  {name} failed: {type(error).__name__}: {error}")
    return results.ratios_of(found)


def fallen(ratios, committed):
    return {what: (committed[what], ratio) for what, ratio in ratios.items() if what in committed and ratio < FALLEN * committed[what]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", help="(default: all but the longest)")
    parser.add_argument("--keep", action="store_true", help="write the ratios for others to be compared with")
    options = parser.parse_args()
    committed = results.committed_ratios()
    ratios = measure(options.tasks or [name for name in tasks.names() if name not in LEFT_OUT])
    if options.keep:
        results.RATIOS.write_text(json.dumps(dict(sorted((committed | ratios).items())), indent=1) + "\n")
        run.say(f"wrote {results.RATIOS.name}")
        return
    suspects = sorted({what.split()[0] for what in fallen(ratios, committed)})
    for what, ratio in measure(suspects).items():
        ratios[what] = max(ratio, ratios.get(what, 0))
    losses = fallen(ratios, committed)
    lost = [what for what in committed if what not in ratios and (not options.tasks or what.split()[0] in options.tasks)]
    for what in lost:
        run.say(f"{what}: {committed[what]:.2f} times as fast before, not measured now")
    for what, (before, now) in losses.items():
        run.say(f"{what}: {before:.2f} times as fast before, {now:.2f} now")
    run.say(f"{len(losses)} of {len(ratios)} ratios fell by more than a fifth")
    if not committed:
        run.say(f"no {results.RATIOS.name} to compare with (--keep writes it)")
    sys.exit(1 if losses or lost or not committed else 0)


if __name__ == "__main__":
    main()
