"""Models of every family, and model files taken apart and put together again. docs/format.md"""
import json
import random
import struct
import subprocess
import zlib

WIDTH = {"F64": ("d", 8), "I64": ("q", 8), "I32": ("i", 4), "U16": ("H", 2), "U8": ("B", 1)}
MARK = b'"checksum":"crc32:'

# What follows the name of the model: the data and how they are read.
NUMBERS = ["numbers.csv", "--target", "y"]
FITS = {
    "categorical": ["words.csv", "--target", "y"],
    "declared": ["words.csv", "--target", "y", "--values", "w=red|blue|green|black", "--as", "v: ignore"],
    "shares": ["words.csv", "--target", "y", "--as", "v: ignore", "--p", "w=red:0.5|blue:0.25|green:0.25"],
    "prior": ["words.csv", "--target", "y", "--prior", "a=0.5,b=0.25,c=0.25", "--weights", "n"],
    "binary": ["words.csv", "--target", "y", "--as", "v: bernoulli", "--as", "w: ignore"],
    "bernoulli": ["bags.jsonl", "--target", "y", "--as", "s: bernoulli"],
    "multinomial": ["bags.jsonl", "--target", "y", "--as", "s: multinomial"],
    "complement": ["bags.jsonl", "--target", "y", "--as", "s: multinomial(complement)"],
    "poisson of a bag": ["bags.jsonl", "--target", "y", "--as", "s: poisson"],
    "poisson": [*NUMBERS, "--as", "k: poisson", "--as", "x, z: ignore"],
    "negative binomial": [*NUMBERS, "--as", "k: negative_binomial", "--as", "x, z: ignore"],
    "gaussian": [*NUMBERS, "--as", "k: ignore"],
    "gaussian, mle": [*NUMBERS, "--as", "k: ignore", "--estimate", "mle"],
    "columns": [*NUMBERS, "--as", "x, z, k: gaussian(diagonal, floor=1e-9)"],
    "full": [*NUMBERS, "--as", "x, z, k: gaussian(full)"],
    "tied": [*NUMBERS, "--as", "x, z, k: gaussian(tied)"],
    "shrunk": [*NUMBERS, "--as", "x, z, k: gaussian(shrunk)"],
    "histogram": [*NUMBERS, "--as", "x, z: histogram", "--as", "k: ignore"],
    "kernel": [*NUMBERS, "--as", "x, z: kernel", "--as", "k: ignore"],
    "mixture": [*NUMBERS, "--as", "x, z: mixture(2)", "--as", "k: ignore"],
    "text": ["texts.txt", "--format", "labelled"],
    "windows": ["words.csv", "--target", "y", "--window", "first"],
    "temperature": [*NUMBERS, "--calibrate", "temperature"],
    "platt": ["words.csv", "--target", "y", "--calibrate", "platt"],
    "isotonic": [*NUMBERS, "--calibrate", "isotonic"],
    "novelty": [*NUMBERS, "--novelty", "--as", "x, z: gaussian(full)"],
}
# What is done to a model after it is fitted.
THEN = {"windows": [["update", "words.csv", "--window", "second"], ["decay", "--factor", "0.3"], ["update", "words.csv"]]}


def make_tables(folder):
    draw = random.Random(14)
    words, numbers, bags, texts = ["w,v,y,n"], ["x,z,k,y"], [], []
    for row in range(60):
        y = "abc"[row % 3]
        words.append(f"{draw.choice(['red', 'blue', 'green'])},{draw.choice('01')},{y},{draw.randint(1, 5) / 4}")
        z = f"{draw.gauss(row % 3, 1):.3f}" if row % 7 else ""
        numbers.append(f"{draw.gauss(row % 3, 2):.3f},{z},{draw.randint(0, 9)},{y}")
        bags.append(json.dumps({"y": y, "s": {draw.choice("pqrst"): draw.randint(1, 3), "é": 1}}))
        texts.append(y + "\t" + " ".join(draw.choice(["red", "blue", "cat", "dog", "übung"]) for _ in range(6)))
    for name, lines in (("words.csv", words), ("numbers.csv", numbers), ("bags.jsonl", bags), ("texts.txt", texts)):
        (folder / name).write_text("\n".join(lines) + "\n")


def make_models(program, folder):
    """Path of the model file by what it is called, and the arguments that name data to predict."""
    make_tables(folder)
    models = {}
    for name, arguments in FITS.items():
        path = folder / f"{len(models)}.credence"
        subprocess.run([program, "fit", *arguments, "-q", "-o", str(path)], cwd=folder, check=True)
        for command, *rest in THEN.get(name, []):
            subprocess.run([program, command, str(path), *rest, "-q"], cwd=folder, check=True)
        data = arguments[:1] + (["--format", "labelled"] if arguments[0] == "texts.txt" else [])
        models[name] = (path, data)
    return models


class Parts:
    """A model file as its JSON and its arrays: name -> (dtype, shape, list of numbers)."""

    def __init__(self, data):
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + length])
        self.model = json.loads(header.pop("__metadata__")["model"])
        self.arrays = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            code, size = WIDTH[entry["dtype"]]
            raw = data[8 + length + begin:8 + length + end]
            self.arrays[name] = (entry["dtype"], entry["shape"], list(struct.unpack(f"<{len(raw) // size}{code}", raw)))

    def pack(self):
        header = {"__metadata__": {"format": "credence", "version": "1", "checksum": "crc32:00000000",
                                   "model": self.model if isinstance(self.model, str) else json.dumps(self.model)}}
        body = b""
        for name in sorted(self.arrays):
            dtype, shape, numbers = self.arrays[name]
            raw = struct.pack(f"<{len(numbers)}{WIDTH[dtype][0]}", *numbers)
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(raw)]}
            body += raw
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 8)
        return sealed(struct.pack("<Q", len(text)) + text + body)


def sealed(data):
    """The same bytes with their right checksum."""
    place = data.index(MARK) + len(MARK)
    blank = data[:place] + b"00000000" + data[place + 8:]
    return data[:place] + f"{zlib.crc32(blank):08x}".encode() + data[place + 8:]
