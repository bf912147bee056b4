"""scikit-learn's classifiers as their users set them up for tables of numbers and words with gaps."""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler


def kinds(train):
    inputs = train.iloc[:, :-1]
    numbers = [name for name in inputs if pd.api.types.is_numeric_dtype(inputs[name]) and inputs[name].notna().any()]
    return numbers, [name for name in inputs if name not in numbers and inputs[name].notna().any()]


def arranged(answer, fitted, classes):
    probabilities = np.zeros((len(answer), len(classes)))
    probabilities[:, [classes.index(name) for name in fitted]] = np.nan_to_num(answer)
    return probabilities


def naive_bayes(train, test, classes):
    """GaussianNB of the numbers and CategoricalNB of the words, added; a gap is the mean, or a value of its own."""
    numbers, words = kinds(train)
    labels = train.iloc[:, -1]
    shares = np.log(labels.value_counts(normalize=True).sort_index().to_numpy())
    joint, fitted = shares.copy()[None, :], sorted(labels.unique())
    if numbers:
        imputer = SimpleImputer()
        model = GaussianNB().fit(imputer.fit_transform(train[numbers]), labels)
        joint = joint + model.predict_joint_log_proba(imputer.transform(test[numbers])) - shares
    if words:
        filled = train[words].astype("string").fillna("(missing)")
        encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        codes = encoder.fit_transform(filled)
        seen = encoder.transform(test[words].astype("string").fillna("(missing)"))
        sizes = codes.max(axis=0).astype(int) + 2
        model = CategoricalNB(min_categories=sizes).fit(codes, labels)
        joint = joint + model.predict_joint_log_proba(np.where(seen < 0, sizes - 1, seen)) - shares
    joint = joint - joint.max(axis=1, keepdims=True)
    answer = np.exp(joint)
    return arranged(answer / answer.sum(axis=1, keepdims=True), fitted, classes)


def columns(train, scale=True):
    numbers, words = kinds(train)
    scaled = make_pipeline(SimpleImputer(), StandardScaler()) if scale else SimpleImputer()
    return make_column_transformer((scaled, numbers), (make_pipeline(SimpleImputer(strategy="constant", fill_value="(missing)"),
                                                                      OneHotEncoder(handle_unknown="ignore", sparse_output=False)), words))


def piped(make):
    def work(train, test, classes):
        _, words = kinds(train)
        train, test = train.copy(), test.copy()
        for name in words:
            train[name], test[name] = (frame[name].astype(object).where(frame[name].notna(), "(missing)").astype(str) for frame in (train, test))
        model = make_pipeline(columns(train), make()).fit(train.iloc[:, :-1], train.iloc[:, -1])
        return arranged(model.predict_proba(test.iloc[:, :-1]), list(model.classes_), classes)
    return work


def boosting(train, test, classes):
    numbers, words = kinds(train)
    encoder = make_column_transformer((OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=250), words),
                                      ("passthrough", numbers))
    frames = [frame.assign(**{name: frame[name].astype("string").fillna("(missing)").astype(object) for name in words}) for frame in (train, test)]
    inputs = encoder.fit_transform(frames[0].iloc[:, :-1])
    model = HistGradientBoostingClassifier(categorical_features=list(range(len(words)))).fit(inputs, train.iloc[:, -1])
    return arranged(model.predict_proba(encoder.transform(frames[1].iloc[:, :-1])), list(model.classes_), classes)


def khiops(train, test, classes):
    """Khiops as it comes: supervised bins and groups, selection and weights of columns, and ten trees."""
    programs = str(Path(sys.executable).parent)  # Khiops looks for its own there
    if programs not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    from khiops.sklearn import KhiopsClassifier  # not everybody who measures has it

    numbers, words = kinds(train)
    frames = [frame[numbers].assign(**{name: frame[name].astype(object).where(frame[name].notna(), "") for name in words})
              for frame in (train, test)]
    model = KhiopsClassifier().fit(frames[0], train.iloc[:, -1])
    return arranged(model.predict_proba(frames[1]), [str(name) for name in model.classes_], classes)


PEERS = {
    "naive Bayes": naive_bayes,
    "LDA": piped(lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")),
    "QDA": piped(lambda: QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="auto")),
    "logistic": piped(lambda: LogisticRegression(max_iter=2000)),
    "boosting": boosting,
    "Khiops": khiops,
}
