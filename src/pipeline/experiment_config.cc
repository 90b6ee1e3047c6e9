#include "pipeline/experiment_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "graft/error.h"
#include "model/model_tables.h"
#include "pipeline/experiment_tables.h"
#include "pipeline/train_table.h"
#include "rules/system_options.h"
#include "util/option_toml.h"
#include "util/suggest.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

// Keys of [system] that say how the corpus is read, which is the same for all rows.
bool IsReadingKey(std::string_view key) { return ReadingOptionTable().Find(key) != nullptr; }

// Keys that tell rows of one system apart, in the order in which an id names them: what rules are made of before their
// limits. It does not depend on the order of the configuration.
std::vector<std::string> VariantKeys() {
  std::vector<std::string> keys = {"edge_labels", "pos", "mgs", "adjacent_nt"};
  for (const std::string& key : SystemOptionTable().Keys())
    if (key != "name" && key != "graph" && !IsReadingKey(key) && std::find(keys.begin(), keys.end(), key) == keys.end())
      keys.push_back(key);
  return keys;
}

std::string Text(const toml::table& table) {
  std::ostringstream text;
  text << table;
  return text.str();
}

template <class Has>
std::vector<std::string> FeatureNames(Has has) {
  std::vector<std::string> names;
  for (const FeatureGroup& group : kFeatureGroups)
    if (has(group.first)) names.emplace_back(group.name);
  return names;
}

class Reader {
 public:
  Reader(const std::string& path, const std::vector<Override>& overrides)
      : file_(path), text_(ReadTomlText(path)), overrides_(overrides), root_(Parsed()) {}

  ExperimentConfig Read() {
    ReadOutput();
    ReadRows();
    ReadBaselines();
    ReadConsensus();
    ReadReport();
    return std::move(config_);
  }

 private:
  // Parsed again for every row: copies of a table forget the lines that messages are to name.
  toml::table Parsed() const {
    toml::table root = ParseTomlText(text_, file_);
    for (const Override& one : overrides_) ApplyOverride(one, &root);
    return root;
  }

  TomlPlace At(std::string key) const { return {file_, std::move(key)}; }

  void ReadOutput() {
    const toml::node* output = root_.get("output");
    if (output == nullptr) throw Error(file_ + ": has no `output = \"…\"`, the folder for the results");
    const std::string name = At("output").String(*output);
    if (name.empty()) At("output").Fail(*output, "names no folder");
    config_.output = (fs::path(file_).parent_path() / name).lexically_normal().string();
    while (config_.output.size() > 1 && config_.output.back() == '/') config_.output.pop_back();
  }

  void ReadRows() {
    const toml::node* rows = root_.get("row");
    const toml::array* list = rows == nullptr ? nullptr : rows->as_array();
    if (rows != nullptr && (list == nullptr || !list->is_array_of_tables()))
      At("row").Fail(*rows, "rows are tables: [[row]]");
    const toml::table* system = root_["system"].as_table();
    if (system != nullptr && system->contains("name"))
      AddRow(*system, [](toml::table& root) { return root["system"].as_table(); });
    for (size_t k = 0; list != nullptr && k < list->size(); ++k)
      AddRow(*list->get_as<toml::table>(k), [k](toml::table& root) { return root["row"][k].as_table(); });
    if (config_.rows.empty()) throw Error(file_ + ": has no [[row]] tables, one for each system to compare");
    CheckUse("search", SearchOptionTable().Keys());
    CheckUse("weights", FeatureNames([](Feature) { return true; }));
    ShareOneReading();
    if (config_.common().tests.empty()) throw Error(file_ + ": has no [test.NAME] set to compare the systems on");
  }

  // What [system] says of reading goes to every row that can use it; what the row says itself comes first.
  toml::table SystemOf(const toml::table& row) const {
    toml::table system = row;
    system.erase("id");
    system.erase("search");
    const toml::table* common = root_["system"].as_table();
    if (common == nullptr) return system;
    const SystemSpec spec = Spec(row, system);
    for (const auto& [key, node] : *common) {
      if (!IsReadingKey(key.str())) {
        if (common->contains("name")) continue;
        UnknownTomlKey(file_, "system", key, ReadingOptionTable().Keys());
      }
      if (system.contains(key.str()) || !ReadingOptionTable().Find(key.str())->AppliesTo(spec)) continue;
      system.insert(key, node);
    }
    return system;
  }

