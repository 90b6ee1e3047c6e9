#include "fuzz/targets/model_folders.h"

#include <filesystem>

#include "fuzz/fuzz_target.h"
#include "lm/language_model.h"
#include "table/table_writer.h"

namespace graft::engine::fuzz {
namespace {

constexpr const char* kArpa =
    "\\data\\\nngram 1=5\nngram "
    "2=2\n\n\\1-grams:\n-2\t<unk>\n-99\t<s>\t-0.3\n-1\t</s>\n-0.7\tx\t-0.2\n-0.9\tt1\t-0.1\n\n"
    "\\2-grams:\n-0.4\t<s> x\n-0.5\tx </s>\n\n\\end\\\n";

}  // namespace

std::string MakeModelFolder(const std::string& name, const ModelConfig& config) {
  static const std::string lm = [] {
    std::string path = ScratchPath("models.lm.bin");
    LanguageModel::WriteBinary(WriteScratch("models.arpa", kArpa), path);
    return path;
  }();
  std::string folder = ScratchPath(name);
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(lm, folder + "/lm.bin", std::filesystem::copy_options::overwrite_existing);
  WriteModelToml(folder + "/model.toml", config);
  return folder;
}

std::string SmallModelFolder(const std::string& name, const ModelConfig& config) {
  std::string folder = ScratchPath(name);
  if (std::filesystem::exists(folder)) return folder;
  MakeModelFolder(name, config);
  TableHeader header;
  header.spec = config.system;
  header.source_words = {"a"};
  header.target_words = {"x"};
  header.signatures = {0};
  header.alignments = {"0-0"};
  TableWriter writer(folder + "/rules.graft", header);
  const SourceSymbol source{0, 0};
  TableEntry entry;
  entry.target = {TargetWord(0)};
  writer.Add({&source, 1}, {&entry, 1});
  writer.Finish();
  return folder;
}

}  // namespace graft::engine::fuzz
