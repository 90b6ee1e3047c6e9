#include "pipeline/ledger.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "graft/error.h"
#include "util/file_operations.h"
#include "util/output_file.h"
#include "util/system_error.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string Hex(XXH128_hash_t hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

Json WithoutSum(const LedgerEntry& entry) {
  return {{"key", entry.key},
          {"outputs", entry.outputs},
          {"facts", entry.facts},
          {"seconds", entry.seconds},
          {"peak_bytes", entry.peak_bytes}};
}

// Of all that is kept under the name of a step.
std::string SumOf(const std::string& step, const LedgerEntry& entry) {
  return HashText(step + "\n" + WithoutSum(entry).dump());
}

Json ToJson(const std::string& step, const LedgerEntry& entry) {
  Json json = WithoutSum(entry);
  json["sum"] = SumOf(step, entry);
  return json;
}

std::optional<LedgerEntry> FromJson(const nlohmann::json& json) {
  try {
    LedgerEntry entry;
    json.at("key").get_to(entry.key);
    json.at("outputs").get_to(entry.outputs);
    json.at("facts").get_to(entry.facts);
    json.at("seconds").get_to(entry.seconds);
    if (!json.at("peak_bytes").is_number_unsigned() || !IsStored<double>(entry.seconds) || entry.seconds < 0)
      return std::nullopt;
    json.at("peak_bytes").get_to(entry.peak_bytes);
    return entry;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string HashText(std::string_view text) { return Hex(XXH3_128bits(text.data(), text.size())); }

std::string HashFile(const std::string& path, const StopCheck& stop) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) FailSystem("open", path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> buffer(size_t{1} << 20);
  for (size_t read = 0; (read = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0;) {
    stop.Poll();
    XXH3_128bits_update(state.get(), buffer.data(), read);
  }
  if (std::ferror(file.get()) != 0) FailSystem("read", path);
  return Hex(XXH3_128bits_digest(state.get()));
}

Ledger::Ledger(std::string folder) : folder_(std::move(folder)) {
  // Whatever is not what was written is as if it were not there.
  try {
    const std::string path = folder_ + "/ledger.json";
    RequireRegularFile(path);
    const auto json = nlohmann::json::parse(ReadWholeFile(path));  // its objects are found by key, however many
    if (json.at("format") != kFormat) return;
    const nlohmann::json& steps = json.at("steps");
    // One of before there were sums has none at all.
    const bool sums = std::any_of(steps.begin(), steps.end(), [](const auto& entry) { return entry.contains("sum"); });
    for (const auto& [step, json_entry] : steps.items()) {
      std::optional<LedgerEntry> entry = FromJson(json_entry);
      if (entry && (!sums || json_entry.value("sum", nlohmann::json()) == SumOf(step, *entry)))
        entries_[step] = std::move(*entry);
    }
  } catch (const nlohmann::json::exception&) {
  } catch (const Error&) {
  }
}

std::string Ledger::PathOf(const std::string& output) const { return (fs::path(folder_) / output).string(); }

std::string Ledger::NameOf(const std::string& output) const {
  if (fs::path(output).is_relative()) return output;
  const fs::path folder = fs::absolute(folder_).lexically_normal();
  return fs::path(output).lexically_normal().lexically_proximate(folder).string();
}

const LedgerEntry* Ledger::Find(const std::string& step, const std::string& key,
                                const std::vector<std::string>& outputs, const StopCheck& stop) const {
  const auto found = entries_.find(step);
  if (found == entries_.end() || found->second.key != key) return nullptr;
  const std::map<std::string, std::string>& made = found->second.outputs;
  std::set<std::string> promised;
  for (const std::string& output : outputs) {
    const auto hash = made.find(*promised.insert(NameOf(output)).first);
    const std::string path = PathOf(output);
    std::error_code ignored;
    if (hash == made.end() || !fs::is_regular_file(path, ignored) || HashFile(path, stop) != hash->second)
      return nullptr;
  }
  return promised.size() == made.size() ? &found->second : nullptr;
}

const LedgerEntry& Ledger::Record(const std::string& step, LedgerEntry entry, const std::vector<std::string>& outputs) {
  entry.outputs.clear();
  for (const std::string& output : outputs) entry.outputs[NameOf(output)] = HashFile(PathOf(output));
  LedgerEntry& stored = entries_[step] = std::move(entry);
  Json steps = Json::object();
  for (const auto& [name, one] : entries_) steps[name] = ToJson(name, one);
  OutputFile file(folder_ + "/ledger.json");
  file.Write(Json{{"format", kFormat}, {"steps", steps}}.dump(1) + "\n");
  file.Close();
  return stored;
}

}  // namespace graft::engine
