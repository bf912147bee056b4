"""GridSearchCV as it comes, which uses one core."""

from grid_search import GridSearch


class Contender(GridSearch):
    name = "scikit-learn GridSearchCV, n_jobs=1"
