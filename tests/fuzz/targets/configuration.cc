// Configurations: train.toml, experiment.toml, model.toml, weights.toml, and one --set on top.
#include "fuzz/targets/systems.h"
#include "model/model_config.h"
#include "pipeline/experiment_config.h"
#include "pipeline/train_config.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

// A byte for the kind of file, a line with an override (perhaps empty), the file.
void RunToml(std::string_view bytes) {
  ByteSource source(bytes);
  const int kind = source.Below(4);
  const SystemSpec& spec = DrawSystem(&source);
  const std::string_view rest = source.Rest();
  const size_t line = std::min(rest.find('\n'), rest.size());
  std::vector<Override> overrides;
  if (line > 0) overrides.emplace_back(rest.substr(0, line));
  const std::string_view text = rest.substr(std::min(line + 1, rest.size()));
  // Files that a configuration names exist beside it.
  for (const char* name : {"a.conllu", "a.en", "a.align", "a.arpa"}) WriteScratch(name, "");
  const std::string path = WriteScratch("any.toml", text);
  switch (kind) {
    case 0: Accepts([&] { ReadTrainConfig(path, overrides); }); break;
    case 1: Accepts([&] { ReadExperimentConfig(path, overrides); }); break;
    case 2:
      Accepts([&] {
        const std::string written = ModelToml(ReadModelToml(path, overrides));
        Require(ModelToml(ReadModelToml(WriteScratch("again.toml", written), {})) == written,
                "a model.toml that does not read back");
      });
      break;
    default:
      Accepts([&] {
        ModelConfig config;
        config.system = spec;
        ReadWeightsFile(path, &config);
        const std::string written = WeightsFileToml(config);
        ReadWeightsFile(WriteScratch("again.toml", written), &config);
        Require(WeightsFileToml(config) == written, "a weights.toml that does not read back");
      });
  }
}

const bool registered = Register({"toml", "train.toml, experiment.toml, model.toml, weights.toml, --set", RunToml});

}  // namespace
}  // namespace graft::engine::fuzz
