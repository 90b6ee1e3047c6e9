// A translator for each of several threads, and sentences shared out among them. All that translates a known set of
// sentences (tuning, scoring, measuring) does it here, so results come in order everywhere and never depend on the
// number of threads. With one thread it is the caller's: a process that never has two allocates memory faster.
//
//   TranslatorPool pool(model, threads);
//   pool.Run<Item, Result>(read, [](Translator* translator, Item&& item) { … }, write);
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "corpus/sentence.h"
#include "search/decoding_model.h"
#include "search/translator.h"
#include "util/parallel.h"

namespace graft::engine {

class TranslatorPool {
 public:
  TranslatorPool(const DecodingModel& model, int threads) {
    for (int i = 0; i < std::max(threads, 1); ++i) translators_.emplace_back(model);
  }

  // RunOrdered (util/parallel.h) with the worker's translator.
  template <class Item, class Result, class Read, class Work, class Write>
  void Run(Read read, Work work, Write write) {
    RunOrdered<Item, Result>(
        static_cast<int>(translators_.size()), std::move(read),
        [&](int worker, Item&& item) { return work(&translators_[static_cast<size_t>(worker)], std::move(item)); },
        std::move(write));
  }

  // Translates every `stride`-th of the sentences: `made(index, translations)` runs in the workers and makes a Result,
  // `write(index, result)` gets them in order.
  template <class Result, class Made, class Write>
  void TranslateAll(std::span<const Sentence> sentences, size_t stride, const TranslateOptions& options, Made made,
                    Write write) {
    size_t next = 0, written = 0;
    Run<size_t, Result>(
        [&](size_t* index) {
          *index = next;
          next += stride;
          return *index < sentences.size();
        },
        [&](Translator* translator, size_t&& index) {
          return made(index, translator->Translate(sentences[index], options));
        },
        [&](Result&& result) {
          write(written, std::move(result));
          written += stride;
        });
  }

 private:
  std::vector<Translator> translators_;  // one a thread
};

}  // namespace graft::engine
