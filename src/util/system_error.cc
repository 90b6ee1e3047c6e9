#include "util/system_error.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "graft/error.h"
#include "util/memory_size.h"
#include "util/quantities.h"

namespace graft::engine {
namespace {

std::string_view Advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space, or write elsewhere";
    case EROFS: return "write elsewhere";
    case EACCES:
    case EPERM: return "change the permissions of the file or its folder, or use another";
    case EFBIG: return "raise the limit of file sizes (ulimit -f), or write elsewhere";
    case EMFILE:
    case ENFILE: return "raise the limit of open files (ulimit -n)";
    case EIO: return "the disk, or the way to it, fails: check it, and use another";
    case ESTALE: return "the file changed on its server: start again";
    case ENAMETOOLONG: return "choose a shorter name";
    case ENOTDIR: return "a part of the name is a file and no folder";
    case ENOMEM: return "give a smaller -S or fewer --threads, or use a machine with more memory";
    default: return "";
  }
}

// The most that was in use: what failed has been given back by the time it is told.
uint64_t PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

// The words of a std::error_code, which need not be of errno.
std::string ReasonOf(const std::error_code& code) {
  const bool of_errno = code.category() == std::system_category() || code.category() == std::generic_category();
  return of_errno ? SystemReason(code.value()) : code.message();
}

}  // namespace

std::string SystemReason(int error) {
  const std::string_view advice = Advice(error);
  return advice.empty() ? std::strerror(error) : fmt::format("{}; {}", std::strerror(error), advice);
}

void FailSystem(std::string_view what, std::string_view file, int error) {
  throw Error(fmt::format("cannot {} {}: {}", what, file, SystemReason(error)));
}

std::string MemoryReason(uint64_t bytes) {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return fmt::format(
      "not enough memory{}: up to {} were in use, and {} {}; give a smaller -S where there is one, or fewer "
      "--threads{}",
      bytes == 0 ? "" : " for another " + FormatBytes(bytes), FormatBytes(PeakBytes()),
      limited ? "the limit of this process (ulimit -v) is" : "this machine has",
      FormatBytes(limited ? limit.rlim_cur : ParseMemorySize("100%")),
      limited ? ", or raise the limit" : ", or use a machine with more memory");
}

std::string FailureText(const std::exception& failure) {
  if (dynamic_cast<const Error*>(&failure) != nullptr) return failure.what();
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return MemoryReason();
  if (dynamic_cast<const std::length_error*>(&failure) != nullptr)
    return fmt::format("something is too large for this machine ({}); look for a huge line or number in the input",
                       failure.what());
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure))
    return fmt::format("cannot use {}: {}", file->path1().string(), ReasonOf(file->code()));
  if (const auto* system = dynamic_cast<const std::system_error*>(&failure))
    return fmt::format("the system refused a call: {}", ReasonOf(system->code()));
  return fmt::format("{}; this should have been said better: please report it with the command", failure.what());
}

}  // namespace graft::engine
