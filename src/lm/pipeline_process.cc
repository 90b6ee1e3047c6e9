#include "lm/pipeline_process.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>

#include "graft/error.h"
#include "lm/builder/output.hh"
#include "lm/kenlm_error.h"
#include "util/file.hh"

namespace graft::engine {
namespace {

constexpr int kPollMilliseconds = 100;

struct Pipe {
  util::scoped_fd read_end, write_end;
  Pipe() {
    int ends[2];
    if (pipe(ends) != 0) throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

// What the child does. Leaves by _exit: destructors and exit handlers belong to the parent.
[[noreturn]] void RunChild(lm::builder::PipelineConfig config, int text_fd, int arpa_fd, int message_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(message_fd, STDERR_FILENO);
  close(message_fd);
  int status = 0;
  try {
    lm::builder::Output output(config.TempPrefix(), /*keep_buffer=*/false, config.output_q);
    output.Add(new lm::builder::PrintHook(arpa_fd, /*verbose_header=*/false));
    lm::builder::Pipeline(config, text_fd, output);
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    status = 1;
  }
  _exit(status);
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
    if (!line_.empty() && listener_.message) listener_.message(line_);
    line_.clear();
  }

  std::string Failure(int status) const {
    if (exception_.find(" threw ") != std::string::npos) return KenlmMessage(exception_);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "killed, probably for lack of memory; lower -S";
    if (WIFSIGNALED(status)) return std::string("ended by signal: ") + strsignal(WTERMSIG(status));
    return "exit status " + std::to_string(WEXITSTATUS(status));
  }

 private:
  const PipelineListener& listener_;
  std::string line_;
  std::string exception_;
};

// Reads once from a descriptor that is ready; false at its end.
template <class Use>
bool ReadSome(int fd, std::string* buffer, const Use& use) {
  const ssize_t got = read(fd, buffer->data(), buffer->size());
  if (got < 0) {
    if (errno == EINTR || errno == EAGAIN) return true;
    throw Error(std::string("cannot read from the estimator: ") + std::strerror(errno));
  }
  if (got > 0) use(std::string_view(buffer->data(), static_cast<size_t>(got)));
  return got > 0;
}

}  // namespace

void RunPipeline(const lm::builder::PipelineConfig& config, int text_fd, const PipelineListener& listener) {
  Pipe arpa, said;
  const pid_t id = fork();
  if (id < 0) throw Error(std::string("cannot start the estimator: ") + std::strerror(errno));
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
      throw Error(std::string("cannot wait for the estimator: ") + std::strerror(errno));
    }
    if (ready[0].revents != 0 && !ReadSome(ready[0].fd, &buffer, listener.arpa)) ready[0].fd = -1;
    if (ready[1].revents != 0 && !ReadSome(ready[1].fd, &buffer, [&](std::string_view bytes) { messages.Add(bytes); }))
      ready[1].fd = -1;
  }
  messages.EndLine();
  const int status = child.Wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("the language model cannot be estimated: " + messages.Failure(status));
}

}  // namespace graft::engine
