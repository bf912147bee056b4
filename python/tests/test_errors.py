# SPDX-License-Identifier: Apache-2.0
"""One line that names place, value and way out, as an exception of Python's own kinds."""
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

import credence
from credence import BayesClassifier, Model

FRAME = pd.DataFrame({"age": [30.0, 40, 50, 60], "color": ["red", "blue", "red", "blue"],
                      "kind": ["a", "a", "b", "b"]})


def one_line(info):
    text = str(info.value)
    assert text and "\n" not in text
    return text


def test_a_misspelt_column_is_named_with_the_nearest_one():
    with pytest.raises(ValueError) as info:
        BayesClassifier(blocks={"agee": "gaussian"}).fit(FRAME, "kind")
    assert one_line(info) == 'blocks: no column "agee" (did you mean "age"?)'


def test_a_misspelt_family_is_named_with_the_nearest_one():
    with pytest.raises(ValueError) as info:
        BayesClassifier(blocks={"age": "gausian"}).fit(FRAME, "kind")
    assert 'did you mean "gaussian"?' in one_line(info)


def test_a_way_out_is_named_by_the_parameters_of_python():
    def message(action):
        with pytest.raises(ValueError) as info:
            action()
        text = one_line(info)
        assert "--" not in text and "`" not in text and text.isprintable()
        return text

    flat = FRAME.assign(age=2.0)
    assert 'use rule="bayes", or blocks={"age": "categorical"}' in message(
        lambda: BayesClassifier(rule="mle").fit(flat, "kind"))
    assert 'use blocks={"age": "gaussian"} in fit' in message(
        lambda: BayesClassifier(blocks={"age": "poisson"}).fit(FRAME.assign(age=[1, 2, 3, -4]), "kind"))
    assert message(lambda: BayesClassifier(values={"color": ["red", "red"]}).fit(FRAME, "kind")).startswith(
        'values={"color": ["red", "red"]}: "red" stands twice')
    assert message(lambda: BayesClassifier(blocks={"age": "gausian"}).fit(FRAME, "kind")).startswith(
        'blocks={"age": "gausian"}: no family "gausian"')
    assert "(add it to values or shares)" in message(
        lambda: BayesClassifier(values={"color": ["red"]}).fit(FRAME, "kind"))
    assert "(is y right?)" in message(lambda: BayesClassifier().cross_validate(FRAME[:2], "kind", folds=2))
    assert message(lambda: BayesClassifier().cross_validate(FRAME, "kind", folds=9)).startswith("folds=9: ")
    model = BayesClassifier().fit(FRAME, "kind")
    assert "(calibrate(…, novelty=True))" in message(lambda: model.novelty(FRAME[["age", "color"]]))
    assert "for other rows use held_out=True" in message(lambda: model.calibrate(FRAME[:3], "kind"))
    assert message(lambda: model.tune(FRAME, "kind", tries=["rule"])).startswith('tries=["rule"]: write')


def test_a_rule_that_is_no_text_is_named():
    with pytest.raises(TypeError) as info:
        BayesClassifier(rule=1).fit(FRAME, "kind")
    assert one_line(info) == "rule: a text such as 'laplace=1', not 1"


def test_a_row_without_a_class_is_named():
    with pytest.raises(ValueError) as info:
        BayesClassifier().fit(FRAME[["age"]], ["a", None, "b", "a"])
    assert one_line(info) == "y[1] is None: every row needs a class (leave the others out)"


def test_why_a_candidate_of_tune_failed_is_said_by_the_parameters_of_python():
    rows = pd.concat([FRAME.assign(age=2.0)] * 3, ignore_index=True)
    tuning = BayesClassifier().tune(rows, "kind", tries=["rule: bayes | mle"], folds=2)
    assert 'use rule="bayes"' in tuning.candidates[1]["failure"]


def test_an_infinite_number_is_refused_with_its_place():
    rows = FRAME.assign(age=[1.0, 2, np.inf, 4])
    for form in (rows, pa.Table.from_pandas(rows)):
        with pytest.raises(ValueError) as info:
            BayesClassifier().fit(form, "kind")
        assert one_line(info).startswith('X[2]: column "age": "inf" is not a finite number')


def test_a_count_below_zero_is_refused_with_its_place():
    with pytest.raises(ValueError) as info:
        BayesClassifier(blocks={"age": "poisson"}).fit(FRAME.assign(age=[1, 2, 3, -4]), "kind")
    assert one_line(info).startswith('X[3]: column "age": "-4" is not a count: it is below 0')
    with pytest.raises(ValueError) as info:
        BayesClassifier().fit(sparse.csr_array([[1.0, 0], [0, -2.0]]), [0, 1])
    assert one_line(info) == 'X[1]: column "features": the count -2 of "1" is below 0'


