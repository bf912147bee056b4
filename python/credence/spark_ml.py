# SPDX-License-Identifier: Apache-2.0
"""An Estimator and a Model for the pipelines of pyspark.ml (extra `[spark]`).

>>> from pyspark.ml import Pipeline                                                     # doctest: +SKIP
>>> from credence.spark_ml import CredenceClassifier                                    # doctest: +SKIP
>>> Pipeline(stages=[CredenceClassifier(target="y")]).fit(frame).transform(frame)       # doctest: +SKIP
"""
from __future__ import annotations

import json
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator
from pyspark.ml import Model as SparkModel
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

from credence import spark
from credence._model import Model


class _Settings(Params):  # type: ignore[misc]
    target: Any = Param(Params._dummy(), "target", "the column of the class", TypeConverters.toString)
    weights: Any = Param(Params._dummy(), "weights", "the column of weights; empty: none", TypeConverters.toString)
    settings: Any = Param(Params._dummy(), "settings", "parameters of BayesClassifier as JSON", TypeConverters.toString)
    explain: Any = Param(Params._dummy(), "explain", "whether there is a column of reasons", TypeConverters.toBoolean)
    model: Any = Param(Params._dummy(), "model", "the model file in hexadecimal digits", TypeConverters.toString)


class CredenceClassifier(Estimator, _Settings, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    """Learns from all columns of a frame, of any type; no vector has to be assembled."""

    @keyword_only  # type: ignore[untyped-decorator]
    def __init__(self, *, target: str = "label", weights: str = "", settings: str = "{}", explain: bool = False) -> None:
        super().__init__()
        self._set(**self._input_kwargs)
        self._setDefault(target="label", weights="", settings="{}", explain=False)

    def _fit(self, dataset: Any) -> Any:
        found = spark.fit(dataset, self.getOrDefault("target"), weights=self.getOrDefault("weights"),
                          **json.loads(self.getOrDefault("settings")))
        return CredenceModel()._set(model=found.to_model().to_bytes().hex(), explain=self.getOrDefault("explain"))


class CredenceModel(SparkModel, _Settings, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    """Adds `prediction`, `probability` and, if asked for, `explanation`."""

    @property
    def credence(self) -> Model:
        """The model, as files hold it."""
        return Model.from_bytes(bytes.fromhex(self.getOrDefault("model")))

    def _transform(self, dataset: Any) -> Any:
        return spark.predict(dataset, self.credence, explain=self.isSet("explain") and self.getOrDefault("explain"))
