// Extraction against brute force (oracle/): any aligned graph of up to 7 words, any system and setting.
#include "fuzz/targets/systems.h"
#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "rules/system_options.h"

namespace graft::engine::fuzz {
namespace {

SystemSpec DrawSpec(ByteSource* source) {
  SystemOptions options;
  static const std::vector<const char*> names = {"pbmt",  "sdtu", "tbmt",       "seggbmt",    "seggbmt-union",
                                                 "hpbmt", "serg", "gramgbmt-c", "gramgbmt-b", "dep2str"};
  const std::string name = names[static_cast<size_t>(source->Below(static_cast<int>(names.size())))];
  options["name"] = name;
  const bool graph = FindPreset(name).takes.graph,
             grammar = name == "hpbmt" || name == "serg" || name.starts_with("gram");
  static const char* const graphs[] = {"tree", "dsg", "dbg"};
  if (graph) options["graph"] = graphs[source->Below(3)];
  if (graph || name == "seggbmt-union") options["edge_labels"] = source->Coin();
  if (name != "pbmt" && name != "sdtu" && name != "hpbmt") options["projectivise"] = source->Coin();
  if (name == "dep2str") {
    const bool blocks = source->Coin();
    options["blocks"] = blocks;
    if (blocks) options["floating"] = source->Coin();
    options["extend"] = source->Coin();
    return MakeSystemSpec(options);
  }
  const int length = source->Below(8);
  if (length > 0) options["max_length"] = length;
  if (grammar) {
    if (name != "hpbmt") options["pos"] = source->Coin();
    options["mgs"] = 1 + source->Below(3);
    options["adjacent_nt"] = source->Coin();
    const int symbols = source->Below(8);
    if (symbols > 0) options["max_symbols"] = symbols;
  }
  if (name == "sdtu" || name == "tbmt" || name.starts_with("seggbmt") || name == "gramgbmt-b") {
    const int span = source->Below(8);
    if (span > 0) options["max_extract_span"] = span;
  }
  return MakeSystemSpec(options);
}

oracle::Example DrawExample(ByteSource* source) {
  static const std::vector<std::string> words = {"a", "b", "[*]", "|||", "[X,1]", "&amp;", "größe"};
  static const std::vector<std::string> tags = {"NN", "VV", "X", "P|Q"};
  oracle::Example example;
  const int n = 1 + source->Below(7), m = 1 + source->Below(7);
  for (int i = 0; i < n; ++i) {
    const uint8_t byte = source->Byte();
    example.source.push_back(words[byte % words.size()]);
    example.tags.push_back(tags[byte / 16 % tags.size()]);
  }
  for (int j = 0; j < m; ++j) example.target.push_back(words[source->Byte() % words.size()]);
  // Any forest: words join in the order that the bytes say, each below one that is there already or as a root.
  std::vector<int> waiting, joined;
  for (int i = 1; i <= n; ++i) waiting.push_back(i);
  example.heads.assign(static_cast<size_t>(n), 0);
  while (!waiting.empty()) {
    const auto next = waiting.begin() + source->Below(static_cast<int>(waiting.size()));
    const int head = source->Below(static_cast<int>(joined.size()) + 1);
    if (head > 0) example.heads[static_cast<size_t>(*next - 1)] = joined[static_cast<size_t>(head - 1)];
    joined.push_back(*next);
    waiting.erase(next);
  }
  for (int i = 0; i < n; ++i) {
    const uint8_t links = source->Byte();
    for (int j = 0; j < m; ++j)
      if ((links >> j & 1) != 0) example.links.emplace_back(i, j);
  }
  return example;
}

void Run(std::string_view bytes) {
  ByteSource source(bytes);
  const SystemSpec spec = DrawSpec(&source);
  const oracle::Example example = DrawExample(&source);
  Require(oracle::EngineExtract(example, spec) == oracle::BruteForceExtract(example, spec),
          "other rules than brute force finds: " + oracle::ToString(example) + "\n" + ToToml(spec));
}

const bool registered = Register({"extraction", "extraction of every system against brute force", Run, 64});

}  // namespace
}  // namespace graft::engine::fuzz
