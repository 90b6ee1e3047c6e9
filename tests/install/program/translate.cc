// A user's program: translates stdin with the model named, line by line, in several ways that must agree.
#include <graft/graft.h>

#include <cstdio>
#include <future>
#include <iostream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#if defined(KENLM_MAX_ORDER) || defined(FMT_SHARED) || defined(FMT_VERSION) || defined(BOOST_VERSION)
#error "settings of Graft's own build"
#endif
#if __has_include(<lm/model.hh>) || __has_include(<util/file_piece.hh>)
#error "headers of KenLM"
#endif

namespace {

// Each as a call of its own, all through the queue, and all as a stream: callbacks and futures cross the border too.
std::vector<std::string> TranslateAll(const graft::Translator& translator, const std::vector<graft::Input>& inputs) {
  std::vector<std::future<graft::Result>> waiting;
  for (const graft::Input& input : inputs) waiting.push_back(translator.Submit(input));
  std::vector<std::string> streamed;
  auto next = inputs.begin();
  translator.TranslateStream(
      [&](graft::Input* input) {
        if (next == inputs.end()) return false;
        *input = *next++;
        return true;
      },
      [&](graft::Result&& result) { streamed.push_back(std::move(result.text)); });
  for (size_t i = 0; i < inputs.size(); ++i)
    if (waiting[i].get().text != streamed.at(i) || translator.Translate(inputs[i]).text != streamed[i])
      throw graft::Error("translations of line " + std::to_string(i + 1) + " differ");
  return streamed;
}

// An exception of the library is caught by its own type, and one of the program comes through the library.
bool ExceptionsArrive(const graft::Translator& translator) {
  int caught = 0;
  std::stop_source stop;
  stop.request_stop();
  try {
    translator.Translate("eins", {.stop = stop.get_token()});
  } catch (const graft::Stopped& stopped) {
    if (!stopped.late()) ++caught;
  }
  try {
    translator.TranslateStream([](graft::Input*) -> bool { throw std::out_of_range("mine"); }, [](graft::Result&&) {});
  } catch (const std::out_of_range&) {
    ++caught;
  }
  return caught == 2;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const graft::Translator translator(graft::Model::Open(argv[1]), {.threads = 2});
  std::vector<graft::Input> inputs;
  for (std::string line; std::getline(std::cin, line);) inputs.push_back(graft::Input::Line(line));
  for (const std::string& text : TranslateAll(translator, inputs)) std::puts(text.c_str());
  return ExceptionsArrive(translator) ? 0 : 4;
} catch (const graft::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
