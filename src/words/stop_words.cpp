// SPDX-License-Identifier: Apache-2.0
#include "words/stop_words.hpp"

namespace credence::text {
namespace {

// The closed classes of English: words that carry grammar, by what they are. The contractions stand
// whole, as the pattern "words" keeps them, and in the parts of two letters or more that "plain"
// leaves of them.
const std::vector<std::string_view> english = {
    // Articles and other determiners
    "a", "an", "the", "this", "that", "these", "those", "each", "every", "either", "neither",
    "some", "any", "no", "all", "both", "few", "more", "most", "much", "many", "other", "another",
    "such", "own", "same",
    // Pronouns
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
    "yours", "yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers",
    "herself", "it", "its", "itself", "they", "them", "their", "theirs", "themselves", "who",
    "whom", "whose", "which", "what", "one",
    // Forms of be, have and do, and the modal verbs
    "am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having", "do",
    "does", "did", "doing", "done", "will", "would", "shall", "should", "can", "could", "may",
    "might", "must", "ought", "cannot",
    // Conjunctions
    "and", "or", "but", "nor", "if", "because", "as", "while", "until", "although", "though",
    "unless", "whether", "than", "since",
    // Prepositions
    "of", "at", "by", "for", "with", "about", "against", "between", "among", "into", "through",
    "during", "before", "after", "above", "below", "to", "from", "up", "down", "in", "out", "on",
    "off", "over", "under", "upon", "within", "without", "via", "per", "onto", "toward", "towards",
    // Adverbs of time, place, manner and degree
    "again", "further", "then", "once", "here", "there", "when", "where", "why", "how", "only",
    "so", "too", "very", "just", "now", "also", "not", "ever", "yet", "still", "thus", "else",
    // Contractions
    "i'm", "you're", "he's", "she's", "it's", "we're", "they're", "i've", "you've", "we've",
    "they've", "i'd", "you'd", "he'd", "she'd", "we'd", "they'd", "it'd", "i'll", "you'll", "he'll",
    "she'll", "we'll", "they'll", "it'll", "isn't", "aren't", "wasn't", "weren't", "hasn't",
    "haven't", "hadn't", "doesn't", "don't", "didn't", "won't", "wouldn't", "shan't", "shouldn't",
    "can't", "couldn't", "mustn't", "mightn't", "needn't", "let's", "that's", "who's", "what's",
    "here's", "there's", "when's", "where's", "why's", "how's",
    // What is left of contractions without the apostrophe, unless it is a word (won, haven)
    "re", "ve", "ll", "isn", "aren", "wasn", "weren", "hasn", "hadn", "doesn", "don", "didn",
    "wouldn", "shan", "shouldn", "couldn", "mustn", "mightn", "needn"};

}  // namespace

const std::vector<std::string_view>* built_in_stop_words(std::string_view name) {
  return name == "english" ? &english : nullptr;
}

}  // namespace credence::text