  SystemSpec Spec(const toml::table& row, const toml::table& system) const {
    for (const auto& [key, node] : system) {
      std::vector<std::string> known = SystemOptionTable().Keys();
      for (const std::string& other : RowOptionTable().Keys()) known.push_back(other);
      known.emplace_back("search");
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) UnknownTomlKey(file_, "row", key, known);
    }
    try {
      return SystemSpecFromToml(Text(system));
    } catch (const Error& error) {
      FailInSection(file_, "[[row]]", row, error.what());
    }
  }

  // `find` finds the row in the whole file parsed again.
  template <class Find>
  void AddRow(const toml::table& row, Find find) {
    const toml::table system = SystemOf(row);
    const SystemSpec spec = Spec(row, system);
    ExperimentRow made;
    made.id = RowId(spec);
    if (const toml::node* id = row.get("id")) {
      made.id = ReadId(At("row.id"), *id);
    }
    for (const ExperimentRow& other : config_.rows)
      if (other.id == made.id)
        throw Error::At(file_, row.source().begin.line,
                        fmt::format("[[row]]: there is a row {} already; give one of them an id of its own", made.id));
    toml::table train = Parsed();
    toml::table same_row = std::move(*find(train));
    for (const char* key : {"row", "baselines", "consensus", "report"}) train.erase(key);
    train.insert_or_assign("output", toml::value<std::string>(fs::absolute(config_.InOutput("rows/" + made.id))));
    train.insert_or_assign("system", system);
    KeepMeaningful(SearchOptionTable().Keys(spec), "search", &train);
    KeepMeaningful(FeatureNames([&](Feature feature) { return HasFeature(spec, feature); }), "weights", &train);
    const toml::table without_own = train;
    if (toml::node* own = same_row.get("search")) {
      if (!own->is_table()) At("row.search").Fail(*own, "must be a table: [row.search]");
      if (!train.contains("search")) train.insert("search", toml::table{});
      for (auto&& [key, node] : *own->as_table()) {
        std::ostringstream value;
        node.visit([&](const auto& concrete) { value << concrete; });
        made.own_search.push_back(fmt::format("{}={}", key.str(), value.str()));
        train["search"].as_table()->insert_or_assign(key, std::move(node));
      }
    }
    made.train = ReadTrainTable(file_, std::move(train));
    if (config_.rows.empty()) config_.search = ReadTrainTable(file_, without_own).search;
    made.train.shared = config_.InOutput("shared");
    config_.rows.push_back(std::move(made));
  }

  static std::string ReadId(const TomlPlace& place, const toml::node& node) {
    const std::string id = place.String(node);
    const auto plain = [](unsigned char c) { return c == '-' || c == '_' || c == '+' || std::isalnum(c) != 0; };
    if (id.empty() || !std::all_of(id.begin(), id.end(), plain))
      place.Fail(node, "becomes the name of a folder; use letters, digits, - _ and +");
    return id;
  }

  // Leaves the keys of a section that mean something for a row's system.
  void KeepMeaningful(const std::vector<std::string>& meaningful, const char* section, toml::table* train) {
    toml::table* table = (*train)[section].as_table();
    if (table == nullptr) return;
    std::vector<std::string> foreign;
    for (const auto& [key, node] : *table)
      if (std::find(meaningful.begin(), meaningful.end(), key.str()) == meaningful.end())
        foreign.emplace_back(key.str());
    for (const std::string& key : foreign) table->erase(key);
    meaningful_[section].insert(meaningful.begin(), meaningful.end());
  }

  // A key that means nothing for any row is a mistake. `all` are those that mean something for some system.
  void CheckUse(const char* section, const std::vector<std::string>& all) const {
    const toml::table* table = root_[section].as_table();
    if (table == nullptr) return;
    const std::set<std::string>& meaningful = meaningful_.at(section);
    for (const auto& [key, node] : *table) {
      if (meaningful.contains(std::string(key.str()))) continue;
      if (std::find(all.begin(), all.end(), key.str()) != all.end())
        At(fmt::format("{}.{}", section, key.str())).Fail(node, "means nothing for any of the rows");
      UnknownTomlKey(file_, section, key, {meaningful.begin(), meaningful.end()});
    }
  }

  // Systems without trees do not say how trees are read: they read what the others do.
  void ShareOneReading() {
    const ExperimentRow* first = nullptr;
    for (const ExperimentRow& row : config_.rows)
      if (row.train.system.reads_tree() && first == nullptr) first = &row;
    if (first == nullptr) first = &config_.rows.front();
    const SourceOptions reading = first->train.reading;
    for (ExperimentRow& row : config_.rows) {
      const SourceOptions& own = row.train.reading;
      const bool same_tree = own.upos == reading.upos && own.projectivise == reading.projectivise;
      if (own.words != reading.words || (row.train.system.reads_tree() && !same_tree))
        throw Error(
            fmt::format("{}: the rows {} and {} read the corpus in different ways; they share one: put words, "
                        "upos and projectivise into [system]",
                        file_, first->id, row.id));
      row.train.reading = reading;
    }
  }

  size_t RowIndex(const TomlPlace& place, const toml::node& node, const std::string& id) const {
    std::vector<std::string> ids;
    for (const ExperimentRow& row : config_.rows) ids.push_back(row.id);
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end()) place.Fail(node, "there is no row `" + id + "`" + Suggestion(id, ids));
    return static_cast<size_t>(found - ids.begin());
  }

  std::vector<size_t> RowIndexes(const TomlPlace& place, const toml::node& node) const {
    std::vector<size_t> indexes;
    for (const std::string& id : place.Strings(node)) {
      const size_t index = RowIndex(place, node, id);
      if (std::find(indexes.begin(), indexes.end(), index) != indexes.end())
        place.Fail(node, "`" + id + "` is named twice");
      indexes.push_back(index);
    }
    return indexes;
  }

  void ReadBaselines() {
    const toml::node* baselines = root_.get("baselines");
    if (baselines != nullptr) config_.baselines = RowIndexes(At("baselines"), *baselines);
    if (config_.baselines.size() > 2)
      At("baselines").Fail(*baselines, "at most two: the first is marked *, the second +");
  }

  void ReadConsensus() {
    const toml::node* node = root_.get("consensus");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || !list->is_array_of_tables()) At("consensus").Fail(*node, "is a table: [[consensus]]");
    for (const toml::node& item : *list) {
      const toml::table& table = *item.as_table();
      ConsensusSettings settings;
      ReadOptions({file_, "consensus"}, ConsensusOptionTable(), table, &settings);
      ConsensusRow row{.combine = settings.combine};
      if (!config_.consensus.empty()) row.id = fmt::format("consensus{}", config_.consensus.size() + 1);
      if (const toml::node* id = table.get("id")) row.id = ReadId(At("consensus.id"), *id);
      if (const toml::node* rows = table.get("rows")) row.rows = RowIndexes(At("consensus.rows"), *rows);
      if (row.rows.empty()) At("consensus").Fail(item, "needs rows = [\"…\"], whose lists it is about");
      const auto same = [&](const auto& other) { return other.id == row.id; };
      if (std::any_of(config_.rows.begin(), config_.rows.end(), same) ||
          std::any_of(config_.consensus.begin(), config_.consensus.end(), same))
        At("consensus.id").Fail(item, "there is a row " + row.id + " already");
      config_.consensus.push_back(std::move(row));
    }
  }

  void ReadReport() {
    size_t* examples = config_.report.example_rows;
    examples[0] = examples[1] = config_.baselines.empty() ? 0 : config_.baselines.front();
    const auto is_baseline = [&](size_t row) {
      return std::find(config_.baselines.begin(), config_.baselines.end(), row) != config_.baselines.end();
    };
    for (size_t row = config_.rows.size(); row-- > 0;)  // the first that is no baseline, or else any other
      if (row != examples[0] && (!is_baseline(row) || examples[1] == examples[0] || is_baseline(examples[1])))
        examples[1] = row;
    const toml::node* node = root_.get("report");
    if (node == nullptr) return;
    if (!node->is_table()) At("report").Fail(*node, "must be a table");
    const toml::table& table = *node->as_table();
    ReportSettings settings{.numbers = config_.report};
    ReadOptions({file_, "report"}, ReportOptionTable(), table, &settings);
    config_.report = settings.numbers;
    if (const toml::node* test = table.get("test")) config_.report.test = TestIndex(At("report.test"), *test);
    if (const toml::node* rows = table.get("example_rows")) ReadExampleRows(At("report.example_rows"), *rows);
  }

  size_t TestIndex(const TomlPlace& place, const toml::node& node) const {
    std::vector<std::string> names;
    for (const auto& test : config_.common().tests) names.push_back(test.first);
    const std::string name = place.OneOf(node, names);
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  void ReadExampleRows(const TomlPlace& place, const toml::node& node) {
    const std::vector<size_t> rows = RowIndexes(place, node);
    if (rows.size() != 2) place.Fail(node, "names two rows");
    std::copy(rows.begin(), rows.end(), config_.report.example_rows);
  }

  const std::string file_;
  const std::string text_;
  const std::vector<Override>& overrides_;
  const toml::table root_;
  std::map<std::string, std::set<std::string>> meaningful_;  // by section: keys that some row has
  ExperimentConfig config_;
};

}  // namespace

