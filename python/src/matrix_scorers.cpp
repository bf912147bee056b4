// SPDX-License-Identifier: Apache-2.0
// Scores of matrices for the estimators with scikit-learn's names. A scorer is made once from the
// parameters; a row is a batch of one, and must cost microseconds.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <span>

#include "bindings.hpp"
#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "matrices.hpp"
#include "parallel/parallel.hpp"
#include "row_kernels.hpp"

namespace credence::python {
namespace {

std::vector<double> copied(const Weights& values) {
  return {values.data(), values.data() + values.shape(0)};
}
std::vector<double> copied(const Rows& values) {
  return {values.data(), values.data() + values.size()};
}

void refuse(const char* what) {
  throw Error(ErrorKind::data, std::string("Input X contains ") + what);
}

class MatrixScorer {
 public:
  MatrixScorer(std::size_t columns, std::size_t classes) : columns_(columns), classes_(classes) {}
  virtual ~MatrixScorer() = default;

  Matrix scores(const Rows& rows, unsigned threads) const {
    std::vector<double> joint;
    {
      const nb::gil_scoped_release unlocked;
      joint = all_scores(rows, threads);
    }
    return to_numpy<Matrix>(std::move(joint), {rows.shape(0), classes_});
  }

  // The place of the largest score of every row, the first of equals.
  nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> winners(const Rows& rows,
                                                            unsigned threads) const {
    std::vector<std::int64_t> result(rows.shape(0));
    {
      const nb::gil_scoped_release unlocked;
      const auto joint = all_scores(rows, threads);
      for (std::size_t r = 0; r < result.size(); ++r) {
        const double* row = joint.data() + r * classes_;
        result[r] = std::max_element(row, row + classes_) - row;
      }
    }
    const std::size_t count = result.size();
    return to_numpy<nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>>(std::move(result), {count});
  }

 protected:
  virtual void score(const double* row, double* joint) const = 0;
  virtual bool takes_missing() const { return false; }

  std::size_t columns_, classes_;

 private:
  void check(const double* row) const {
    // Not finite exactly when a value is not, or when values are huge.
    if (std::isfinite(total(row, columns_))) return;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (std::isnan(row[j]) && !takes_missing()) refuse("NaN.");
      if (std::isinf(row[j])) refuse("infinity or a value too large for dtype('float64').");
    }
  }

  std::vector<double> all_scores(const Rows& rows, unsigned threads) const {
    if (rows.shape(1) != columns_) {
      throw Error(ErrorKind::data, "X has " + std::to_string(rows.shape(1)) + " features, but " +
                                       std::to_string(columns_) + " are expected");
    }
    std::vector<double> joint(rows.shape(0) * classes_);
    constexpr std::size_t part = 2048;
    const auto work = [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) {
        const double* row = rows.data() + r * columns_;
        check(row);
        score(row, joint.data() + r * classes_);
      }
    };
    if (rows.shape(0) <= part) {
      work(0, rows.shape(0));
    } else {
      parallel_for(threads, (rows.shape(0) + part - 1) / part,
                   [&](std::size_t i) { work(i * part, std::min(rows.shape(0), (i + 1) * part)); });
    }
    return joint;
  }
};

// A normal density for every column and class; NaN is left out.
class NormalScorer : public MatrixScorer {
 public:
  NormalScorer(const Rows& means, const Rows& variances, const Weights& log_prior)
      : MatrixScorer(means.shape(1), means.shape(0)),
        means_(copied(means)),
        log_prior_(copied(log_prior)) {
    for (std::size_t c = 0; c < classes_; ++c) {
      double norm = log_prior_[c];
      for (std::size_t j = 0; j < columns_; ++j) {
        const double variance = variances(c, j);
        half_precision_.push_back(0.5 / variance);
        log_norm_.push_back(-0.5 * std::log(2 * std::numbers::pi * variance));
        norm += log_norm_.back();
      }
      offset_.push_back(norm);
    }
  }

 protected:
  bool takes_missing() const override { return true; }
  void score(const double* row, double* joint) const override {
    distances(row, means_.data(), half_precision_.data(), classes_, columns_, joint);
    for (std::size_t c = 0; c < classes_; ++c) {
      joint[c] = std::isnan(joint[c]) ? with_gaps(row, c) : offset_[c] - joint[c];
    }
  }

 private:
  double with_gaps(const double* row, std::size_t c) const {
    double result = log_prior_[c];
    for (std::size_t j = 0; j < columns_; ++j) {
      if (std::isnan(row[j])) continue;
      const std::size_t i = c * columns_ + j;
      const double d = row[j] - means_[i];
      result += log_norm_[i] - d * d * half_precision_[i];
    }
    return result;
  }

  std::vector<double> means_, half_precision_, log_norm_, offset_, log_prior_;
};

// intercept + coefficients · x; of sparse rows too.
class LinearScorer : public MatrixScorer {
 public:
  LinearScorer(const Rows& coefficients, const Weights& intercepts)
      : MatrixScorer(coefficients.shape(1), coefficients.shape(0)),
        coefficients_(copied(coefficients)),
        intercepts_(copied(intercepts)) {
    for (const double value : coefficients_) finite_ = finite_ && std::isfinite(value);
  }

