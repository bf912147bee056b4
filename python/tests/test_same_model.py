# SPDX-License-Identifier: Apache-2.0
"""The same data in any form give the same model file, bit for bit."""
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import credence
from credence import BayesClassifier


def model_bytes(X, y, **parameters):
    return BayesClassifier(**parameters).fit(X, y).to_model().to_bytes()


@pytest.fixture(scope="module")
def reference(people, tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "people.csv"
    people.to_csv(path, index=False)
    return model_bytes(credence.read(path), "kind")


FORMS = {
    "pandas": lambda frame: frame,
    "pandas_with_nullable_types": lambda frame: frame.convert_dtypes(),
    "pandas_backed_by_arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas_of_objects": lambda frame: frame.astype(object),
    "polars": pl.from_pandas,
    "pyarrow": pa.Table.from_pandas,
    "pyarrow_in_small_batches": lambda frame: pa.Table.from_batches(
        pa.Table.from_pandas(frame).to_batches(max_chunksize=777)),
    "a_slice_of_pyarrow": lambda frame: pa.concat_tables(
        [pa.Table.from_pandas(frame.head(5)), pa.Table.from_pandas(frame)]).combine_chunks().slice(5),
    "a_stream_of_batches": lambda frame: pa.Table.from_pandas(frame).to_reader(max_chunksize=1000),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_frame_of_any_kind_gives_the_model_of_its_csv_file(people, reference, form):
    assert model_bytes(FORMS[form](people), "kind") == reference


def test_classes_apart_give_the_model_of_classes_in_a_column(people, reference):
    assert model_bytes(people.drop(columns="kind"), people["kind"]) == reference


def test_the_command_line_writes_the_same_file(people, reference, command_line, tmp_path):
    people.to_csv(tmp_path / "people.csv", index=False)
    command_line("fit", "people.csv", "--target", "kind", "-o", "m.credence", "--quiet")
    assert (tmp_path / "m.credence").read_bytes() == reference


def test_blocks_say_what_as_says(people, command_line, tmp_path):
    people.to_csv(tmp_path / "people.csv", index=False)
    command_line("fit", "people.csv", "--target", "kind", "-o", "m.credence", "--quiet",
                 "--as", "age, income: gaussian(full)", "--as", "note: text",
                 "--as", "flag: categorical", "--as", "member: bernoulli", "--model", "lda")
    found = model_bytes(people, "kind", model="lda", blocks={
        "age, income": "gaussian(full)", "note": "text", "flag": "categorical",
        "member": "bernoulli"})
    assert found == (tmp_path / "m.credence").read_bytes()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int16, np.float32])
def test_an_array_gives_the_model_of_its_csv_file(order, dtype, tmp_path):
    rng = np.random.default_rng(2)
    X = np.asarray(rng.integers(-50, 50, (9000, 5)), dtype=dtype, order=order)
    y = rng.integers(0, 3, 9000)
    pd.DataFrame(X, columns=[f"x{i}" for i in range(5)]).assign(**{"class": y}).to_csv(
        tmp_path / "x.csv", index=False)
    assert model_bytes(X, y) == model_bytes(credence.read(tmp_path / "x.csv"), "class")
    assert model_bytes(X[::-1][::-1], y) == model_bytes(X, y)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_a_sparse_matrix_gives_the_model_of_its_libsvm_file(index, container, tmp_path):
    rng = np.random.default_rng(3)
    X = container(sparse.random_array((500, 40), density=0.1, rng=rng,
                                      data_sampler=lambda size: rng.integers(1, 5, size)))
    y = rng.integers(0, 2, 500)
    rows = sparse.csr_array(X)
    rows.sort_indices()
    with open(tmp_path / "x.svm", "w") as file:
        for r in range(500):
            entries = range(rows.indptr[r], rows.indptr[r + 1])
            items = [f"{rows.indices[i]}:{rows.data[i]:g}" for i in entries]
            print(y[r], *items, file=file)
    rows = sparse.csr_array((rows.data, rows.indices.astype(index), rows.indptr.astype(index)),
                            shape=rows.shape)
    y = pd.Series(y, name="label")
    expected = model_bytes(credence.read(tmp_path / "x.svm"), "label")
    assert model_bytes(rows, y) == expected
    assert model_bytes(X, y) == expected


def test_a_list_of_texts_gives_the_model_of_a_labelled_file(tmp_path):
    texts = ["win money now", "lunch at noon?", "free money", "see you at lunch", "money money"] * 9
    labels = ["spam", "ham", "spam", "ham", "spam"] * 9
    lines = [f"{label}\t{text}\n" for label, text in zip(labels, texts)]
    (tmp_path / "sms").write_text("".join(lines))
    expected = model_bytes(credence.read(tmp_path / "sms", format="labelled"), "label")
    y = pd.Series(labels, name="label")
    for X in (texts, np.array(texts), np.array(texts, dtype=object), pd.Series(texts)):
        assert model_bytes(X, y) == expected


def test_the_number_of_threads_changes_nothing(people):
    table = pa.Table.from_pandas(people)
    assert model_bytes(table, "kind", threads=1) == model_bytes(table, "kind", threads=4)


@pytest.mark.parametrize("form", ["pandas", "pandas_of_objects", "pandas_backed_by_arrow", "polars",
                                  "pyarrow"])
def test_numbers_that_are_categories_are_the_words_of_a_csv_file(form, tmp_path):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({
        "real": rng.choice([1.0, 2.5, 1e16, 1e-5, -0.0, 123456789.25, 1e22, 0.1], 400),
        "whole": rng.choice([-3, 5, 10**15], 400),
        "byte": rng.choice([1, 200], 400).astype(np.uint8),
        "kind": rng.choice(["a", "b"], 400),
    })
    frame.to_csv(tmp_path / "x.csv", index=False)
    blocks = {"real, whole, byte": "categorical"}
    expected = model_bytes(credence.read(tmp_path / "x.csv"), "kind", blocks=blocks)
    assert model_bytes(FORMS[form](frame), "kind", blocks=blocks) == expected
