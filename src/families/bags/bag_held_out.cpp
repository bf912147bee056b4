// SPDX-License-Identifier: Apache-2.0
#include "families/bags/bag_held_out.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <span>

#include "core/log_math.hpp"
#include "families/text/word_weights.hpp"
#include "families/urns_and_coins.hpp"

namespace credence {
namespace {

class BagHeldOut {
 public:
  BagHeldOut(const BlockStatistics& statistics, CountedBags bags, const Estimation& estimation)
      : statistics_(statistics),
        bags_(std::move(bags)),
        estimation_(estimation),
        coins_(bags_.options.model == TextOptions::Model::bernoulli),
        sides_(imaginary_count(estimation.rule, 2, estimation.rule.strength / 2)) {
    bags_.options.scale = bags_.options.scale_of(estimation.classes.size());
    for (std::size_t i = 0; i < bags_.counts->size() && bags_.options.needs_documents(); ++i) {
      documents_.push_back(bags_.counts->exact_documents_with(i));
    }
    // A class without rows is not estimated, and given shares belong to names: both are rare.
    const auto& weights = estimation_.class_weights;
    const auto& rows = bags_.documents.high();
    usable_ = !estimation_.shares.contains(bags_.columns.title()) &&
              std::find(weights.begin(), weights.end(), 0.0) == weights.end() &&
              works(*sums(0, {bags_.options, std::accumulate(rows.begin(), rows.end(), 0.0)}));
  }

  // As BlockStatistics::add_held_out().
  void add(const Chunk& chunk, std::span<const std::int32_t> classes, double weight,
           std::span<double> joint) const {
    const std::size_t many = estimation_.classes.size();
    const auto& features = bags_.columns.features(chunk);
    const auto numbers = bags_.find(features);
    const auto several = several_words(bags_.options, features);
    Row row;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (classes[r] < 0 || (usable_ && bags_.columns.missing(chunk, r))) continue;
      row.cls = static_cast<std::size_t>(classes[r]);
      if (!usable_ ||
          !judge(chunk, r, numbers, several, row, weight, joint.subspan(r * many, many))) {
        statistics_.add_row_held_out(estimation_, chunk, r, classes[r], weight, joint);
      }
    }
  }

 private:
  // Over all known features, as if the row that is left out had none of them.
  struct Sums {
    double kinds = 0;
    std::vector<DoubleDouble> totals;        // of draws, per class
    std::vector<ClassCoins> coins, without;  // per class: all of its rows, and without the row
  };
  // A feature of the row.
  struct Word {
    std::size_t begin, end, own;       // its cells; that of the row's class, or end
    double count;                      // in the row
    double whole = 0;                  // weight in the row's class, with the row
    bool taken = false;                // the row adds to its weight
    bool before = true, after = true;  // whether it is known, by all counts and by those left
    double rarity_before = 1, rarity_after = 1;
    int several = -1;  // words together; -1: that does not matter
  };
  struct Cell {
    std::size_t cls;
    double weight;  // without the row
  };
  struct Row {
    std::size_t cls;
    double own_weight;
    std::vector<std::size_t> features;
    std::vector<double> counts, weights, score, seen, rarity;
    std::vector<char> several;
    std::vector<Word> words;
    std::vector<Cell> cells;
    std::vector<ClassCoins> coins;

    std::span<const Cell> cells_of(const Word& word) const {
      return std::span(cells).subspan(word.begin, word.end - word.begin);
    }
  };

  static double sum_of(const std::vector<DoubleDouble>& totals) {
    DoubleDouble sum;
    for (const auto& total : totals) sum = sum + total;
    return sum.value();
  }

