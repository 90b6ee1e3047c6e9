// A call is cut into its sentences, which go through the queue one by one; whichever worker ends the last of them ends
// the call. A caller waits for that, for its time limit or for a stop, whatever comes first: what is then still in the
// queue finds the call closed and does nothing.
#include "graft/translator.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "library/access.h"
#include "library/resources.h"
#include "model/settings.h"
#include "translation/prepared_input.h"
#include "translation/translator_pool.h"
#include "translation/values.h"
#include "util/parallel.h"

namespace graft {
namespace {

using engine::PreparedInput;
using engine::PreparedSentence;
using Clock = std::chrono::steady_clock;

// What is asked for.
struct Job {
  PreparedInput input;
  engine::TranslateOptions options;
  bool derivation = false;
  std::stop_token stop;
  Clock::time_point deadline = Clock::time_point::max();
  std::shared_ptr<const engine::DecodingModel> decoding;  // with settings of its own; none: the translator's
};

// A sentence that there was no time for: it stays as it was.
Sentence Untranslated(const Job& job, size_t index) {
  Sentence value = ToValue({}, job.input.sentences[index].sentence, {engine::Translation()}, /*derivation=*/false);
  value.best.features.clear();
  for (const SourceToken& token : value.tokens) value.best.tokens.push_back({.text = token.text});
  value.cut_short = true;
  return value;
}

// Says where the source sentence and its tokens stand.
void Locate(const Job& job, size_t index, Sentence* value) {
  const PreparedSentence& prepared = job.input.sentences[index];
  value->begin = prepared.range.begin;
  value->end = prepared.range.end;
  value->text = job.input.source.substr(value->begin, value->end - value->begin);
  for (size_t i = 0; i < value->tokens.size(); ++i) {
    value->tokens[i].begin = prepared.tokens[i].begin;
    value->tokens[i].end = prepared.tokens[i].end;
  }
  if (!value->cut_short) return;
  value->best.text = value->text;
  for (size_t i = 0; i < value->tokens.size(); ++i) {
    value->best.tokens[i].begin = prepared.tokens[i].begin - value->begin;
    value->best.tokens[i].end = prepared.tokens[i].end - value->begin;
  }
}

// Puts the translations together, with what stands between the sentences.
Result Join(const Job& job, std::vector<Sentence> sentences) {
  Result result;
  result.source = job.input.source;
  for (size_t i = 0; i < sentences.size(); ++i) {
    result.text += job.input.Between(i);
    sentences[i].target_begin = result.text.size();
    result.text += sentences[i].best.text;
    sentences[i].target_end = result.text.size();
    result.cut_short |= sentences[i].cut_short;
  }
  result.text += job.input.Between(sentences.size());
  result.sentences = std::move(sentences);
  return result;
}

// A job on its way through the queue.
class Call {
 public:
  explicit Call(Job job) : job_(std::move(job)), sentences_(size()), done_(size(), 0), left_(size()) {}
  // A pool that ended before it came to all sentences leaves a promise to be kept.
  ~Call() {
    if (promise_ && !closed_) promise_->set_exception(std::make_exception_ptr(Stopped()));
  }

  const Job& job() const { return job_; }
  size_t size() const { return job_.input.sentences.size(); }

  std::future<Result> Promise() {
    promise_.emplace();
    std::future<Result> future = promise_->get_future();
    if (size() == 0) Close();
    return future;
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }
  void Finish(size_t index, Sentence&& sentence) {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    sentences_[index] = std::move(sentence);
    done_[index] = 1;
    if (--left_ == 0) Close();
  }
  void Fail() {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    failure_ = std::current_exception();
    Close();
  }

  // Waits for the end, the time limit or a stop. For calls without a promise.
  Result Wait() {
    std::unique_lock lock(mutex_);
    const auto ended = [&] { return closed_ || left_ == 0; };
    if (job_.deadline == Clock::time_point::max())
      changed_.wait(lock, job_.stop, ended);
    else
      changed_.wait_until(lock, job_.stop, job_.deadline, ended);
    closed_ = true;
    if (failure_) std::rethrow_exception(failure_);
    if (left_ > 0 && job_.stop.stop_requested()) throw Stopped();
    for (size_t i = 0; i < done_.size(); ++i)
      if (done_[i] == 0) {
        sentences_[i] = Untranslated(job_, i);
        Locate(job_, i, &sentences_[i]);
      }
    return Join(job_, std::move(sentences_));
  }

 private:
  // With the mutex held, or before anybody else knows the call.
  void Close() {
    closed_ = true;
    changed_.notify_all();
    if (!promise_) return;
    if (failure_)
      promise_->set_exception(failure_);
    else
      promise_->set_value(Join(job_, std::move(sentences_)));
  }

  const Job job_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Sentence> sentences_;
  std::vector<char> done_;
  size_t left_;
  bool closed_ = false;  // nothing that still comes counts
  std::exception_ptr failure_;
  std::optional<std::promise<Result>> promise_;
};

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
        others(static_cast<size_t>(internal::ThreadsOf(options.threads))),
        pool({engine, config.search, config.weights}, internal::ThreadsOf(options.threads), options.queue) {}

  // Null for a call without settings of its own.
  std::shared_ptr<const engine::DecodingModel> DecodingOf(const Settings& settings) const {
    if (settings.empty()) return nullptr;
    engine::ModelConfig own = config;
    engine::ApplySettings(settings, &own);
    return std::make_shared<const engine::DecodingModel>(engine, own.search, own.weights);
  }

