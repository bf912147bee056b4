# SPDX-License-Identifier: Apache-2.0
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import credence
from credence import BayesClassifier

X, Y = load_iris(return_X_y=True)
TENNIS = "PlayTennis"


@pytest.fixture
def tennis(examples):
    return pd.read_csv(examples / "tennis.csv")


def bytes_of(model):
    return model.to_model().state


def test_maximum_likelihood_agrees_with_gaussian_nb_without_its_smoothing():
    ours = BayesClassifier(rule="mle").fit(X, Y)
    theirs = GaussianNB(var_smoothing=0).fit(X, Y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X),
                               rtol=1e-11)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_the_joint_the_posterior_and_the_evidence_fit_together():
    model = BayesClassifier().fit(X, Y)
    joint, evidence = model.predict_joint_log_proba(X), model.score_samples(X)
    np.testing.assert_allclose(np.exp(joint).sum(axis=1), np.exp(evidence), rtol=1e-12)
    np.testing.assert_allclose(joint - evidence[:, None], model.predict_log_proba(X), rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-9)


def test_the_command_line_predicts_the_same(tennis, command_line, tmp_path, examples):
    model = BayesClassifier().fit(tennis, TENNIS)
    model.save(tmp_path / "t.credence")
    out = command_line("predict", "t.credence", examples / "tennis.csv", "--proba", "--evidence")
    lines = [line.split(",") for line in out.splitlines()[1:]]
    assert [line[0] for line in lines] == list(model.predict(tennis))
    np.testing.assert_array_equal(np.array([line[1:3] for line in lines], float),
                                  model.predict_proba(tennis))
    np.testing.assert_array_equal([float(line[3]) for line in lines], model.score_samples(tennis))


def test_classes_keep_their_type_and_order():
    for y, dtype in ((Y, np.integer), (Y + 8, np.integer), (Y.astype(str), np.str_),
                     (Y > 0, np.bool_)):
        model = BayesClassifier().fit(X, y)
        assert list(model.classes_) == sorted(set(y.tolist()))  # 8, 9, 10 and not "10", "8", "9"
        assert np.issubdtype(model.predict(X).dtype, dtype)
        assert model.score(X, y) > 0.9


def test_a_column_of_classes_keeps_its_type_in_any_frame():
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=Y + 8)
    for form in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        model = BayesClassifier().fit(form, "y")
        assert model.classes_.tolist() == [8, 9, 10]
        assert model.score(form, "y") == model.score(frame[list("abcd")], Y + 8)


def test_frames_that_lack_the_class_are_predicted_as_those_that_have_it(tennis):
    model = BayesClassifier().fit(tennis, TENNIS)
    rest = tennis.drop(columns=TENNIS)
    np.testing.assert_array_equal(model.predict_proba(tennis), model.predict_proba(rest))
    assert "PlayTennis" not in model.feature_names_in_


def test_learning_in_parts_gives_the_same_bytes_as_learning_at_once(tennis):
    whole = BayesClassifier().fit(tennis, TENNIS)
    parts = BayesClassifier().partial_fit(tennis[:5], TENNIS)
    parts.partial_fit(tennis[5:], TENNIS)
    assert bytes_of(parts) == bytes_of(whole)


def test_classes_may_come_late():
    model = BayesClassifier().partial_fit(X[:50], Y[:50], classes=[0, 1])
    assert model.predict_proba(X).shape == (150, 2)
    assert (model.predict_proba(X)[:, 1] == 0).all()
    model.partial_fit(X[50:], Y[50:])
    assert model.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(model.predict_proba(X), BayesClassifier().fit(X, Y).predict_proba(X),
                               atol=1e-12)


def test_forgetting_rows_is_never_having_learned_them(tennis):
    model = BayesClassifier().fit(tennis, TENNIS).forget(tennis[10:], TENNIS)
    rest = BayesClassifier().fit(tennis[:10], TENNIS)
    assert bytes_of(model) == bytes_of(rest)


