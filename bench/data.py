"""What the tasks generate: matrices, tables and the messages of 20 Newsgroups."""

import tarfile

import numpy as np

from common import DATA

NEWSGROUPS = DATA / "text" / "20news-bydate.tar.gz"


def numbers(rows, columns=50, classes=10):
    random = np.random.default_rng(1)
    y = random.integers(0, classes, rows)
    X = random.normal(size=(rows, columns))
    X += 0.4 * random.normal(size=(classes, columns))[y]
    return X, y


def categories(rows, columns=20, classes=10, values=8):
    random = np.random.default_rng(2)
    y = random.integers(0, classes, rows)
    shares = random.dirichlet(np.full(values, 2.0), (columns, classes)).cumsum(axis=2)
    draws = random.random((rows, columns))
    codes = [(draws[:, [i]] > shares[i, y]).sum(axis=1).clip(0, values - 1) for i in range(columns)]
    return np.column_stack(codes), y


def save(folder, X, y):
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)


def bytes_of_matrix(folder):
    """Of a matrix, as it lies in memory."""
    import scipy.sparse

    if (folder / "X.npy").exists():
        return np.load(folder / "X.npy", mmap_mode="r").nbytes
    X = scipy.sparse.load_npz(folder / "X.npz")
    return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes


def newsgroups(folder, messages):
    """The first messages of every group, as files in folder/train and folder/test."""
    if not NEWSGROUPS.exists():
        raise FileNotFoundError(f"{NEWSGROUPS} is absent: bench/README.md says where it comes from")
    taken = {}
    with tarfile.open(NEWSGROUPS) as archive:
        for member in archive:
            part, *place = member.name.removeprefix("./").split("/")
            if not member.isfile() or len(place) != 2:
                continue
            group = part.removeprefix("20news-bydate-"), place[0]
            taken[group] = taken.get(group, 0) + 1
            if taken[group] > max(1, messages // 20):
                continue
            path = folder.joinpath(*group, place[1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.extractfile(member).read())


def newsgroup_counts(folder, messages):
    """The words of the messages to learn, counted by CountVectorizer."""
    import scipy.sparse
    from sklearn.datasets import load_files
    from sklearn.feature_extraction.text import CountVectorizer

    newsgroups(folder, messages)
    found = load_files(folder / "train", encoding="latin-1", shuffle=False)
    scipy.sparse.save_npz(folder / "X.npz", CountVectorizer().fit_transform(found.data).astype(np.float64))
    np.save(folder / "y.npy", np.array(found.target_names)[found.target])


def bytes_below(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
