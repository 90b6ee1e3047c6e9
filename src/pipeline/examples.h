// Sentences of a test set that show how systems differ, chosen by the differences of their translations' scores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "graft/reporter.h"
#include "search/translation.h"

namespace graft::engine {

struct ExampleRequest {
  std::string source;                   // prepared test set
  std::vector<std::string> references;  // files
  std::string outputs[2];               // translations to compare
  int count = 6;
};

// Half of the examples are the sentences that the second output translates best in comparison with the first, by BLEU
// of the sentence, half the reverse, and never two alike. Sentences of 5 to 20 words; where there are too few, any.
// Written to `path` as JSON: [{"sentence": 17, "source": […], "heads": […], "reference": "…"}].
void ChooseExamples(const ExampleRequest& request, const std::string& path, const Reporter& reporter);

}  // namespace graft::engine
