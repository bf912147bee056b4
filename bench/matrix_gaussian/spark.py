"""Spark MLlib's NaiveBayes(modelType="gaussian"), of rows that it holds in its own memory."""

from spark_session import Spark


class Contender(Spark):
    note = "rows held in its memory as vectors before it is timed"

    def prepare(self, folder):
        import numpy as np
        import pandas as pd
        from pyspark.ml.feature import VectorAssembler

        self.start()
        X, y = np.load(folder / "X.npy"), np.load(folder / "y.npy")
        names = [f"x{i}" for i in range(X.shape[1])]
        frame = pd.DataFrame(X, columns=names).assign(label=y.astype(float), row=np.arange(len(y)))
        vectors = VectorAssembler(inputCols=names, outputCol="features")
        self.rows = vectors.transform(self.session.createDataFrame(frame)).select("row", "label", "features").repartition(4).cache()
        self.rows.count()

    def fit(self):
        from pyspark.ml.classification import NaiveBayes

        self.model = NaiveBayes(modelType="gaussian").fit(self.rows)

    def predict(self):
        self.labels = self.model.transform(self.rows).select("row", "prediction").toPandas()

    def answer(self, step):
        return self.labels.sort_values("row")["prediction"].to_numpy(int) if step == "predict" else None
