"""20 Newsgroups by date: 15 labelled documents a class, and 10,000 whose class is not looked at.

For five seeds, 15 documents of every class are drawn from the training part, and 10,000 of the others become one folder
without classes. The same command learns with and without that folder, and the accuracy on the whole test part is
compared. Nigam, McCallum, Thrun & Mitchell (2000) report about 52 % and 66 % for 300 labelled documents of another split
of the same posts.

    python bench/semi.py [FOLDER]    FOLDER holds 20news-bydate-train and -test (default: unpacked from the data)
"""

import random
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from common import DATA, PROGRAM, credence_json

ARCHIVE = DATA / "text" / "20news-bydate.tar.gz"
PER_CLASS, UNLABELLED, SEEDS = 15, 10000, range(1, 6)
MULTINOMIAL = ["--as", "text: text(multinomial)"]


def deal(train, folder, seed):
    """A folder with 15 documents of every class, and one of 10,000 others, as links."""
    draw = random.Random(seed)
    labelled, unlabelled = folder / "labelled", folder / "unlabelled"
    unlabelled.mkdir(parents=True)
    rest = []
    for group in sorted(train.iterdir()):
        documents = sorted(group.iterdir())
        draw.shuffle(documents)
        (labelled / group.name).mkdir(parents=True)
        for document in documents[:PER_CLASS]:
            (labelled / group.name / document.name).symlink_to(document)
        rest += documents[PER_CLASS:]
    draw.shuffle(rest)
    for number, document in enumerate(rest[:UNLABELLED]):
        (unlabelled / f"{number:05}").symlink_to(document)
    return labelled, unlabelled


def learnt(labelled, options, test, folder):
    """Accuracy, seconds and steps."""
    model = folder / "model.credence"
    start = time.perf_counter()
    done = subprocess.run([PROGRAM, "fit", labelled, *map(str, options), "-o", model], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(done.stderr)
    steps = len(re.findall(r"^step \d+:", done.stderr, re.M))
    return credence_json("evaluate", model, test)["accuracy"], seconds, steps


def line(name, cells):
    default, alone, both, gain, steps, seconds = cells
    return f"| {name} | {default:.1f} % | {alone:.1f} % | {both:.1f} % | {gain:.1f} | {steps:.0f} | {seconds:.0f} |"


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        root = Path(sys.argv[1]) if len(sys.argv) > 1 else folder
        if len(sys.argv) < 2:
            if not ARCHIVE.exists():
                sys.exit(f"{ARCHIVE}: no such file")
            with tarfile.open(ARCHIVE) as archive:
                archive.extractall(folder, filter="data")
        train, test = root / "20news-bydate-train", root / "20news-bydate-test"
        dealt = [deal(train, folder / str(seed), seed) for seed in SEEDS]
        print("| seed | text, 300 labels | text(multinomial), 300 labels | and 10,000 without | gain | steps | seconds |")
        print("|---|---|---|---|---|---|---|")
        table = []
        for seed, (labelled, unlabelled) in zip(SEEDS, dealt):
            default = learnt(labelled, [], test, folder)
            alone = learnt(labelled, MULTINOMIAL, test, folder)
            both = learnt(labelled, [*MULTINOMIAL, "--unlabelled", unlabelled], test, folder)
            table.append([100 * default[0], 100 * alone[0], 100 * both[0], 100 * (both[0] - alone[0]), both[2], both[1]])
            print(line(seed, table[-1]), flush=True)
        print(line("mean", [statistics.mean(column) for column in zip(*table)]))


if __name__ == "__main__":
    main()
