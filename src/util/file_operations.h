// Copies, links and folders whose failures are Errors that name the files.
#pragma once

#include <string>

#include "util/stop_check.h"

namespace graft::engine {

// Makes `path` and the folders above it, where they are not there.
void MakeFolder(const std::string& path);
// Throws Error for what is there and no file: opening a pipe would wait for somebody to write into it. For files that
// are read more than once, or that belong to a model; anything else may come from a pipe.
void RequireRegularFile(const std::string& path);
// The bytes of a file that is understood as a whole. Throws Error for more than kMostWholeBytes: a wrong file, or a
// device without end.
std::string ReadWholeFile(const std::string& path);
// `to` becomes a copy of `from`; what it held before is replaced. Throws Stopped as `stop` says.
void CopyFile(const std::string& from, const std::string& to, const StopCheck& stop = {});
// Another name for the same file, or a copy where the disk does not allow it. Replaces `to`.
void LinkOrCopy(const std::string& from, const std::string& to, const StopCheck& stop = {});
void RenameFile(const std::string& from, const std::string& to);
// Nothing happens if it is not there.
void RemoveFile(const std::string& path);

}  // namespace graft::engine
