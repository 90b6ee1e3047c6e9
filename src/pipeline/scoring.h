// Prepared sentences through a model, with their score.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graft/reporter.h"
#include "search/decoding_model.h"
#include "tune/tune.h"

namespace graft::engine {

// Reads what PrepareTexts wrote.
DevSet ReadPrepared(const std::string& source, const std::vector<std::string>& references, const Reporter& reporter);

// Translates the sentences, writes their tokens to `output`, one line each, and returns BLEU (tok:none).
double TranslateAndScore(const DecodingModel& model, const DevSet& set, int threads, const std::string& output,
                         std::string_view step, const Reporter& reporter);

}  // namespace graft::engine
