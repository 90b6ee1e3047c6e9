// A user's program with a KenLM of its own: prints the score of each line of stdin, then its translation.
#include <graft/graft.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "lm/model.hh"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::unique_ptr<const lm::base::Model> lm(lm::ngram::LoadVirtual(argv[2]));
  const graft::Translator translator(graft::Model::Open(argv[1]));
  for (std::string line; std::getline(std::cin, line);) {
    lm::ngram::State state, next;
    lm->BeginSentenceWrite(&state);
    float score = 0;
    std::istringstream words(line);
    for (std::string word; words >> word; state = next)
      score += lm->BaseScore(&state, lm->BaseVocabulary().Index(word), &next);
    std::printf("%.4f\n%s\n", score, translator.Translate(graft::Input::Line(line)).text.c_str());
  }
}