def test_forgetting_what_was_not_learned_is_refused_and_changes_nothing(tennis):
    model = BayesClassifier().fit(tennis[:10], TENNIS)
    before = bytes_of(model)
    with pytest.raises(ValueError, match="cannot forget what was not observed"):
        model.forget(tennis.assign(PlayTennis="Maybe"), TENNIS)
    assert bytes_of(model) == before
    assert model.predict_proba(tennis).shape == (14, 2)


def test_merging_two_models_is_learning_from_both(tennis):
    model = BayesClassifier().fit(tennis[:6], TENNIS)
    model.merge(BayesClassifier().fit(tennis[6:], TENNIS))
    assert bytes_of(model) == bytes_of(BayesClassifier().fit(tennis, TENNIS))
    with pytest.raises(ValueError, match="do not fit together"):
        model.merge(BayesClassifier().fit(X, Y))


def test_adapting_takes_over_the_shares_of_new_rows():
    rows = np.concatenate([np.flatnonzero(Y == 0), np.flatnonzero(Y == 2)[:10]])
    model = BayesClassifier().fit(X, Y).adapt(X[rows])
    np.testing.assert_allclose(model.prior_, [5 / 6, 0, 1 / 6], atol=0.02)


def test_cross_validation_by_subtraction_is_that_of_refitting(command_line, examples):
    model = BayesClassifier(rule="mle")
    found = model.cross_validate(X, Y, leave_one_out=True)
    refitted = [model.fit(np.delete(X, i, 0), np.delete(Y, i)).score(X[i:i + 1], Y[i:i + 1])
                for i in range(len(Y))]
    assert found.accuracy == pytest.approx(np.mean(refitted))
    assert found.confusion.sum() == 150
    ten = BayesClassifier().cross_validate(X, Y, folds=10)
    assert len(ten.fold_accuracy) == 10 and ten.accuracy > 0.9
    assert ten.classes.tolist() == [0, 1, 2]


def test_explanations_sum_to_the_log_odds(tennis):
    model = BayesClassifier().fit(tennis, TENNIS)
    for reasons, row in zip(model.explain(tennis), model.predict_proba(tennis)):
        assert sum(line.weight for line in reasons.lines) == pytest.approx(reasons.log_odds)
        assert reasons.log_odds == pytest.approx(np.log(row.max() / row.min()))
        assert reasons.winner == model.classes_[row.argmax()]
    assert "log-odds" in str(reasons) and "<table>" in reasons._repr_html_()


def test_explaining_against_a_class_names_that_class():
    model = BayesClassifier().fit(X, Y)
    assert {reasons.other for reasons in model.explain(X[:50], against=2)} == {2}
    with pytest.raises(ValueError, match="no class 7"):
        model.explain(X, against=7)


def test_samples_look_like_what_was_learned(tennis):
    rows, labels = BayesClassifier().fit(X, Y).sample(4000, random_state=3)
    assert rows.shape == (4000, 4)
    np.testing.assert_allclose(rows[labels == 0].mean(axis=0), X[:50].mean(axis=0), atol=0.1)
    frame, _ = BayesClassifier().fit(tennis, TENNIS).sample(5)
    assert list(frame.columns) == list(tennis.columns[:-1])
    counts = sparse.csr_array(np.eye(6) * 4)
    drawn, _ = BayesClassifier().fit(counts, [0, 1] * 3).sample(3)
    assert drawn.shape == (3, 6) and sparse.issparse(drawn)
    texts, _ = BayesClassifier().fit(["a b", "c d"], [0, 1]).sample(3)
    assert all(isinstance(text, str) for text in texts)


def test_a_model_survives_file_and_pickle(tmp_path):
    model = BayesClassifier(prior="uniform").fit(X, Y)
    model.save(tmp_path / "m.credence")
    for other in (BayesClassifier.load(tmp_path / "m.credence", labels=int),
                  pickle.loads(pickle.dumps(model))):
        assert bytes_of(other) == bytes_of(model)
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
    assert BayesClassifier.load(tmp_path / "m.credence").classes_.tolist() == ["0", "1", "2"]


