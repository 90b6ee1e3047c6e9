// A setting is declared once: added to a copy of a table, it is on the command line, in --help, in TOML both ways, in
// rejections and suggestions, and on the reference page.
#include "cli/option_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common.h"
#include "graft/error.h"
#include "model/model_tables.h"
#include "pipeline/train_tables.h"
#include "util/option_toml.h"

namespace graft::engine::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The table of [system] with one more setting: a number that only systems with sub-pairs have.
SystemTable WithOneMore() {
  SystemTable table = SystemOptionTable();
  table.options.push_back({.key = "max_nonterminals",
                           .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::max_nonterminals),
                           .help = "Non-terminals of a rule",
                           .flag = "--max-nonterminals",
                           .range = {1, 2},
                           .applies = [](const SystemSpec& preset) { return preset.grammar.mgs > 0; }});
  return table;
}

// What the command line makes of arguments, or the message.
std::string SystemOf(const SystemTable& table, const std::string& arguments) {
  CLI::App app;
  SystemOption system(table);
  system.AddTo(&app);
  try {
    app.parse(arguments);
    return ToToml(system.Spec(), table);
  } catch (const std::exception& error) {
    return error.what();
  }
}

template <class Call>
std::string ErrorOf(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(OptionTableTest, OneMoreSettingIsAFlag) {
  const SystemTable table = WithOneMore();
  EXPECT_THAT(SystemOf(table, "--system hpbmt --max-nonterminals 1"), HasSubstr("\nmax_nonterminals = 1\n"));
  EXPECT_THAT(SystemOf(table, "--system hpbmt"), HasSubstr("\nmax_nonterminals = 2\n"));
  EXPECT_THAT(SystemOf(SystemOptionTable(), "--system hpbmt"), Not(HasSubstr("max_nonterminals")));
  CLI::App app;
  SystemOption system(table);
  system.AddTo(&app);
  EXPECT_THAT(app.help(), HasSubstr("--max-nonterminals N=2"));
  EXPECT_THAT(app.help(), HasSubstr("Non-terminals of a rule"));
}

TEST(OptionTableTest, OneMoreSettingIsReadAndWritten) {
  const SystemTable table = WithOneMore();
  const SystemSpec spec = SystemSpecFromToml("name = \"serg\"\nmax_nonterminals = 1\n", table);
  EXPECT_EQ(spec.grammar.max_nonterminals, 1);
  EXPECT_THAT(ToToml(spec, table), HasSubstr("upos = false\nmax_nonterminals = 1\n"));
  EXPECT_EQ(SystemSpecFromToml(ToToml(spec, table), table), spec);
  EXPECT_THAT(ErrorOf([&] { SystemSpecFromToml("name = \"serg\"\nmax_nonterminals = true\n", table); }),
              HasSubstr("max_nonterminals must be a whole number"));
}

TEST(OptionTableTest, OneMoreSettingIsRejectedWhereItMeansNothing) {
  const SystemTable table = WithOneMore();
  const std::string rejected = " means nothing for pbmt; it is for hpbmt, serg, gramgbmt-b, gramgbmt-c";
  EXPECT_EQ(SystemOf(table, "--system pbmt --max-nonterminals 1"), "--max-nonterminals" + rejected);
  EXPECT_EQ(ErrorOf([&] { SystemSpecFromToml("name = \"pbmt\"\nmax_nonterminals = 1\n", table); }),
            "max_nonterminals" + rejected);
  EXPECT_EQ(SystemOf(table, "--system hpbmt --max-nonterminals 3"), "max nonterminals is 3; it must be 1 to 2");
  EXPECT_THAT(ErrorOf([&] { SystemSpecFromToml("name = \"hpbmt\"\nmax_nonterminal = 1\n", table); }),
              HasSubstr("did you mean `max_nonterminals`?"));
}

TEST(OptionTableTest, OneMoreSettingIsOnTheReferencePage) {
  EXPECT_THAT(
      ReferenceSection("[system]", "", Describe(WithOneMore(), SystemCases())),
      HasSubstr("| `max_nonterminals` | `--max-nonterminals` | Non-terminals of a rule | a whole number, 1 to 2 "
                "| 2 | hpbmt, serg, gramgbmt-b, gramgbmt-c |\n"));
}

// The same of a table without a system.
TEST(OptionTableTest, FlagsSetTheStruct) {
  OptionTable<graft::TuneOptions> table = TuneOptionTable();
  table.options.push_back({.key = "nbest",
                           .field = Member(&graft::TuneOptions::nbest),
                           .help = "Derivations",
                           .flag = "--nbest",
                           .range = {2, 10'000}});
  CLI::App app;
  graft::TuneOptions options;
  AddFlags(&app, table, {}, &options);
  EXPECT_THAT(app.help(), HasSubstr("--nbest N:2 to 10000=100"));
  app.parse("--nbest 7 --method paper --seed 5");
  EXPECT_EQ(options.nbest, 7);
  EXPECT_EQ(options.method, "paper");
  EXPECT_EQ(options.seed, 5u);
  const auto error = [&](const std::string& arguments) {
    try {
      app.parse(arguments);
    } catch (const CLI::ParseError& caught) {
      return std::string(caught.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("--nbest 1"), HasSubstr("--nbest: Value 1 not in range 2 to 10000"));
  EXPECT_THAT(error("--method mert"), HasSubstr("--method"));

  const toml::table read = toml::parse("nbest = 9\nruns = 3\n");
  ReadOptions("t.toml", table, read, &options);
  EXPECT_EQ(options.nbest, 9);
  EXPECT_EQ(WriteOptions(table, Anything(), options),
            "method = \"paper\"\nruns = 3\nseed = 5\niterations = 25\nnbest = 9\n");
  EXPECT_THAT(ErrorOf([&] { ReadOptions("t.toml", table, toml::parse("nbset = 9\n"), &options); }),
              HasSubstr("unknown key tune.nbset; did you mean `nbest`?"));
  EXPECT_THAT(ErrorOf([&] { ReadOptions("t.toml", table, toml::parse("nbest = 1\n"), &options); }),
              HasSubstr("tune.nbest: must be between 2 and 10000"));
}

TEST(OptionTableTest, WhatDiffersAmongSystemsIsSaid) {
  const auto length = Describe(*SystemOptionTable().Find("max_length"), SystemCases());
  EXPECT_EQ(length.default_text, "7; hpbmt, serg, gramgbmt-b, gramgbmt-c 10");
  const auto span = Describe(*SearchOptionTable().Find("max_span"), SearchCases());
  EXPECT_EQ(span.range_text, "1 to 48; hpbmt, serg, gramgbmt-c 1 to 250");
  const auto floating = Describe(*SystemOptionTable().Find("floating"), SystemCases());
  EXPECT_THAT(floating.subjects, ElementsAre("dep2str"));
}

// Keys are unique, and every setting has a help text.
TEST(OptionTableTest, TablesAreInOrder) {
  std::vector<std::string> keys = SystemOptionTable().Keys();
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  for (const auto& option : SystemOptionTable().options) {
    EXPECT_FALSE(option.flag.empty()) << option.key;
    EXPECT_FALSE(option.help.empty()) << option.key;
  }
  for (const auto& option : SearchOptionTable().options) EXPECT_FALSE(option.help.empty()) << option.key;
}

}  // namespace
}  // namespace graft::engine::cli
