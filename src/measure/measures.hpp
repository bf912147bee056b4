// SPDX-License-Identifier: Apache-2.0
// The measures of a whole table, each with its names: what tables for people and JSON list.
#pragma once

#include "credence/evaluate.hpp"

namespace credence {

struct Measure {
  const char *key, *name;
  double Metrics::*value;
  Interval Metrics::*interval = nullptr;  // null: it has none
  bool ranks = false;                     // it is of scores, which single folds do not keep
};

inline constexpr Measure measures[] = {
    {"accuracy", "accuracy", &Metrics::accuracy, &Metrics::accuracy_interval},
    {"log_loss", "log-loss", &Metrics::log_loss, &Metrics::log_loss_interval},
    {"brier", "Brier score", &Metrics::brier, &Metrics::brier_interval},
    {"ece", "calibration error", &Metrics::ece},
    {"balanced_accuracy", "balanced accuracy", &Metrics::balanced_accuracy,
     &Metrics::balanced_accuracy_interval},
    {"macro_f1", "macro F1", &Metrics::macro_f1, &Metrics::macro_f1_interval},
    {"mcc", "MCC", &Metrics::mcc, &Metrics::mcc_interval},
    {"roc_auc", "ROC-AUC", &Metrics::roc_auc, &Metrics::roc_auc_interval, true},
    {"average_precision", "average precision", &Metrics::average_precision,
     &Metrics::average_precision_interval, true}};

// "0.81 to 0.86", or nothing where it is not known.
std::string to_text(const Interval& interval);

}  // namespace credence