  Job MakeJob(const Input& input, const TranslateOptions& options,
              std::shared_ptr<const engine::DecodingModel> decoding) const {
    Job job;
    job.decoding = std::move(decoding);
    if (options.time_limit.count() > 0) job.deadline = Clock::now() + options.time_limit;
    job.stop = options.stop;
    job.input = engine::Prepare(engine, reading, input);
    job.options = {.nbest = options.alternatives + 1,
                   .distinct = options.distinct && options.alternatives > 0,
                   .stop = engine::StopCheck(job.stop, job.deadline)};
    job.derivation = options.derivation;
    return job;
  }

  engine::Translator& TranslatorFor(int worker, const Job& job) {
    if (!job.decoding) return pool.translator(worker);
    Other& other = others[static_cast<size_t>(worker)];
    if (other.decoding != job.decoding) {
      other.decoding = job.decoding;
      other.translator.emplace(*job.decoding);
    }
    return *other.translator;
  }

  Sentence TranslateOne(int worker, const Job& job, size_t index) {
    Sentence value = Search(worker, job, index);
    if (!value.cut_short) engine::Present(engine.text(), job.input.writing, &value.best);
    for (Translation& alternative : value.alternatives) engine::Present(engine.text(), job.input.writing, &alternative);
    Locate(job, index, &value);
    return value;
  }

  Sentence Search(int worker, const Job& job, size_t index) {
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
      return Untranslated(job, index);
    }
  }

  // The sentences of a call as tasks.
  engine::WorkerPool::Task TaskOf(const std::shared_ptr<Call>& call, size_t index) {
    return [this, call, index](int worker) {
      if (call->closed()) return;
      try {
        call->Finish(index, TranslateOne(worker, call->job(), index));
      } catch (...) {
        call->Fail();
      }
    };
  }
  void Enqueue(const std::shared_ptr<Call>& call) {
    const Job& job = call->job();
    for (size_t i = 0; i < call->size(); ++i)
      if (!pool.workers().Push(TaskOf(call, i), job.stop, job.deadline)) return;  // Wait says why
  }

  PreparedSentence OneSentence(const Input& input) const {
    PreparedInput prepared = engine::Prepare(engine, reading, input);
    if (prepared.sentences.size() != 1)
      throw Error("translations are rescored sentence by sentence; give one sentence with its translations");
    return std::move(prepared.sentences.front());
  }
  std::vector<Rescored> RescoreOne(engine::Translator* translator, const RescoreItem& item,
                                   const RescoreOptions& options) const {
    std::vector<Rescored> results;
    const PreparedSentence source = OneSentence(item.input);
    for (const engine::ForcedTranslation& forced :
         translator->Force(source.sentence, item.targets, options.max_edges, engine::StopCheck(options.stop)))
      results.push_back(ToValue(engine.system(), forced));
    return results;
  }

  std::shared_ptr<const Model> model;
  const engine::Model& engine;
  engine::ModelConfig config;
  engine::SourceOptions reading;
  std::mutex counted;
  engine::SearchStatistics statistics;
  std::vector<Other> others;    // one a worker
  engine::TranslatorPool pool;  // ends first
};

Translator::Translator(std::shared_ptr<const Model> model, const TranslatorOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;

Result Translator::Translate(const Input& input, const TranslateOptions& options) const {
  const auto call = std::make_shared<Call>(impl_->MakeJob(input, options, impl_->DecodingOf(options.settings)));
  impl_->Enqueue(call);
  return call->Wait();
}

Result Translator::Translate(std::string_view text, const TranslateOptions& options) const {
  return Translate(Input::Text(std::string(text)), options);
}

std::vector<Result> Translator::TranslateAll(std::span<const Input> inputs, const TranslateOptions& options) const {
  std::vector<std::shared_ptr<Call>> calls;
  const Clock::time_point started = Clock::now();
  const auto decoding = impl_->DecodingOf(options.settings);
  for (const Input& input : inputs) {
    Job job = impl_->MakeJob(input, options, decoding);
    if (options.time_limit.count() > 0) job.deadline = started + options.time_limit;
    job.options.stop = engine::StopCheck(job.stop, job.deadline);
    calls.push_back(std::make_shared<Call>(std::move(job)));
  }
  for (const auto& call : calls) impl_->Enqueue(call);
  std::vector<Result> results;
  for (const auto& call : calls) results.push_back(call->Wait());
  return results;
}

void Translator::TranslateStream(const std::function<bool(Input*)>& read, const std::function<void(Result&&)>& write,
                                 const TranslateOptions& options) const {
  const auto decoding = impl_->DecodingOf(options.settings);
  engine::RunOrdered<Input, Result>(
      &impl_->pool.workers(), read,
      [&](int worker, Input&& input) {
        const Job job = impl_->MakeJob(input, options, decoding);
        std::vector<Sentence> sentences;
        for (size_t i = 0; i < job.input.sentences.size(); ++i)
          sentences.push_back(impl_->TranslateOne(worker, job, i));
        return Join(job, std::move(sentences));
      },
      write);
}

std::future<Result> Translator::Submit(Input input, TranslateOptions options) const {
  const auto call = std::make_shared<Call>(impl_->MakeJob(input, options, impl_->DecodingOf(options.settings)));
  std::vector<engine::WorkerPool::Task> tasks;
  for (size_t i = 0; i < call->size(); ++i) tasks.push_back(impl_->TaskOf(call, i));
  std::future<Result> future = call->Promise();
  if (!impl_->pool.workers().TryPush(std::move(tasks))) throw Busy();
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
  impl_->pool.Run<RescoreItem, std::vector<Rescored>>(
      read,
      [&](engine::Translator* translator, RescoreItem&& item) { return impl_->RescoreOne(translator, item, options); },
      write);
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
