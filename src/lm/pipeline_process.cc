#include "lm/pipeline_process.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/thread/exceptions.hpp>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "graft/error.h"
#include "lm/builder/output.hh"
#include "lm/kenlm_error.h"
#include "util/exception.hh"
#include "util/file.hh"
#include "util/system_error.h"

namespace graft::engine {
namespace {

constexpr std::string_view kErrno = "the system says: error ";  // and its number, from child to parent
constexpr int kPollMilliseconds = 100;
constexpr int kUnwindingPolls = 10;              // a second
constexpr size_t kRemembered = size_t{1} << 16;  // of what KenLM says

struct Pipe {
  util::scoped_fd read_end, write_end;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) throw Error("cannot make a pipe to the estimator of language models: " + SystemReason(errno));
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

// Says on stderr what the exception that ends the child is, with errno where the system is to blame, and leaves.
[[noreturn]] void SayAndLeave() {
  try {
    if (const std::exception_ptr failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const util::ErrnoException& error) {
    std::cerr << kErrno << error.Error() << "\n" << error.what() << std::endl;
  } catch (const boost::thread_exception& error) {
    std::cerr << kErrno << EAGAIN << "\n" << error.what() << std::endl;
  } catch (const std::system_error& error) {
    std::cerr << kErrno << error.code().value() << "\n" << error.what() << std::endl;
  } catch (const std::bad_alloc& error) {
    std::cerr << kErrno << ENOMEM << "\n" << error.what() << std::endl;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
  } catch (...) {
    std::cerr << "an exception of an unknown type" << std::endl;
  }
  _exit(1);
}

// The thread that runs KenLM's pipeline, seen from outside. When a call of the system fails in it, KenLM unwinds its
// stack, waits in destructors for threads that wait for each other, or stumbles over what is gone already. Neither must
// keep the parent from hearing the cause: an exception that is under way for long, or a crash during one, is the end.
struct Unwinding {
  struct Globals {  // abi::__cxa_eh_globals, as the C++ ABI lays it out
    void* caught;
    unsigned uncaught;
  };
  std::atomic<const Globals*> globals = nullptr;
  std::atomic<const int*> error = nullptr;  // errno of that thread

  void Watch() {
    error = &errno;
    globals = reinterpret_cast<const Globals*>(abi::__cxa_get_globals());
  }
  bool now() const {
    const Globals* of_thread = globals;
    return of_thread != nullptr && __atomic_load_n(&of_thread->uncaught, __ATOMIC_RELAXED) > 0;
  }
  // Only what a handler of signals may do.
  [[noreturn]] void Leave() const {
    std::array<char, 64> line{};
    char* end = std::copy(kErrno.begin(), kErrno.end(), line.data());
    end = std::to_chars(end, line.data() + line.size() - 1, __atomic_load_n(error.load(), __ATOMIC_RELAXED)).ptr;
    *end++ = '\n';
    static_cast<void>(!write(STDERR_FILENO, line.data(), static_cast<size_t>(end - line.data())));
    _exit(1);
  }
};

Unwinding unwinding;  // of the child: a handler of signals reaches nothing else

void LeaveAfterCrash(int signal) {
  if (unwinding.now()) unwinding.Leave();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// What the child does. Leaves by _exit: destructors and exit handlers belong to the parent.
[[noreturn]] void RunChild(const lm::builder::PipelineConfig& config, int text_fd, int arpa_fd, int message_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(message_fd, STDERR_FILENO);
  close(message_fd);
  std::set_terminate(SayAndLeave);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, LeaveAfterCrash);
  try {
    std::thread([&] {
      unwinding.Watch();
      try {
        lm::builder::PipelineConfig own = config;
        lm::builder::Output output(own.TempPrefix(), /*keep_buffer=*/false, own.output_q);
        output.Add(new lm::builder::PrintHook(arpa_fd, /*verbose_header=*/false));
        lm::builder::Pipeline(own, text_fd, output);
      } catch (...) {
        SayAndLeave();
      }
      _exit(0);
    }).detach();
  } catch (...) {  // it cannot be started
    SayAndLeave();
  }
  for (int seen = 0; seen < kUnwindingPolls; seen = unwinding.now() ? seen + 1 : 0) poll(nullptr, 0, kPollMilliseconds);
  unwinding.Leave();
}

class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    Wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int Wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return status;
  }

 private:
  pid_t id_;
};

std::string ProcessLimit() {
  return std::string(std::strerror(EAGAIN)) +
         "; raise the limits of processes and of memory (ulimit -u, ulimit -v), or end other programs";
}

// Which of these errors of the system KenLM spoke of. Its threads fail one after the other, so the cause is the first
// in this order, wherever it stands. 0: none.
int SpokenError(const std::string& said) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EIO, ENOMEM, EMFILE, ENFILE, EAGAIN})
    if (said.find(fmt::format("{}{}\n", kErrno, error)) != std::string::npos ||
        said.find(std::strerror(error)) != std::string::npos)
      return error;
  return said.find("bad_alloc") != std::string::npos ? ENOMEM : 0;
}

