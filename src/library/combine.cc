#include "graft/combine.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "combine/combine_table.h"
#include "combine/combiner.h"
#include "graft/error.h"
#include "library/access.h"
#include "library/resources.h"
#include "translation/prepared_input.h"
#include "translation/values.h"
#include "util/option_check.h"
#include "util/parallel.h"
#include "util/worker_pool.h"

namespace graft {

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

  CombinedResult CombineOne(int worker, const Input& input, const std::stop_token& stop) const {
    const engine::Model& first = internal::ModelAccess::Engine(*models.front());
    const engine::PreparedInput prepared = engine::Prepare(first, reading, input);
    CombinedResult result;
    for (size_t i = 0; i < prepared.sentences.size(); ++i) {
      engine::CombinedTranslation combined =
          combiners[static_cast<size_t>(worker)]->Combine(prepared.sentences[i].sentence, engine::StopCheck(stop));
      CombinedSentence sentence{.text = engine::Presented(first.text(), prepared.writing, combined.tokens),
                                .tokens = std::move(combined.tokens),
                                .expected_bleu = combined.gain,
                                .probability = combined.probability,
                                .models = std::move(combined.models)};
      result.text.append(prepared.Between(i)).append(sentence.text);
      result.sentences.push_back(std::move(sentence));
    }
    result.text += prepared.Between(prepared.sentences.size());
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

CombinedResult Combiner::Combine(const Input& input, std::stop_token stop) const {
  CombinedResult result;
  bool read = false;
  CombineStream(
      [&](Input* next) {
        *next = input;
        return !std::exchange(read, true);
      },
      [&](CombinedResult&& combined) { result = std::move(combined); }, std::move(stop));
  return result;
}

void Combiner::CombineStream(const std::function<bool(Input*)>& read,
                             const std::function<void(CombinedResult&&)>& write, std::stop_token stop) const {
  engine::RunOrdered<Input, CombinedResult>(
      &impl_->pool, read, [&](int worker, Input&& input) { return impl_->CombineOne(worker, input, stop); }, write);
}

}  // namespace graft
