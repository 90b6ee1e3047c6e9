// A translator for each of several threads, and sentences shared out among them. All that translates many sentences
// (translation, tuning, scoring, measuring) does it here, so results come in order everywhere and never depend on the
// number of threads.
//
//   TranslatorPool pool(model, threads);
//   pool.Run<Item, Result>(read, [](Translator* translator, Item&& item) { … }, write);
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "corpus/sentence.h"
#include "search/decoding_model.h"
#include "search/translator.h"
#include "util/parallel.h"
#include "util/worker_pool.h"

namespace graft::engine {

class TranslatorPool {
 public:
  static constexpr size_t kUsualQueue = 1024;  // sentences that may wait

  TranslatorPool(const DecodingModel& model, int threads, size_t queue = kUsualQueue) : workers_(threads, queue) {
    for (int i = 0; i < workers_.threads(); ++i) translators_.emplace_back(model);
  }

  // RunOrdered (util/parallel.h) with the worker's translator.
  template <class Item, class Result, class Read, class Work, class Write>
  void Run(Read read, Work work, Write write) {
    RunOrdered<Item, Result>(
        &workers_, std::move(read), [&](int worker, Item&& item) { return work(&translator(worker), std::move(item)); },
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

  WorkerPool& workers() { return workers_; }
  Translator& translator(int worker) { return translators_[static_cast<size_t>(worker)]; }

 private:
  std::vector<Translator> translators_;  // one a thread
  WorkerPool workers_;                   // ends before its translators do
};

}  // namespace graft::engine