SystemSpec PlainSystem(const SystemSpec& system) {
  SystemOptions plain{{"name", system.name}};
  if (system.takes.graph) plain["graph"] = std::string(GraphName(system.graph));
  return MakeSystemSpec(plain);
}

std::vector<std::string> OwnSettings(const SystemSpec& system) {
  const SystemSpec plain = PlainSystem(system);
  std::vector<std::string> own;
  for (const std::string& key : VariantKeys()) {
    const auto& option = *SystemOptionTable().Find(key);
    const OptionValue value = option.field.Get(system);
    if (!option.AppliesTo(system) || value == option.field.Get(plain)) continue;
    std::string word = key;
    std::replace(word.begin(), word.end(), '_', '-');
    if (const bool* on = std::get_if<bool>(&value))
      own.push_back((*on ? "" : "no-") + word);
    else
      own.push_back(word + TomlText(value));
  }
  return own;
}

std::string RowId(const SystemSpec& system) {
  std::string id = system.name;
  if (system.takes.graph) id += "-" + std::string(GraphName(system.graph));
  for (const std::string& setting : OwnSettings(system)) id += "-" + setting;
  return id;
}

ExperimentConfig ReadExperimentConfig(const std::string& path, const std::vector<Override>& overrides) {
  return Reader(path, overrides).Read();
}

}  // namespace graft::engine