  Matrix sparse_scores(const Indices& starts, const Indices& features, const Weights& values,
                       unsigned threads) const {
    const std::size_t count = starts.shape(0) - 1;
    std::vector<double> joint(count * classes_);
    {
      const nb::gil_scoped_release unlocked;
      transpose();
      constexpr std::size_t part = 512;
      parallel_for(threads, (count + part - 1) / part, [&](std::size_t block) {
        for (std::size_t r = block * part; r < std::min(count, (block + 1) * part); ++r) {
          double* out = joint.data() + r * classes_;
          std::copy(intercepts_.begin(), intercepts_.end(), out);
          for (auto i = starts(r); i < starts(r + 1); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double value = values(at);
            if (!std::isfinite(value)) refuse(std::isnan(value) ? "NaN." : "infinity.");
            if (value == 0) continue;
            const double* of =
                by_column_.data() + static_cast<std::size_t>(features(at)) * classes_;
            for (std::size_t c = 0; c < classes_; ++c) out[c] += value * of[c];
          }
        }
      });
    }
    return to_numpy<Matrix>(std::move(joint), {count, classes_});
  }

 protected:
  void score(const double* row, double* joint) const override {
    if (finite_) {
      products(row, coefficients_.data(), classes_, columns_, joint);
      for (std::size_t c = 0; c < classes_; ++c) joint[c] += intercepts_[c];
      return;
    }
    // What is not there says nothing, even of what cannot be.
    for (std::size_t c = 0; c < classes_; ++c) {
      const double* of = coefficients_.data() + c * columns_;
      joint[c] = intercepts_[c];
      for (std::size_t j = 0; j < columns_; ++j) joint[c] += row[j] == 0 ? 0.0 : row[j] * of[j];
    }
  }

 private:
  void transpose() const {
    std::call_once(transposed_, [&] {
      by_column_.resize(coefficients_.size());
      for (std::size_t c = 0; c < classes_; ++c) {
        for (std::size_t j = 0; j < columns_; ++j) {
          by_column_[j * classes_ + c] = coefficients_[c * columns_ + j];
        }
      }
    });
  }

  std::vector<double> coefficients_, intercepts_;
  bool finite_ = true;
  mutable std::once_flag transposed_;
  mutable std::vector<double> by_column_;  // columns x classes
};

// offset - |(x - mean) · transform|² / 2 for every class.
class QuadraticScorer : public MatrixScorer {
 public:
  QuadraticScorer(const Rows& means, const std::vector<Rows>& transforms, const Weights& offsets)
      : MatrixScorer(means.shape(1), means.shape(0)),
        means_(copied(means)),
        offsets_(copied(offsets)) {
    for (const auto& transform : transforms) {  // rows: directions
      transforms_.push_back(copied(transform));
      // A triangle's directions end early.
      auto& lengths = lengths_.emplace_back();
      for (std::size_t k = 0; k < transform.shape(0); ++k) {
        std::size_t length = columns_;
        while (length > 0 && transform(k, length - 1) == 0) --length;
        lengths.push_back(length);
      }
    }
  }

 protected:
  void score(const double* row, double* joint) const override {
    thread_local std::vector<double> d;
    d.resize(columns_);
    for (std::size_t c = 0; c < classes_; ++c) {
      for (std::size_t j = 0; j < columns_; ++j) d[j] = row[j] - means_[c * columns_ + j];
      const double distance = squared_length(d.data(), transforms_[c].data(), lengths_[c].data(),
                                             lengths_[c].size(), columns_);
      joint[c] = offsets_[c] - 0.5 * distance;
    }
  }

 private:
  std::vector<double> means_, offsets_;
  std::vector<std::vector<double>> transforms_;
  std::vector<std::vector<std::size_t>> lengths_;
};

// log softmax of every row; a row that no class allows stays NaN.
Matrix log_posterior(const Rows& joint) {
  const std::size_t rows = joint.shape(0), classes = joint.shape(1);
  std::vector<double> result(joint.size());
  constexpr std::size_t part = 2048;
  const auto work = [&](std::size_t i) {
    for (std::size_t r = i * part; r < std::min(rows, (i + 1) * part); ++r) {
      const double* from = joint.data() + r * classes;
      const double evidence = log_sum_exp({from, classes});
      for (std::size_t c = 0; c < classes; ++c) result[r * classes + c] = from[c] - evidence;
    }
  };
  {
    const nb::gil_scoped_release unlocked;
    if (rows <= part) {
      work(0);
    } else {
      parallel_for(0, (rows + part - 1) / part, work);
    }
  }
  return to_numpy<Matrix>(std::move(result), {joint.shape(0), classes});
}

}  // namespace

void bind_matrix_scorers(nb::module_& module) {
  nb::class_<MatrixScorer>(module, "MatrixScorer")
      .def("scores", &MatrixScorer::scores, nb::arg("rows"), nb::arg("threads") = 0)
      .def("winners", &MatrixScorer::winners, nb::arg("rows"), nb::arg("threads") = 0);
  nb::class_<NormalScorer, MatrixScorer>(module, "NormalScorer")
      .def(nb::init<const Rows&, const Rows&, const Weights&>(), nb::arg("means"),
           nb::arg("variances"), nb::arg("log_prior"));
  nb::class_<LinearScorer, MatrixScorer>(module, "LinearScorer")
      .def(nb::init<const Rows&, const Weights&>(), nb::arg("coefficients"), nb::arg("intercepts"))
      .def("sparse_scores", &LinearScorer::sparse_scores, nb::arg("starts"), nb::arg("features"),
           nb::arg("values"), nb::arg("threads") = 0);
  nb::class_<QuadraticScorer, MatrixScorer>(module, "QuadraticScorer")
      .def(nb::init<const Rows&, const std::vector<Rows>&, const Weights&>(), nb::arg("means"),
           nb::arg("transforms"), nb::arg("offsets"));
  module.def("log_posterior", &log_posterior, nb::arg("joint"));
}

}  // namespace credence::python