def test_a_loaded_model_reads_frames_by_name(tmp_path, tennis):
    rows = tennis.assign(id=[f"{i:04}" for i in range(14)])
    model = BayesClassifier(blocks={"id": "ignore"}).fit(rows, TENNIS)
    model.save(tmp_path / "t.credence")
    loaded = BayesClassifier.load(tmp_path / "t.credence")
    expected = model.predict_proba(rows)
    for form in (rows, tennis[tennis.columns[::-1]], tennis[tennis.columns[:-1]].to_numpy()):
        np.testing.assert_array_equal(loaded.predict_proba(form), expected)
    with pytest.raises(ValueError, match="expecting 4 features"):
        loaded.predict([[1, 2]])


def test_a_loaded_model_of_one_text_or_bag_takes_lists_and_matrices(tmp_path):
    mails = pd.DataFrame({"body": ["buy cheap pills", "lunch at noon", "cheap watches"] * 3,
                          "kind": ["spam", "ham", "spam"] * 3})
    model = BayesClassifier(blocks={"body": "text"}).fit(mails, "kind")
    model.save(tmp_path / "m.credence")
    loaded = BayesClassifier.load(tmp_path / "m.credence")
    assert loaded.predict(["cheap lunch pills", "at noon"]).tolist() == ["spam", "ham"]
    counts = sparse.csr_array([[3, 0], [1, 1], [0, 2], [0, 1]])
    BayesClassifier().fit(counts, [0, 0, 1, 1]).save(tmp_path / "m.credence")
    loaded = BayesClassifier.load(tmp_path / "m.credence", labels=int)
    assert loaded.predict(counts).tolist() == loaded.predict(counts.toarray()).tolist() == [0, 0, 1, 1]


def test_no_label_is_given_below_the_probability_asked_for():
    model = BayesClassifier(reject=0.99).fit(X, Y)
    sure = model.predict_proba(X).max(axis=1) >= 0.99
    found = model.predict(X)
    assert 0 < sure.sum() < 150
    np.testing.assert_array_equal(found == None, ~sure)  # noqa: E711
    assert model.score(X, Y) == (found == Y).mean()


def test_costs_turn_decisions_to_the_cheaper_mistake(tmp_path):
    y = np.where(Y == 1, "good", "bad")
    costs = {"good": {"good": 0, "bad": 1}, "bad": {"good": 20, "bad": 0}}
    plain, careful = BayesClassifier().fit(X, y), BayesClassifier(costs=costs).fit(X, y)
    share = plain.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(careful.predict(X) == "good", share > 20 / 21)
    in_order = careful.set_params(costs=[[0, 20], [1, 0]]).predict(X)
    (tmp_path / "costs.csv").write_text("truth,good,bad\ngood,0,1\nbad,20,0\n")
    in_file = careful.set_params(costs=tmp_path / "costs.csv").predict(X)
    np.testing.assert_array_equal(in_order, in_file)
    np.testing.assert_array_equal(in_order == "good", share > 20 / 21)


def test_a_fit_that_fails_leaves_the_model_as_it_was(tennis):
    model = BayesClassifier().fit(tennis, TENNIS)
    before = model.predict_proba(tennis)
    for rows, parameters in ((X, {"prior": {0: 1}}), (np.full((150, 2), np.inf), {})):
        with pytest.raises(ValueError):
            model.set_params(**parameters).fit(rows, Y)
        np.testing.assert_array_equal(model.predict_proba(tennis), before)


