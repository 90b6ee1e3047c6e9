// graft model: model folders assembled, described, checked, and accepted after changes on purpose.
#include <fmt/format.h>

#include <algorithm>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "graft/error.h"
#include "graft/model.h"
#include "graft/training_steps.h"
#include "model/model_new_table.h"
#include "util/output_file.h"

namespace graft::engine::cli {
namespace {

void AddNew(CLI::App* model) {
  auto options = std::make_shared<ModelFiles>();
  CLI::App* verb = model->add_subcommand("new", "Assemble a model from a table, a language model and weights");
  verb->add_option("--table", options->table, "Rule table (graft table build)")->required();
  verb->add_option("--lm", options->lm, "Language model: ARPA or KenLM binary")->required();
  verb->add_option("--weights", options->weights,
                   "TOML file with [weights], optionally [search] and [text]; default weights without it");
  verb->add_option("--truecase-source", options->truecase_source,
                   "Truecase model of the source (graft tokenise --truecase-train); needs --truecase-target");
  verb->add_option("--truecase-target", options->truecase_target, "Truecase model of the target");
  AddFlags(verb, ModelNewTable(), {}, options.get());
  verb->get_option("--languages")->expected(2);
  verb->add_option("-o,--output", options->output, "Folder to write")->required();
  verb->footer("Example:\n  graft model new --table rules.graft --lm lm.bin --weights weights.toml -o MODEL");
  verb->callback([options] { AssembleModel(*options); });
}

std::string Languages(const graft::ModelInfo& info) {
  if (info.source_language.empty()) return "not said";
  return info.source_language + " to " + info.target_language;
}

std::string TextOf(const graft::ModelInfo& info) {
  std::string text = info.reads_trees ? "parsed sentences" : info.tokenises ? "raw text" : "tokens";
  if (info.lowercase) text += ", lower-cased";
  if (info.truecase) text += ", truecased";
  return text;
}

std::string FilesOf(const graft::ModelState& state) {
  std::string text = fmt::format("{:<20}{:>14}  {}\n", "file", "bytes", "sum");
  for (const graft::ModelFile& file : state.files) {
    std::string sum = !state.sums ? "none" : !file.problem.empty() ? file.problem : "as written";
    if (state.sums && state.edited && file.name == "model.toml") sum = "edited";
    text += fmt::format("{:<20}{:>14}  {}\n", file.name, file.bytes, sum);
  }
  return text;
}

// What is wrong with the files comes out even where the model cannot be opened.
void Inspect(const std::string& folder) {
  const graft::ModelState state = graft::InspectModel(folder);
  OutputFile out("-");
  const auto line = [&](std::string_view name, const auto& value) {
    out.Write(fmt::format("{:<16}{}\n", name, value));
  };
  line("model", folder);
  try {
    const auto model = graft::Model::Open(folder);
    const graft::ModelInfo& info = model->info();
    line("system", fmt::format("{} ({})", info.title, info.system));
    line("languages", Languages(info));
    line("translates", TextOf(info));
    line("rules", info.rules);
    line("language model", fmt::format("order {}, {}", info.lm_order, info.lm_form));
    line("formats", fmt::format("model.toml 1, table {}, language model KenLM 5", info.table_format));
    line("sums", !state.sums    ? "none: written by an older version; `graft model seal` adds them"
                 : state.edited ? "as written, but for model.toml, which was edited"
                                : "as written");
    out.Write("\n" + FilesOf(state) + "\n" + model->Configuration());
  } catch (const Error&) {
    out.Write("\n" + FilesOf(state));
    out.Flush();
    throw;
  }
  out.Close();
}

void AddInspect(CLI::App* model) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb = model->add_subcommand("inspect", "Describe a model: system, languages, files, formats, weights");
  verb->add_option("MODEL", *folder, "Model folder")->required();
  verb->footer(
      "Of the rule table only the first page is compared with its sum; `graft model verify` reads all of it.\n"
      "Example:\n  graft model inspect MODEL");
  verb->callback([folder] { Inspect(*folder); });
}

void AddVerify(CLI::App* model) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb = model->add_subcommand("verify", "Read all of a model and check every sum and structure");
  verb->add_option("MODEL", *folder, "Model folder")->required();
  verb->footer("Exits with 1 and names the file if anything is damaged.\nExample:\n  graft model verify MODEL");
  verb->callback([folder] {
    graft::VerifyModel(*folder, ConsoleReporter());
    Note(*folder + ": every file is whole");
  });
}

void AddSeal(CLI::App* model) {
  auto folder = std::make_shared<std::string>();
  CLI::App* verb = model->add_subcommand("seal", "Accept the files of a model as they are now");
  verb->add_option("MODEL", *folder, "Model folder")->required();
  verb->footer(
      "Checks that the files make a model and writes their sums into model.toml: after an edit of model.toml or a new\n"
      "lm.bin, or for a model of a version without sums.\nExample:\n  graft model seal MODEL");
  verb->callback([folder] {
    graft::SealModel(*folder);
    Note(*folder + ": its files are sealed as they are");
  });
}

}  // namespace

void AddModel(CLI::App* app) {
  CLI::App* model = app->add_subcommand("model", "Work with model folders");
  model->require_subcommand(1);
  AddNew(model);
  AddInspect(model);
  AddVerify(model);
  AddSeal(model);
}

}  // namespace graft::engine::cli
