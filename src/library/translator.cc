#include "graft/translator.h"

#include <mutex>
#include <optional>

#include "library/access.h"
#include "library/call.h"
#include "library/resources.h"
#include "library/timed_stream.h"
#include "model/settings.h"
#include "translation/prepared_input.h"
#include "translation/translate_table.h"
#include "translation/values.h"
#include "util/deadline_timer.h"
#include "util/option_check.h"
#include "util/stop_check.h"
#include "util/worker_pool.h"

namespace graft {
namespace {

using engine::PreparedInput;
using engine::PreparedSentence;
using engine::StopCheck;
using internal::Call;
using internal::Job;
using internal::RunTimed;
using internal::Timed;
using Clock = std::chrono::steady_clock;

constexpr size_t kLarge = 1000;  // sentences of a submitted call

engine::ModelConfig ConfigOf(const engine::Model& model, const Settings& settings) {
  engine::ModelConfig config = model.config();
  engine::ApplySettings(settings, &config);
  return config;
}

Rescored ToValue(const engine::SystemSpec& system, const engine::ForcedTranslation& forced) {
  switch (forced.result) {
    case engine::ForcedResult::kDerived:
      return {Rescored::Outcome::kDerived, engine::ToValue(system, forced.best, /*derivation=*/true)};
    case engine::ForcedResult::kTooLarge: return {Rescored::Outcome::kTooLarge, {}};
    case engine::ForcedResult::kTooLong: return {Rescored::Outcome::kTooLong, {}};
    case engine::ForcedResult::kNotDerivable: break;
  }
  return {Rescored::Outcome::kNotDerivable, {}};
}

}  // namespace

struct Translator::Impl {
  // A worker's translator for calls with settings of their own, kept for the next sentence of the same call.
  struct Other {
    std::shared_ptr<const engine::DecodingModel> decoding;
    std::optional<engine::Translator> translator;
  };

  Impl(std::shared_ptr<const Model> opened, const TranslatorOptions& options)
      : model(std::move(opened)),
        engine(internal::ModelAccess::Engine(*model)),
        config(ConfigOf(engine, options.settings)),
        reading(engine.system().reading.options()),
        workers(internal::ThreadsOf(options.threads), options.queue) {
    const engine::DecodingModel decoding(engine, config.search, config.weights);
    for (int i = 0; i < workers.threads(); ++i) own.emplace_back(decoding);
    others.resize(own.size());
  }

  // How a call decodes, once it is known to make sense. Null for one without settings of its own.
  std::shared_ptr<const engine::DecodingModel> DecodingOf(const TranslateOptions& options) const {
    engine::CheckSettings(engine::TranslateOptionTable(), options);
    if (options.settings.empty()) return nullptr;
    engine::ModelConfig changed = config;
    engine::ApplySettings(options.settings, &changed);
    return std::make_shared<const engine::DecodingModel>(engine, changed.search, changed.weights);
  }

  Job MakeJob(const Input& input, const TranslateOptions& options,
              std::shared_ptr<const engine::DecodingModel> decoding, Clock::time_point deadline) const {
    Job job;
    job.decoding = std::move(decoding);
    job.deadline = deadline;
    job.stop = options.stop;
    const StopCheck stop(job.stop, job.deadline);
    job.input = engine::Prepare(engine, reading, input, stop);
    job.options = {
        .nbest = options.alternatives + 1, .distinct = options.distinct && options.alternatives > 0, .stop = stop};
    job.derivation = options.derivation;
    return job;
  }

  engine::Translator& TranslatorFor(int worker, const Job& job) {
    if (!job.decoding) return own[static_cast<size_t>(worker)];
    Other& other = others[static_cast<size_t>(worker)];
    if (other.decoding != job.decoding) {
      other.decoding.reset();  // without a translator, if there is no memory for one
      other.translator.emplace(*job.decoding);
      other.decoding = job.decoding;
    }
    return *other.translator;
  }