def test_a_prior_may_be_given_by_class_or_in_order():
    by_class = BayesClassifier(prior={0: 0.2, 1: 0.5, 2: 0.3}).fit(X, Y)
    in_order = BayesClassifier(prior=[0.2, 0.5, 0.3]).fit(X, Y)
    assert bytes_of(by_class) == bytes_of(in_order)
    with pytest.raises(ValueError, match='no probability for class "2"'):
        BayesClassifier(prior={0: 0.5, 1: 0.5}).fit(X, Y)


def test_weights_count_rows_several_times(tennis):
    weights = np.arange(14) % 3 + 1
    weighted = BayesClassifier().fit(tennis, TENNIS, sample_weight=weights)
    in_column = BayesClassifier().fit(tennis.assign(w=weights), TENNIS, sample_weight="w")
    repeated = BayesClassifier().fit(tennis.loc[tennis.index.repeat(weights)], TENNIS)
    for model in (weighted, in_column):
        np.testing.assert_allclose(model.predict_proba(tennis), repeated.predict_proba(tennis))


def test_files_are_learned_and_predicted_without_loading_them(examples, tennis):
    rows = credence.read(examples / "tennis.csv")
    model = BayesClassifier().fit(rows, TENNIS)
    frame = BayesClassifier().fit(tennis, TENNIS)
    assert bytes_of(model) == bytes_of(frame)
    np.testing.assert_array_equal(model.predict_proba(rows), frame.predict_proba(tennis))
    assert model.score(rows, TENNIS) == frame.score(tennis, TENNIS)
    assert bytes_of(model.partial_fit(rows, TENNIS).forget(rows, TENNIS)) == bytes_of(frame)


def test_a_stream_made_by_python_may_be_learned_on_many_threads(people):
    table = pa.Table.from_pandas(people)
    made = pa.RecordBatchReader.from_batches(table.schema, iter(table.to_batches(max_chunksize=99)))
    assert bytes_of(BayesClassifier(threads=3).fit(made, "kind")) == bytes_of(
        BayesClassifier().fit(table, "kind"))


def test_it_works_in_a_pipeline_and_in_cross_val_score():
    assert cross_val_score(make_pipeline(StandardScaler(), BayesClassifier(model="lda")), X, Y).mean() > 0.95
    assert cross_val_score(LogisticRegression(max_iter=500), X, Y).mean() > 0.95


def test_a_page_shows_classes_and_blocks():
    page = BayesClassifier(model="qda").fit(X, Y.astype(str))._repr_html_()
    assert "gaussian(full)" in page and "<td>2</td><td>50</td>" in page


def test_a_model_displays_itself_with_its_parameters(tennis):
    model = BayesClassifier(rule="mle").fit(tennis, TENNIS).to_model()
    page = model._repr_html_()
    assert "<b>Model</b>: 14 rows" in page and "<td>Yes</td><td>9</td>" in page
    assert "<summary>Outlook: categorical</summary>" in page
    assert "<th></th><th>No</th><th>Yes</th>" in page and "<tr><th>Overcast</th><td>0</td><td>0.4444</td></tr>" in page
    mails = BayesClassifier().fit(["win <b>money", "see you at lunch"] * 3, ["spam", "ham"] * 3)
    assert "money" in mails._repr_html_() and "<b>money" not in mails._repr_html_()


def test_a_model_shows_its_tables(tennis):
    model = BayesClassifier(rule="mle").fit(tennis, TENNIS).to_model()
    assert model.classes == ["No", "Yes"] and model.rows == 14
    outlook = model.tables()[0]
    assert outlook.rows["Overcast"] == pytest.approx([0, 4 / 9])


def test_nothing_answers_before_it_has_learned():
    for method in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba",
                   "score_samples", "explain", "adapt"):
        with pytest.raises(NotFittedError):
            getattr(BayesClassifier(), method)(X)
    for method in ("sample", "to_model"):
        with pytest.raises(NotFittedError):
            getattr(BayesClassifier(), method)()


def test_the_command_line_comes_with_the_package():
    program = Path(sys.executable).parent / "credence"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"credence {credence.__version__}\n"
