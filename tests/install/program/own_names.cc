// A user's program with names that KenLM has too: the program's must be called here, and KenLM's inside the library.
#include <graft/graft.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

namespace lm::ngram {
class Config {
 public:
  Config();
  int value;
};
Config::Config() : value(1) {}
class Model {
 public:
  explicit Model(const char* file, const Config& config = Config());
  const char* file;
  int value;
};
Model::Model(const char* name, const Config& config) : file(name), value(config.value) {}
}  // namespace lm::ngram

namespace util {
int OpenReadOrThrow(const char*);
int OpenReadOrThrow(const char*) { return 2; }
uint64_t MurmurHashNative(const void*, size_t, uint64_t);
uint64_t MurmurHashNative(const void*, size_t, uint64_t) { return 4; }
class FilePiece {
 public:
  explicit FilePiece(const char* file);
  ~FilePiece();
  int value;
};
FilePiece::FilePiece(const char*) : value(8) {}
FilePiece::~FilePiece() {}
}  // namespace util

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const lm::ngram::Model own("none");
  const util::FilePiece piece("none");
  if (own.value + util::OpenReadOrThrow("none") + util::MurmurHashNative("none", 4, 0) + piece.value != 15) return 3;
  const graft::Translator translator(graft::Model::Open(argv[1]));
  for (std::string line; std::getline(std::cin, line);)
    std::puts(translator.Translate(graft::Input::Line(line)).text.c_str());
}
