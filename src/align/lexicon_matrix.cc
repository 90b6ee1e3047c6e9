#include "align/lexicon_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "align/expected_log.h"
#include "graft/error.h"
#include "util/parallel_for.h"

namespace graft::engine {

namespace {

constexpr size_t kParts = 16;  // of the matrix, for parallel sums: fixed, so that results do not depend on threads

// For each source word the pairs it occurs in, in order.
struct Postings {
  std::vector<uint64_t> starts;
  std::vector<uint32_t> pairs;
};

Postings SourcePostings(const Bitext& bitext) {
  const BitextSide& side = bitext.source;
  Postings postings;
  postings.starts.assign(side.types() + 1, 0);
  for (size_t word = 0; word < side.types(); ++word)
    postings.starts[word + 1] = postings.starts[word] + side.sentence_count[word];
  postings.pairs.resize(postings.starts.back());
  std::vector<uint64_t> ends(postings.starts.begin(), postings.starts.end() - 1);
  for (size_t pair = 0; pair < bitext.pairs(); ++pair) {
    for (uint32_t word : side.sentence(pair)) {
      const uint64_t end = ends[word];
      if (end > postings.starts[word] && postings.pairs[end - 1] == pair) continue;
      postings.pairs[ends[word]++] = static_cast<uint32_t>(pair);
    }
  }
  return postings;
}

// Source words in runs of about equal numbers of postings.
std::vector<uint32_t> SplitRows(const Postings& postings, size_t tasks) {
  const auto rows = static_cast<uint32_t>(postings.starts.size() - 1);
  std::vector<uint32_t> bounds = {0};
  for (uint32_t row = 0; row < rows; ++row)
    if (postings.starts[row + 1] >= postings.pairs.size() * bounds.size() / tasks) bounds.push_back(row + 1);
  if (bounds.back() != rows) bounds.push_back(rows);
  return bounds;
}

// The target words of each row, ascending, in the order of rows; rows[row + 1] becomes the length of a row.
std::vector<std::vector<uint32_t>> FindRows(const Bitext& bitext, int threads, const StopCheck& stop,
                                            std::vector<uint64_t>* rows) {
  const Postings postings = SourcePostings(bitext);
  const std::vector<uint32_t> bounds = SplitRows(postings, 256);
  std::vector<std::vector<uint32_t>> found(bounds.size() - 1);
  std::vector<std::vector<uint32_t>> stamps(std::max(threads, 1));
  ParallelFor(
      threads, found.size(),
      [&](size_t task, int worker) {
        std::vector<uint32_t>& stamp = stamps[worker];
        stamp.resize(bitext.target.types(), UINT32_MAX);
        std::vector<uint32_t>& out = found[task];
        for (uint32_t row = bounds[task]; row < bounds[task + 1]; ++row) {
          const size_t start = out.size();
          for (uint64_t k = postings.starts[row]; k < postings.starts[row + 1]; ++k) {
            for (uint32_t word : bitext.target.sentence(postings.pairs[k])) {
              if (stamp[word] == row) continue;
              stamp[word] = row;
              out.push_back(word);
            }
          }
          std::sort(out.begin() + static_cast<ptrdiff_t>(start), out.end());
          (*rows)[row + 1] = out.size() - start;
        }
        out.shrink_to_fit();
      },
      stop);
  return found;
}

uint64_t ToMebibytes(uint64_t bytes) { return (bytes >> 20) + 1; }

void CheckEntries(const Bitext& bitext, uint64_t entries, uint64_t memory_bytes) {
  const uint64_t needed = AlignmentBytes(bitext, entries);
  if (memory_bytes != 0 && needed > memory_bytes)
    throw Error(
        fmt::format("aligning these {} pairs needs {} MiB, but the limit is {} MiB. Give -S {}M or more, or align "
                    "the corpus in parts.",
                    bitext.pairs(), ToMebibytes(needed), memory_bytes >> 20, ToMebibytes(needed)));
  if (entries >= UINT32_MAX)
    throw Error(fmt::format("{} different pairs of words; at most {} can be aligned at once", entries, UINT32_MAX - 1));
}

}  // namespace

uint64_t AlignmentBytes(const Bitext& bitext, uint64_t entries) {
  constexpr uint64_t kBuffers = uint64_t{64} << 20;
  const uint64_t words = bitext.source.words.capacity() + bitext.target.words.capacity();
  const uint64_t types = bitext.source.types() + bitext.target.types();
  return entries * LexiconMatrix::kBytesPerEntry + words * 4 + bitext.pairs() * 24 + types * 256 + kBuffers;
}

LexiconMatrix::LexiconMatrix(const Bitext& bitext, int threads, uint64_t memory_bytes, const StopCheck& stop)
    : target_types_(bitext.target.types()) {
  rows_.assign(bitext.source.types() + 1, 0);
  std::vector<std::vector<uint32_t>> found = FindRows(bitext, threads, stop, &rows_);
  rows_[0] = 1;
  for (size_t row = 0; row + 1 < rows_.size(); ++row) rows_[row + 1] += rows_[row];
  CheckEntries(bitext, rows_.back(), memory_bytes);
  targets_.reserve(rows_.back());
  targets_.push_back(0);
  for (std::vector<uint32_t>& part : found) {
    targets_.insert(targets_.end(), part.begin(), part.end());
    part = {};
  }
  probabilities_.assign(targets_.size(), Both{1.0f, 1.0f});
  probabilities_[kNoEntry] = Both{kFloor, kFloor};
  counts_.assign(targets_.size(), Both{});
  for (Direction direction : {kFromSource, kFromTarget}) {
    const size_t types = direction == kFromSource ? target_types_ : bitext.source.types();
    null_[direction].assign(types, 1.0f);
    null_counts_[direction].assign(types, 0.0);
  }
}

void LexiconMatrix::Find(std::span<const uint32_t> source, std::span<const uint32_t> target, uint32_t* cells) const {
  for (uint32_t word : source) {
    const uint32_t* row = targets_.data() + rows_[word];
    const auto length = static_cast<size_t>(rows_[word + 1] - rows_[word]);
    for (uint32_t wanted : target) {
      // A row has distinct sorted words, so a word's place in it is never greater than the word.
      const uint32_t* first = row;
      size_t rest = std::min<size_t>(length, size_t{wanted} + 1);
      while (rest > 1) {
        const size_t half = rest / 2;
        first += first[half - 1] < wanted ? half : 0;
        rest -= half;
      }
      *cells++ = rest == 1 && *first == wanted ? static_cast<uint32_t>(first - targets_.data()) : kNoEntry;
    }
  }
}

void LexiconMatrix::Estimate(double prior, int threads) {
  const size_t rows = rows_.size() - 1;
  // Sums by target word: fixed parts of the matrix, added in their order.
  std::vector<std::vector<double>> sums(kParts);
  std::vector<std::vector<uint32_t>> sizes(kParts);
  const auto bound = [&](size_t part) {
    return static_cast<size_t>(std::lower_bound(rows_.begin(), rows_.end(), 1 + (rows_.back() - 1) * part / kParts) -
                               rows_.begin());
  };
  ParallelFor(threads, kParts, [&](size_t part, int) {
    sums[part].assign(target_types_, 0.0);
    sizes[part].assign(target_types_, 0);
    const uint64_t end = rows_[std::min(bound(part + 1), rows)];
    for (uint64_t entry = rows_[bound(part)]; entry < end; ++entry) {
      sums[part][targets_[entry]] += static_cast<double>(counts_[entry][kFromTarget]);
      ++sizes[part][targets_[entry]];
    }
  });
  for (size_t part = 1; part < kParts; ++part) {
    for (size_t word = 0; word < target_types_; ++word) {
      sums[0][word] += sums[part][word];
      sizes[0][word] += sizes[part][word];
    }
  }
  std::vector<float> column_scale(target_types_);
  for (size_t word = 0; word < target_types_; ++word)
    column_scale[word] = static_cast<float>(1 / ExpectedWeight(sums[0][word] + prior * sizes[0][word], prior > 0));
  ParallelFor(threads, kParts, [&](size_t part, int) {
    for (size_t row = bound(part); row < std::min(bound(part + 1), rows); ++row) {
      double sum = 0;
      for (uint64_t entry = rows_[row]; entry < rows_[row + 1]; ++entry)
        sum += static_cast<double>(counts_[entry][kFromSource]);
      const auto length = static_cast<double>(rows_[row + 1] - rows_[row]);
      const auto row_scale = static_cast<float>(1 / ExpectedWeight(sum + prior * length, prior > 0));
      for (uint64_t entry = rows_[row]; entry < rows_[row + 1]; ++entry) {
        for (Direction direction : {kFromSource, kFromTarget}) {
          const float scale = direction == kFromSource ? row_scale : column_scale[targets_[entry]];
          float& count = counts_[entry][direction];
          const auto weight = static_cast<float>(ExpectedWeight(static_cast<double>(count) + prior, prior > 0));
          probabilities_[entry][direction] = std::max(weight * scale, kFloor);
          count = 0;
        }
      }
    }
  });
  EstimateNull(prior);
}

void LexiconMatrix::EstimateNull(double prior) {
  for (Direction direction : {kFromSource, kFromTarget}) {
    std::vector<double>& counts = null_counts_[direction];
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double whole = ExpectedWeight(sum + prior * static_cast<double>(counts.size()), prior > 0);
    for (size_t word = 0; word < counts.size(); ++word) {
      const double weight = ExpectedWeight(counts[word] + prior, prior > 0);
      null_[direction][word] = std::max(static_cast<float>(weight / whole), kFloor);
      counts[word] = 0;
    }
  }
}

}  // namespace graft::engine
