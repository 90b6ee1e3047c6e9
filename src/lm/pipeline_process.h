// KenLM's estimation pipeline in a process of its own. Its threads end the process with abort() when a disk is full or
// memory runs out, and it speaks to std::cerr; a library may do neither, so a child process runs it, and the parent
// reads what it writes.
#pragma once

#include <functional>
#include <string_view>

#include "lm/builder/pipeline.hh"  // KenLM

namespace graft::engine {

struct PipelineListener {
  std::function<void(std::string_view bytes)> arpa;    // the model, as text, in pieces
  std::function<void(std::string_view line)> message;  // lines KenLM says, as it says them
  std::function<void()> waiting;                       // several times a second; may be empty
};

// Runs the pipeline over the text in `text_fd` (read from its start). The prefix of its temporary files must be its
// own. Throws Error with KenLM's own message when it fails, and whatever the listener throws (the child is ended then).
void RunPipeline(const lm::builder::PipelineConfig& config, int text_fd, const PipelineListener& listener);

}  // namespace graft::engine
