// SPDX-License-Identifier: Apache-2.0
// Calibration and novelty as a model file holds them. docs/format.md
#pragma once

#include <memory>

#include "core/ordered_json.hpp"
#include "core/tensors.hpp"
#include "credence/calibration.hpp"
#include "credence/novelty.hpp"

namespace credence {

// What they must be Model::check() says; readers throw where there is no such thing at all.
OrderedJson describe_calibration(const Calibration& calibration);
std::shared_ptr<const Calibration> read_calibration(const OrderedJson& json);

// The long lists are arrays, the rest is JSON.
OrderedJson describe_novelty(const Novelty& novelty);
Novelty read_novelty(const OrderedJson& json);
void save_novelty(const Novelty& novelty, Tensors& tensors);
void load_novelty(const Tensors& tensors, Novelty& novelty);

// Of an object, or nothing at all.
void refuse_unknown_keys(const OrderedJson& object, const std::vector<std::string>& known);
// nlohmann makes numbers of true and false, and lists of anything: these do not.
const OrderedJson& list_at(const OrderedJson& object, const std::string& key);
double number_at(const OrderedJson& object, const std::string& key);
std::vector<double> numbers_at(const OrderedJson& object, const std::string& key);

}  // namespace credence
