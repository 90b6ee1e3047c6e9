#include "cli/common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>

#include "cli/option_flags.h"
#include "graft/error.h"
#include "library/resources.h"
#include "util/system_error.h"

namespace graft::engine::cli {

namespace {

using Clock = std::chrono::steady_clock;

std::string Duration(double seconds) {
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// The last line of the terminal, which progress redraws in place. There is one stderr, hence one of these, for all
// threads: one may read and complain while another writes.
class ProgressLine {
 public:
  static ProgressLine& Get() {
    static ProgressLine line;
    return line;
  }

  void Draw(std::string_view step, uint64_t done, uint64_t total) {
    if (!terminal_) return;
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (step != step_) {
      Clear();
      step_ = step;
      started_ = now;
      drawn_ = {};
    }
    if (total != 0 && done >= total) {
      Clear();
      step_.clear();
      return;
    }
    if (now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    const double elapsed = std::chrono::duration<double>(now - started_).count();
    fmt::print(stderr, "\r\x1b[K{}", total == 0 ? Rate(done, elapsed) : Bar(done, total, elapsed));
    std::fflush(stderr);
    visible_ = true;
  }

  // In its place; false if not all of it could be written.
  bool Write(std::string_view text, std::FILE* file) {
    const std::lock_guard lock(mutex_);
    Clear();
    return std::fwrite(text.data(), 1, text.size(), file) == text.size();
  }

 private:
  ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {
    const char* no_color = std::getenv("NO_COLOR");
    colour_ = no_color == nullptr || *no_color == '\0';
  }

  void Clear() {
    if (!visible_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    visible_ = false;
  }

  std::string Rate(uint64_t done, double elapsed) const {
    return fmt::format("{}  {}  {:.0f}/s", step_, done, static_cast<double>(done) / std::max(elapsed, 0.1));
  }

  std::string Bar(uint64_t done, uint64_t total, double elapsed) const {
    constexpr int kWidth = 30;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const int filled = static_cast<int>(share * kWidth);
    std::string bar = fmt::format("{}{}", std::string(filled, '#'), std::string(kWidth - filled, '-'));
    if (colour_) bar.insert(filled, "\x1b[0m").insert(0, "\x1b[36m");
    const std::string left = done == 0 ? "" : fmt::format("  {} left", Duration(elapsed * (1 / share - 1)));
    return fmt::format("{}  [{}] {:3.0f}%{}", step_, bar, 100 * share, left);
  }

  std::mutex mutex_;
  bool terminal_;
  bool colour_ = true;
  bool visible_ = false;
  std::string step_;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace

Reporter ConsoleReporter() {
  return {
      // A file that is read twice is complained about once.
      .warn =
          [seen = std::make_shared<std::set<std::string>>()](std::string_view message) {
            if (seen->emplace(message).second) Note(fmt::format("graft: warning: {}", message));
          },
      .progress = [](std::string_view step, uint64_t done,
                     uint64_t total) { ProgressLine::Get().Draw(step, done, total); },
  };
}

void Note(std::string_view message) {
  ProgressLine::Get().Write(fmt::format("{}\n", message), stderr);  // a log that is full stops no work
}

void Print(std::string_view line) { PrintText(fmt::format("{}\n", line)); }

void PrintText(std::string_view text) {
  if (!ProgressLine::Get().Write(text, stdout)) FailSystem("write", "<stdout>");
}

void ThreadOption::AddTo(CLI::App* app) {
  app->add_option("--threads", threads, "Worker threads; never changes a result (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

int ThreadOption::value() const { return internal::ThreadsOf(threads); }

void MemoryOption::AddTo(CLI::App* app) {
  app->add_option("-S,--memory", text, "Memory to use at most: a share of the machine's (80%) or a size (64M, 4G)")
      ->type_name("SIZE")
      ->capture_default_str();
}

uint64_t MemoryOption::bytes() const { return internal::MemoryOf(text); }

void SystemOption::AddTo(CLI::App* app) {
  AddFlags(app, Describe(*table_, SystemCases()), {.group = "System", .check_values = false},
           [this](const std::string& key, OptionValue value) { options_[key] = std::move(value); });
}

SystemSpec SystemOption::Spec() const {
  if (!given()) throw Error("--system is missing; choose one of " + Joined(SystemNames()));
  return MakeSystemSpec(options_, *table_);
}

std::vector<std::string> SystemOption::Settings() const {
  std::vector<std::string> settings;
  for (const auto& [key, value] : options_) settings.push_back(key + "=" + TomlText(value));
  return settings;
}

}  // namespace graft::engine::cli
