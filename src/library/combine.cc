#include "graft/combine.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "combine/combine_table.h"
#include "combine/combiner.h"
#include "graft/error.h"
#include "library/access.h"
#include "library/resources.h"
#include "library/timed_stream.h"
#include "translation/prepared_input.h"
#include "translation/values.h"
#include "util/option_check.h"
#include "util/stop_check.h"
#include "util/worker_pool.h"

namespace graft {

using internal::RunTimed;
using internal::Timed;

std::string JsonOf(const CombinedSentence& sentence, const std::vector<std::string>& models) {
  nlohmann::ordered_json object;
  object["text"] = sentence.text;
  object["expected_bleu"] = sentence.expected_bleu;
  object["probability"] = sentence.probability;
  object["models"] = nlohmann::ordered_json::array();
  for (const uint32_t model : sentence.models) object["models"].push_back(models.at(model));
  return object.dump();
}

struct Combiner::Impl {
  static constexpr size_t kQueue = 64;  // inputs that may wait

  Impl(std::vector<std::shared_ptr<const Model>> opened, const CombineOptions& options)
      : models(Checked(std::move(opened), options)), pool(internal::ThreadsOf(options.threads), kQueue) {
    std::vector<engine::NamedModel> named;
    for (const auto& model : models) named.push_back({model->info().folder, &internal::ModelAccess::Engine(*model)});
    reading = engine::RequireSameText(named);
    for (int i = 0; i < pool.threads(); ++i) combiners.push_back(std::make_unique<engine::Combiner>(named, options));
  }

  // The models, of which there is at least one, for options that make sense for them.
  static std::vector<std::shared_ptr<const Model>> Checked(std::vector<std::shared_ptr<const Model>> opened,
                                                           const CombineOptions& options) {
    if (opened.empty()) throw Error("no models to combine; give at least one");
    engine::CheckSettings(engine::CombineOptionTable(), options);
    engine::CheckConsensusWeights(options.weights, opened.size());
    return opened;
  }

  // Everything but what is found: the source, untranslated.
  static CombinedSentence SourceOf(const engine::PreparedInput& input, const engine::PreparedSentence& prepared) {
    CombinedSentence sentence;
    sentence.begin = prepared.range.begin;
    sentence.end = prepared.range.end;
    sentence.source = input.source.substr(sentence.begin, sentence.end - sentence.begin);
    for (size_t i = 0; i < prepared.tokens.size(); ++i)
      sentence.source_tokens.push_back({prepared.sentence.tokens[i], prepared.tokens[i].begin, prepared.tokens[i].end});
    sentence.text = sentence.source;
    sentence.probability = 0;
    sentence.cut_short = true;
    return sentence;
  }

  // `combiner`: none where there is no time.
  CombinedSentence CombineSentence(engine::Combiner* combiner, const engine::PreparedInput& input, size_t index,
                                   const engine::StopCheck& stop) const {
    const engine::Model& first = internal::ModelAccess::Engine(*models.front());
    CombinedSentence sentence = SourceOf(input, input.sentences[index]);
    if (combiner == nullptr || input.cut_short) return sentence;
    try {
      engine::CombinedTranslation combined = combiner->Combine(input.sentences[index].sentence, stop);
      sentence.text = engine::Presented(first.text(), input.writing, combined.tokens);
      sentence.tokens = std::move(combined.tokens);
      sentence.expected_bleu = combined.gain;
      sentence.probability = combined.probability;
      sentence.models = std::move(combined.models);
      sentence.cut_short = false;
    } catch (const Stopped& stopped) {
      if (!stopped.late()) throw;
    }
    return sentence;
  }

  CombinedResult CombineOne(engine::Combiner* combiner, const Timed<Input>& timed, const CombineLimits& limits) const {
    const engine::StopCheck stop(limits.stop, timed.deadline);
    engine::PreparedInput prepared =
        engine::Prepare(internal::ModelAccess::Engine(*models.front()), reading, timed.item, stop);
    CombinedResult result;
    for (size_t i = 0; i < prepared.sentences.size(); ++i) {
      const CombinedSentence& sentence = result.sentences.emplace_back(CombineSentence(combiner, prepared, i, stop));
      result.text.append(prepared.Between(i)).append(sentence.text);
      result.cut_short |= sentence.cut_short;
    }
    result.text += prepared.Between(prepared.sentences.size());
    result.source = std::move(prepared.source);
    return result;
  }

  std::vector<std::shared_ptr<const Model>> models;
  engine::SourceOptions reading;
  std::vector<std::unique_ptr<engine::Combiner>> combiners;  // one a thread
  engine::WorkerPool pool;
};

Combiner::Combiner(std::vector<std::shared_ptr<const Model>> models, const CombineOptions& options)
    : impl_(std::make_unique<Impl>(std::move(models), options)) {}
Combiner::~Combiner() = default;
Combiner::Combiner(Combiner&&) noexcept = default;

CombinedResult Combiner::Combine(const Input& input, const CombineLimits& limits) const {
  CombinedResult result;
  bool read = false;
  CombineStream(
      [&](Input* next) {
        *next = input;
        return !std::exchange(read, true);
      },
      [&](CombinedResult&& combined) { result = std::move(combined); }, limits);
  return result;
}

void Combiner::CombineStream(const std::function<bool(Input*)>& read,
                             const std::function<void(CombinedResult&&)>& write, const CombineLimits& limits) const {
  RunTimed<Input, CombinedResult>(
      &impl_->pool, read, write, limits,
      [&](int worker, Timed<Input>&& timed) {
        return impl_->CombineOne(impl_->combiners[static_cast<size_t>(worker)].get(), timed, limits);
      },
      [&](Timed<Input>&& timed) { return impl_->CombineOne(nullptr, timed, limits); });
}

}  // namespace graft