def test_a_type_that_cannot_be_learned_from_is_a_type_error_with_a_way_out():
    dates = FRAME.assign(day=pd.Timestamp("2024-02-29"))
    for form in (dates, pa.Table.from_pandas(dates)):
        with pytest.raises(TypeError) as info:
            BayesClassifier().fit(form, "kind")
        assert 'blocks={"day": "ignore"}' in one_line(info)
        model = BayesClassifier(blocks={"day": "ignore"}).fit(form, "kind")
        assert model.score(form, "kind") == 1
    with pytest.raises(TypeError):
        BayesClassifier().fit(np.array([["2024-02-29"]] * 4, dtype="M8[D]"), FRAME["kind"])


def test_rows_and_classes_must_be_equally_many():
    with pytest.raises(ValueError, match="4, 3"):
        BayesClassifier().fit(FRAME[["age"]], FRAME["kind"][:3])
    with pytest.raises(ValueError) as info:
        BayesClassifier().fit(pa.table(FRAME[["age"]]), FRAME["kind"][:3])
    assert one_line(info) == "X has 4 rows, but there are 3 classes"


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    for action in (lambda: Model.load(tmp_path / "m.credence"),
                   lambda: BayesClassifier().fit(credence.read(tmp_path / "x.csv"), "kind")):
        with pytest.raises(FileNotFoundError) as info:
            action()
        assert str(tmp_path) in one_line(info)
    with pytest.raises(OSError) as info:
        BayesClassifier().fit(FRAME, "kind").save(tmp_path / "no" / "m.credence")
    assert str(tmp_path) in one_line(info)


def test_damaged_bytes_are_a_value_error():
    data = BayesClassifier().fit(FRAME, "kind").to_model().to_bytes()
    for damaged in (b"", data[:20], data[:-1], data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
                    b"no model"):
        with pytest.raises(ValueError):
            Model.from_bytes(damaged)


def test_a_pickle_whose_model_is_cut_short_is_a_value_error():
    model = BayesClassifier().fit(FRAME, "kind")
    data = model.to_model().to_bytes()
    pickled = pickle.dumps(model, protocol=0)
    state = model._learned.__getstate__()
    assert state["model"] == data and pickle.loads(pickled).score(FRAME, "kind") == 1
    with pytest.raises(ValueError, match="pickle"):
        model._learned.__setstate__({**state, "model": data[: len(data) // 2]})


def test_a_sparse_matrix_whose_entries_lie_outside_is_refused():
    rows = sparse.csr_array(np.eye(4))
    rows.indices[2] = 9
    with pytest.raises(ValueError, match="entry in column 9"):
        BayesClassifier().fit(rows, FRAME["kind"])


def test_a_code_beyond_its_dictionary_is_refused():
    codes = pa.array([0, 1, 7, 0], pa.int8())
    buffers = codes.buffers()
    bad = pa.DictionaryArray.from_buffers(
        pa.dictionary(pa.int8(), pa.string()), 4, buffers, pa.array(["x", "y"]))
    with pytest.raises(ValueError, match="beyond the 2 words"):
        BayesClassifier().fit(pa.table({"word": bad, "kind": FRAME["kind"]}), "kind")


def test_a_stream_is_read_once():
    reader = pa.Table.from_pandas(FRAME).to_reader()
    model = BayesClassifier().fit(reader, "kind")
    with pytest.raises(ValueError):
        model.fit(reader, "kind")


def test_other_columns_than_those_learned_are_refused():
    model = BayesClassifier().fit(FRAME, "kind")
    with pytest.raises(ValueError, match="yet now missing:\n- color"):
        model.predict(FRAME[["age"]])
    with pytest.raises(ValueError, match="same order"):
        model.predict(FRAME[["color", "age"]])
    with pytest.raises(TypeError, match="sparse"):
        BayesClassifier().fit([[1.0], [2], [3], [4]], FRAME["kind"]).predict(sparse.eye_array(1))


def test_parameters_of_the_wrong_type_or_name_are_refused():
    for parameters, kind in (({"blocks": ["age: gaussian"]}, TypeError),
                             ({"values": "small"}, TypeError), ({"unseen": "drop"}, ValueError),
                             ({"model": "ldaa"}, ValueError), ({"rule": "bays"}, ValueError),
                             ({"prior": "even"}, ValueError)):
        with pytest.raises(kind) as info:
            BayesClassifier(**parameters).fit(FRAME, "kind")
        one_line(info)