  Sentence TranslateOne(int worker, const Job& job, size_t index) {
    Sentence value = Search(worker, job, index);
    if (!value.cut_short) engine::Present(engine.text(), job.input.writing, &value.best);
    for (Translation& alternative : value.alternatives) engine::Present(engine.text(), job.input.writing, &alternative);
    internal::Locate(job, index, &value);
    return value;
  }

  Sentence Search(int worker, const Job& job, size_t index) {
    if (job.input.cut_short) return internal::Untranslated(job, index);
    const engine::Sentence& sentence = job.input.sentences[index].sentence;
    engine::Translator& translator = TranslatorFor(worker, job);
    const engine::SearchStatistics before = translator.statistics();
    try {
      const std::vector<engine::Translation> found = translator.Translate(sentence, job.options);
      std::lock_guard lock(counted);
      statistics.Add(translator.statistics());
      statistics.Subtract(before);
      return engine::ToValue(engine.system(), sentence, found, job.derivation);
    } catch (const Stopped& stopped) {
      if (!stopped.late()) throw;
      return internal::Untranslated(job, index);
    }
  }

  // The sentences of a call as tasks.
  engine::WorkerPool::Task TaskOf(const std::shared_ptr<Call>& call, size_t index) {
    return {[this, call, index](int worker) {
              if (call->closed()) return;
              try {
                call->Finish(index, TranslateOne(worker, call->job(), index));
              } catch (...) {
                call->Fail();
              }
            },
            [call] { return !call->closed(); }};
  }
  void Enqueue(const std::shared_ptr<Call>& call) {
    const Job& job = call->job();
    if (job.input.cut_short) return;
    for (size_t i = 0; i < call->size() && !call->closed(); ++i)
      if (!workers.Push(TaskOf(call, i), job.stop, job.deadline)) return;  // Wait says why
  }

  PreparedSentence OneSentence(const Input& input, const StopCheck& stop) const {
    PreparedInput prepared = engine::Prepare(engine, reading, input, stop);
    if (prepared.cut_short) throw Stopped(/*late=*/true);
    if (prepared.sentences.size() != 1)
      throw Error("translations are rescored sentence by sentence; give one sentence with its translations");
    return std::move(prepared.sentences.front());
  }
  std::vector<Rescored> RescoreOne(engine::Translator* translator, const Timed<RescoreItem>& timed,
                                   const RescoreOptions& options) const {
    const StopCheck stop(options.stop, timed.deadline);
    const RescoreItem& item = timed.item;
    std::vector<Rescored> results;
    try {
      const PreparedSentence source = OneSentence(item.input, stop);
      translator->ForceEach(
          source.sentence, item.targets, options.max_edges, stop,
          [&](engine::ForcedTranslation&& forced) { results.push_back(ToValue(engine.system(), forced)); });
    } catch (const Stopped& stopped) {
      if (!stopped.late()) throw;
      engine.table().CheckUnchanged();
      results.resize(item.targets.size(), {Rescored::Outcome::kCutShort, {}});
    }
    return results;
  }
  static std::vector<Rescored> NotRescored(const RescoreItem& item) {
    return std::vector<Rescored>(item.targets.size(), {Rescored::Outcome::kCutShort, {}});
  }