// Why the system made KenLM fail; empty if it did not.
std::string SystemFailure(const std::string& said, const std::string& prefix) {
  const int error = SpokenError(said);
  switch (error) {
    case 0: return "";
    case ENOMEM: return MemoryReason();
    case EMFILE:
    case ENFILE: return SystemReason(error);
    case EAGAIN: return "it cannot start a thread: " + ProcessLimit();
    default:
      return fmt::format("cannot write a temporary file in {}: {} (TMPDIR names the folder)",
                         prefix.substr(0, prefix.find_last_of('/')), SystemReason(error));
  }
}

// KenLM makes its temporary files and unlinks them at once; a thread that fails meanwhile ends the process in between.
struct Leftovers {
  std::string prefix;
  ~Leftovers() {
    namespace fs = std::filesystem;
    const fs::path path(prefix);
    std::error_code end, ignored;
    for (fs::directory_iterator entry(path.parent_path(), end); !end && entry != fs::directory_iterator();
         entry.increment(end))
      if (entry->path().filename().string().starts_with(path.filename().string())) fs::remove(entry->path(), ignored);
  }
};

// Splits what arrives into lines for the listener, and keeps the lines from the last exception on.
class Messages {
 public:
  explicit Messages(const PipelineListener& listener) : listener_(listener) {}

  void Add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n' || c == '\r')
        EndLine();
      else
        line_.push_back(c);
    }
  }

  void EndLine() {
    if (line_.find(" threw ") != std::string::npos) exception_.clear();
    exception_ += line_ + "\n";
    said_ += line_ + "\n";
    if (said_.size() > kRemembered) said_.erase(0, said_.size() - kRemembered);
    if (!line_.empty() && listener_.message) listener_.message(line_);
    line_.clear();
  }

  std::string Failure(int status, const std::string& folder) const {
    if (const std::string reason = SystemFailure(said_, folder); !reason.empty()) return reason;
    if (exception_.find(" threw ") != std::string::npos) return KenlmMessage(exception_);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      return "it was killed, probably for lack of memory; give a smaller -S";
    if (WIFSIGNALED(status)) return std::string("ended by signal: ") + strsignal(WTERMSIG(status));
    return "exit status " + std::to_string(WEXITSTATUS(status));
  }

 private:
  const PipelineListener& listener_;
  std::string line_;
  std::string exception_;
  std::string said_;  // the last of it
};

// Reads once from a descriptor that is ready; false at its end.
template <class Use>
bool ReadSome(int fd, std::string* buffer, const Use& use) {
  const ssize_t got = read(fd, buffer->data(), buffer->size());
  if (got < 0) {
    if (errno == EINTR || errno == EAGAIN) return true;
    throw Error("cannot read from the estimator of language models: " + SystemReason(errno));
  }
  if (got > 0) use(std::string_view(buffer->data(), static_cast<size_t>(got)));
  return got > 0;
}

}  // namespace

void RunPipeline(const lm::builder::PipelineConfig& config, int text_fd, const PipelineListener& listener) {
  Pipe arpa, said;
  const Leftovers leftovers{config.TempPrefix()};
  const pid_t id = fork();
  if (id < 0)
    throw Error(fmt::format("cannot start the estimator of language models: {}", errno == EAGAIN ? ProcessLimit()
                                                                                 : errno == ENOMEM
                                                                                     ? MemoryReason()
                                                                                     : SystemReason(errno)));
  if (id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an estimator nobody waits for would go on with locks and temporary files
    arpa.read_end.reset();
    said.read_end.reset();
    lseek(text_fd, 0, SEEK_SET);
    RunChild(config, dup(text_fd), arpa.write_end.release(), said.write_end.release());
  }
  Child child(id);
  arpa.write_end.reset();
  said.write_end.reset();

  Messages messages(listener);
  std::string buffer(1 << 16, '\0');
  std::array<pollfd, 2> ready = {pollfd{arpa.read_end.get(), POLLIN, 0}, pollfd{said.read_end.get(), POLLIN, 0}};
  while (ready[0].fd >= 0 || ready[1].fd >= 0) {
    if (listener.waiting) listener.waiting();
    if (poll(ready.data(), ready.size(), kPollMilliseconds) < 0) {
      if (errno == EINTR) continue;
      throw Error("cannot wait for the estimator of language models: " + SystemReason(errno));
    }
    if (ready[0].revents != 0 && !ReadSome(ready[0].fd, &buffer, listener.arpa)) ready[0].fd = -1;
    if (ready[1].revents != 0 && !ReadSome(ready[1].fd, &buffer, [&](std::string_view bytes) { messages.Add(bytes); }))
      ready[1].fd = -1;
  }
  messages.EndLine();
  const int status = child.Wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("the language model cannot be estimated: " + messages.Failure(status, config.TempPrefix()));
}

}  // namespace graft::engine