  // Whether all rows can be estimated from in the plain way.
  bool works(const Sums& sums) const {
    const auto sound = [](const ClassCoins& coins) { return coins.sound; };
    if (sums.kinds == 0) return true;
    if (coins_) return std::all_of(sums.coins.begin(), sums.coins.end(), sound);
    const auto imaginary =
        Urns::imaginary(bags_.options, estimation_.rule, sums.kinds, sum_of(sums.totals));
    return imaginary.removed == 0 &&
           (imaginary.added > 0 || bags_.options.model == TextOptions::Model::multinomial) &&
           std::all_of(sums.totals.begin(), sums.totals.end(),
                       [&](const auto& total) { return total.value() + imaginary.added > 0; });
  }

  bool judge(const Chunk& chunk, std::size_t r, const std::vector<std::int32_t>& numbers,
             const std::vector<char>& several, Row& row, double weight,
             std::span<double> out) const {
    row.own_weight = chunk.weights.empty() ? 1.0 : chunk.weights[r];
    if (estimation_.class_weights[row.cls] - row.own_weight == 0) return false;
    row.features.clear();
    row.counts.clear();
    bags_.columns.for_each(chunk, r, [&](std::size_t feature, double count) {
      row.features.push_back(feature);
      row.counts.push_back(count);
    });
    double all = 0;
    for (std::size_t c = 0; c < bags_.documents.size(); ++c) {
      all += c == row.cls ? (bags_.documents.exact(c) - DoubleDouble(row.own_weight)).hi
                          : bags_.documents[c];
    }
    const WordChoice choice{bags_.options, all};
    read(numbers, several, choice, row);
    const auto sums = this->sums(row.own_weight, choice);
    double kinds = sums->kinds;
    for (const auto& word : row.words) kinds += (word.after ? 1 : 0) - (word.before ? 1 : 0);
    if (kinds == 0) return true;
    row.score.assign(out.size(), 0.0);
    row.seen.assign(out.size(), 0.0);
    return coins_ ? judge_coins(*sums, row, weight, out)
                  : judge_urns(*sums, kinds, row, weight, out);
  }

  // The known words of the row, and what becomes of them without it.
  void read(const std::vector<std::int32_t>& numbers, const std::vector<char>& several,
            const WordChoice& choice, Row& row) const {
    row.weights = row.counts;
    row.several.clear();
    for (std::size_t i = 0; i < row.features.size() && !several.empty(); ++i) {
      row.several.push_back(several[row.features[i]]);
    }
    weigh_words(bags_.options, row.weights, row.several);
    row.words.clear();
    row.cells.clear();
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::size_t next = std::min(i + ahead, row.features.size() - 1);
      if (const auto number = numbers[row.features[next]]; number >= 0) {
        bags_.counts->prefetch(static_cast<std::size_t>(number));
      }
      const auto number = numbers[row.features[i]];
      if (number < 0) continue;
      const std::size_t begin = row.cells.size();
      row.words.push_back({begin, begin, begin, row.counts[i]});
      if (!several.empty()) row.words.back().several = several[row.features[i]];
      read_word(static_cast<std::size_t>(number), row.weights[i], choice, row);
    }
  }

  // own: what the word weighs in the row.
  void read_word(std::size_t number, double own, const WordChoice& choice, Row& row) const {
    const auto& counts = *bags_.counts;
    Word& word = row.words.back();
    word.end = word.own = word.begin + (counts.end(number) - counts.begin(number));
    for (std::size_t k = counts.begin(number); k < counts.end(number); ++k) {
      row.cells.push_back({counts.cls(k), counts.weights[k]});
      if (row.cells.back().cls != row.cls) continue;
      word.own = row.cells.size() - 1;
      word.whole = counts.weights[k];
      word.taken = own != 0 && row.own_weight != 0;
      const DoubleDouble part = bags_.rounded_products ? DoubleDouble(row.own_weight * own)
                                                       : two_product(row.own_weight, own);
      if (word.taken) row.cells.back().weight = (counts.weights.exact(k) - part).hi;
    }
    if (!documents_.empty()) {
      const double with = documents_[number].value();
      const double left =
          word.taken ? (documents_[number] - DoubleDouble(row.own_weight)).value() : with;
      word.before = choice.keeps(with);
      word.after = choice.keeps(left);
      word.rarity_before = choice.rarity(with);
      word.rarity_after = choice.rarity(left);
    }
    const bool alone = word.taken && word.end - word.begin == 1 && row.cells[word.own].weight == 0;
    if (alone && !bags_.declared) word.after = false;
  }