  std::shared_ptr<const Model> model;
  const engine::Model& engine;
  engine::ModelConfig config;
  engine::SourceOptions reading;
  std::mutex counted;
  engine::SearchStatistics statistics;
  engine::DeadlineTimer timer, timer_of_large;  // of submitted calls; late results of large ones take their time
  std::vector<engine::Translator> own;          // one a worker
  std::vector<Other> others;                    // likewise
  engine::WorkerPool workers;                   // end first
};

Translator::Translator(std::shared_ptr<const Model> model, const TranslatorOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;

Result Translator::Translate(const Input& input, const TranslateOptions& options) const {
  const Clock::time_point deadline = StopCheck::In(options.time_limit);
  const auto call = std::make_shared<Call>(impl_->MakeJob(input, options, impl_->DecodingOf(options), deadline));
  impl_->Enqueue(call);
  return call->Wait();
}

Result Translator::Translate(std::string_view text, const TranslateOptions& options) const {
  return Translate(Input::Text(std::string(text)), options);
}

std::vector<Result> Translator::TranslateAll(std::span<const Input> inputs, const TranslateOptions& options) const {
  std::vector<std::shared_ptr<Call>> calls;
  const Clock::time_point deadline = StopCheck::In(options.time_limit);
  const auto decoding = impl_->DecodingOf(options);
  for (const Input& input : inputs)
    calls.push_back(std::make_shared<Call>(impl_->MakeJob(input, options, decoding, deadline)));
  for (const auto& call : calls) impl_->Enqueue(call);
  std::vector<Result> results;
  try {
    for (const auto& call : calls) results.push_back(call->Wait());
  } catch (...) {
    for (const auto& call : calls) call->Abandon();
    throw;
  }
  return results;
}

void Translator::TranslateStream(const std::function<bool(Input*)>& read, const std::function<void(Result&&)>& write,
                                 const TranslateOptions& options) const {
  const auto decoding = impl_->DecodingOf(options);
  RunTimed<Input, Result>(
      &impl_->workers, read, write, options,
      [&](int worker, Timed<Input>&& timed) {
        const Job job = impl_->MakeJob(timed.item, options, decoding, timed.deadline);
        std::vector<Sentence> sentences;
        for (size_t i = 0; i < job.input.sentences.size(); ++i)
          sentences.push_back(impl_->TranslateOne(worker, job, i));
        return internal::Join(job, std::move(sentences));
      },
      [&](Timed<Input>&& timed) {
        return internal::Untranslated(impl_->MakeJob(timed.item, options, decoding, timed.deadline));
      });
}

std::future<Result> Translator::Submit(const Input& input, const TranslateOptions& options) const {
  const Clock::time_point deadline = StopCheck::In(options.time_limit);
  std::shared_ptr<Call> call;
  try {
    call = std::make_shared<Call>(impl_->MakeJob(input, options, impl_->DecodingOf(options), deadline));
  } catch (const Stopped&) {
    std::promise<Result> stopped;
    stopped.set_exception(std::current_exception());
    return stopped.get_future();
  }
  std::future<Result> future = call->Promise(call->size() < kLarge ? &impl_->timer : &impl_->timer_of_large);
  if (call->closed()) return future;
  std::vector<engine::WorkerPool::Task> tasks;
  for (size_t i = 0; i < call->size(); ++i) tasks.push_back(impl_->TaskOf(call, i));
  if (!impl_->workers.TryPush(std::move(tasks))) throw Busy();
  return future;
}

std::vector<Rescored> Translator::Rescore(const RescoreItem& item, const RescoreOptions& options) const {
  std::vector<Rescored> results;
  bool read = false;
  RescoreStream(
      [&](RescoreItem* next) {
        *next = item;
        return !std::exchange(read, true);
      },
      [&](std::vector<Rescored>&& rescored) { results = std::move(rescored); }, options);
  return results;
}

void Translator::RescoreStream(const std::function<bool(RescoreItem*)>& read,
                               const std::function<void(std::vector<Rescored>&&)>& write,
                               const RescoreOptions& options) const {
  engine::CheckSettings(engine::RescoreOptionTable(), options);
  RunTimed<RescoreItem, std::vector<Rescored>>(
      &impl_->workers, read, write, options,
      [&](int worker, Timed<RescoreItem>&& timed) {
        return impl_->RescoreOne(&impl_->own[static_cast<size_t>(worker)], timed, options);
      },
      [&](Timed<RescoreItem>&& timed) { return impl_->NotRescored(timed.item); });
}

const std::shared_ptr<const Model>& Translator::model() const { return impl_->model; }

std::vector<std::pair<std::string, uint64_t>> Translator::Statistics() const {
  std::lock_guard lock(impl_->counted);
  std::vector<std::pair<std::string, uint64_t>> counters;
  engine::SearchStatistics::ForEach(impl_->statistics,
                                    [&](std::string_view name, uint64_t value) { counters.emplace_back(name, value); });
  return counters;
}

}  // namespace graft