  // What is left of the draws of each class. A word that is still known becomes rarer, if anything:
  // but for the row's class only what is gained is added.
  std::vector<DoubleDouble> totals_without(const Row& row, const Sums& sums) const {
    auto totals = sums.totals;
    for (const auto& word : row.words) {
      if (!word.taken) continue;
      const double before = word.before ? word.rarity_before : 0;
      const double after = word.after ? word.rarity_after : 0;
      for (const auto& cell : row.cells_of(word)) {
        if (cell.cls != row.cls && before != after) {
          add_exactly(totals[cell.cls], cell.weight * (after - before));
        }
      }
      add_exactly(totals[row.cls], -word.whole * before);
      add_exactly(totals[row.cls], row.cells[word.own].weight * after);
    }
    return totals;
  }

  bool judge_urns(const Sums& sums, double kinds, Row& row, double weight,
                  std::span<double> out) const {
    auto totals = totals_without(row, sums);
    const auto imaginary = Urns::imaginary(bags_.options, estimation_.rule, kinds, sum_of(totals));
    const bool complement = bags_.options.model == TextOptions::Model::complement;
    if (imaginary.removed > 0 || (complement && imaginary.added == 0)) return false;
    const Urns urns(bags_.options, estimation_.rule, imaginary, kinds, std::move(totals));
    for (std::size_t c = 0; c < out.size(); ++c) {
      if (!(urns.size(c) > 0)) return false;
    }
    std::erase_if(row.words, [](const Word& word) { return !word.after; });
    row.weights.clear();
    row.several.clear();
    for (const auto& word : row.words) {
      row.weights.push_back(word.count);
      if (word.several >= 0) row.several.push_back(static_cast<char>(word.several));
    }
    weigh_words(bags_.options, row.weights, row.several);
    if (bags_.options.idf) {
      row.rarity.clear();
      for (const auto& word : row.words) row.rarity.push_back(word.rarity_after);
      weigh_rarity(bags_.options, row.weights, row.rarity);
    }
    double length = 0, base = 0;
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      const Word& word = row.words[i];
      const auto cells = row.cells_of(word);
      double n = 0;
      for (const auto& cell : cells) n += cell.weight * word.rarity_after;
      const auto in_urn = urns.word(row.weights[i] * bags_.options.scale, n);
      for (const auto& cell : cells) {
        if (cell.weight == 0) continue;
        row.seen[cell.cls] += 1;
        row.score[cell.cls] += urns.correction(in_urn, cell.cls, cell.weight * word.rarity_after);
      }
      length += in_urn.weight;
      base += in_urn.base;
    }
    for (std::size_t c = 0; c < out.size(); ++c) {
      // Without a prior, a word never seen in the class rules the class out.
      const bool ruled_out =
          imaginary.added == 0 && row.seen[c] < static_cast<double>(row.words.size());
      out[c] += ruled_out ? -infinity : weight * (row.score[c] + base + urns.per_words(c, length));
    }
    return true;
  }

  // Every word of the row is taken out of the sum over absent words, and what its presence says is
  // added.
  bool judge_coins(const Sums& sums, Row& row, double weight, std::span<double> out) const {
    row.coins = sums.coins;
    row.coins[row.cls] = sums.without[row.cls];
    double before = 0, known = 0;
    for (const auto& word : row.words) {
      before += word.before;
      known += word.after;
      for (const auto& cell : row.cells_of(word)) {
        auto& coins = row.coins[cell.cls];
        const bool own = cell.cls == row.cls;
        const Coin coin(sides_, cell.weight, coins.rows);
        if (!own && word.before && word.after && coin.ones > 0 && coin.zeros > 0) {
          row.seen[cell.cls] += 1;
          row.score[cell.cls] +=
              std::log(coin.ones / coin.zeros) + coins.log_absent - coins.log_present;
          continue;
        }
        if (word.before) coins.remove(own ? Coin(sides_, word.whole, coins.rows) : coin);
        if (!word.after || cell.weight == 0) continue;
        coins.sound = coins.sound && coin.total() > 0;
        if (coin.ones == 0) continue;
        row.seen[cell.cls] += 1;
        row.score[cell.cls] += coin.log_present() - coins.log_present;
      }
    }
    for (std::size_t c = 0; c < out.size(); ++c) {
      if (!row.coins[c].sound) return false;
    }
    for (std::size_t c = 0; c < out.size(); ++c) {
      auto& coins = row.coins[c];
      coins.add_unseen(-before);
      const bool ruled_out = coins.certain > 0 || (sides_.added == 0 && row.seen[c] < known);
      out[c] += ruled_out ? -infinity
                          : weight * (coins.sum.value() + known * coins.log_present + row.score[c]);
    }
    return true;
  }

  // Most rows weigh the same: what was added up for one serves the others.
  std::shared_ptr<const Sums> sums(double own_weight, const WordChoice& choice) const {
    const bool by_all = bags_.options.idf || bags_.options.most_share < 1;
    const std::pair key{coins_ ? own_weight : 0.0, by_all ? choice.all : 0.0};
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (sums_.size() >= most) sums_.clear();
    auto& found = sums_[key];
    if (!found) found = std::make_shared<const Sums>(make_sums(own_weight, choice));
    return found;
  }

  Sums make_sums(double own_weight, const WordChoice& choice) const {
    const auto& counts = *bags_.counts;
    Sums sums;
    for (std::size_t c = 0; c < bags_.documents.size() && coins_; ++c) {
      sums.coins.emplace_back(sides_, bags_.documents[c]);
      sums.without.emplace_back(sides_, (bags_.documents.exact(c) - DoubleDouble(own_weight)).hi);
    }
    sums.totals.resize(bags_.documents.size());
    for (std::size_t i = 0; i + 1 < counts.ends.size(); ++i) {
      const double with = documents_.empty() ? 0 : documents_[i].value();
      if (!choice.keeps(with)) continue;
      sums.kinds += 1;
      const double rarity = choice.rarity(with);
      for (std::size_t k = counts.begin(i); k < counts.end(i); ++k) {
        const std::size_t c = counts.cls(k);
        if (!coins_) {
          add_exactly(sums.totals[c], counts.weights[k] * rarity);
          continue;
        }
        for (auto* coins : {&sums.coins[c], &sums.without[c]}) {
          coins->add(Coin(sides_, counts.weights[k], coins->rows));
        }
      }
    }
    for (auto* all : {&sums.coins, &sums.without}) {
      for (auto& coins : *all) coins.add_unseen(sums.kinds);
    }
    return sums;
  }

  const BlockStatistics& statistics_;
  CountedBags bags_;
  Estimation estimation_;
  bool coins_;
  ImaginaryCount sides_;                 // of coins
  bool usable_ = true;                   // with all rows
  std::vector<DoubleDouble> documents_;  // that have each word, where they matter
  mutable std::mutex mutex_;
  // By the weight of the row, and of the rows that are left.
  mutable std::map<std::pair<double, double>, std::shared_ptr<const Sums>> sums_;
};

}  // namespace

BlockStatistics::AddHeldOut hold_out_bags(const BlockStatistics& statistics, CountedBags bags,
                                          const Estimation& estimation) {
  const auto rows = std::make_shared<const BagHeldOut>(statistics, std::move(bags), estimation);
  return [rows](const Chunk& chunk, std::span<const std::int32_t> classes, double weight,
                std::span<double> joint) { rows->add(chunk, classes, weight, joint); };
}

}  // namespace credence
