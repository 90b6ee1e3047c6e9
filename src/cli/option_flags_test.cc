// A setting is declared once: added to a copy of a table, it is on the command line, in --help, in TOML both ways, in
// rejections and suggestions, and on the reference page.
#include "cli/option_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/common.h"
#include "graft/error.h"
#include "model/model_tables.h"
#include "tune/tune_table.h"
#include "util/option_check.h"
#include "util/option_toml.h"

namespace graft::engine::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

bool HasSubPairs(const SystemSpec& preset) { return preset.grammar.mgs > 0; }

// The table of [system] with one more setting: a number that only systems with sub-pairs have. docs/adding-a-system.md
// shows this very entry.
SystemTable WithOneMore() {
  SystemTable table = SystemOptionTable();
  table.options.push_back({.key = "max_nonterminals",
                           .field = Member(&SystemSpec::grammar, &SystemSpec::Grammar::max_nonterminals),
                           .help = "Non-terminals of a rule",
                           .flag = "--max-nonterminals",
                           .range = {1, 2},
                           .applies = HasSubPairs});
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
  table.options.push_back({.key = "threads",
                           .field = Member(&graft::TuneOptions::threads),
                           .help = "Workers",
                           .flag = "--threads",
                           .range = {2, 1024}});
  CLI::App app;
  graft::TuneOptions options;
  AddFlags(&app, table, {}, &options);
  EXPECT_THAT(app.help(), HasSubstr("--threads N:2 to 1024=0"));
  app.parse("--threads 7 --method paper --seed 5");
  EXPECT_EQ(options.threads, 7);
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
  EXPECT_THAT(error("--threads 1"), HasSubstr("--threads: Value 1 not in range 2 to 1024"));
  EXPECT_THAT(error("--method mert"), HasSubstr("--method"));

  const std::string file = "t.toml";
  const auto read = [&](std::string_view toml) { ReadOptions({file, "tune"}, table, toml::parse(toml), &options); };
  read("threads = 9\nruns = 3\n");
  EXPECT_EQ(options.threads, 9);
  EXPECT_EQ(WriteOptions(table, Anything(), options),
            "method = \"paper\"\nruns = 3\nseed = 5\niterations = 25\nnbest = 100\nthreads = 9\n");
  EXPECT_THAT(ErrorOf([&] { read("thraeds = 9\n"); }), HasSubstr("unknown key tune.thraeds; did you mean `threads`?"));
  EXPECT_THAT(ErrorOf([&] { read("threads = 1\n"); }), HasSubstr("tune.threads: must be between 2 and 1024"));

  options.threads = 1;
  EXPECT_EQ(ErrorOf([&] { CheckSettings(table, options); }), "tune.threads (--threads) is 1; it must be 2 to 1024");
  options.threads = graft::TuneOptions().threads;  // as it is by default
  options.seed = UINT64_MAX;
  CheckSettings(table, options);
}

// Lists on the command line and in calls: every item must be one of the words, or within the range.
TEST(OptionTableTest, ListsAreChecked) {
  struct Lists {
    std::vector<std::string> words{};
    std::vector<double> numbers{};
  };
  const OptionTable<Lists> table = {
      .section = "lists",
      .options = {{.key = "words",
                   .field = {Member(&Lists::words), std::vector<std::string>{"one", "two"}},
                   .help = "Words",
                   .flag = "--words",
                   .commas = true},
                  {.key = "numbers",
                   .field = Member(&Lists::numbers),
                   .help = "Numbers",
                   .flag = "--numbers",
                   .commas = true,
                   .range = {0, 1}}}};
  CLI::App app;
  Lists lists{.words = {"one", "two"}};
  AddFlags(&app, table, {}, &lists);
  EXPECT_THAT(app.help(), HasSubstr("=one,two"));
  app.parse("--words two --numbers 0.5,1");
  EXPECT_THAT(lists.words, ElementsAre("two"));
  EXPECT_THAT(lists.numbers, ElementsAre(0.5, 1));
  EXPECT_THROW(app.parse("--numbers 0.5,2"), CLI::ParseError);
  EXPECT_EQ(WriteOptions(table, Anything(), lists), "words = [\"two\"]\nnumbers = [0.5, 1]\n");

  EXPECT_EQ(ErrorOf([&] {
              CheckSettings(table, {.words = {"one", "tow"}});
            }),
            "lists.words (--words) cannot be `tow`; did you mean `two`?");
  EXPECT_EQ(ErrorOf([&] {
              CheckSettings(table, {.numbers = {0, -0.5}});
            }),
            "lists.numbers (--numbers) is -0.5; it must be 0 to 1");
  EXPECT_THAT(ErrorOf([&] { CheckSettings(table, {.numbers = {std::nan("")}}); }),
              HasSubstr("lists.numbers (--numbers) is nan"));
}

// A setting of a member is one of the whole, with all that its table says.
TEST(OptionTableTest, SettingsOfAMember) {
  struct Whole {
    graft::TuneOptions tune;
  };
  const OptionTable<Whole> table = {.section = "whole",
                                    .options = {Within(&Whole::tune, *TuneOptionTable().Find("nbest")),
                                                Within(&Whole::tune, *TuneOptionTable().Find("method"))}};
  CLI::App app;
  Whole whole;
  AddFlags(&app, table, {}, &whole);
  app.parse("--nbest 7 --method paper");
  EXPECT_EQ(whole.tune.nbest, 7);
  EXPECT_EQ(whole.tune.method, "paper");
  EXPECT_EQ(ErrorOf([&] { CheckSettings(table, {.tune = {.nbest = 1}}); }),
            "whole.nbest (--nbest) is 1; it must be 2 to 10000");
  EXPECT_THAT(ErrorOf([&] { CheckSettings(table, {.tune = {.method = "mert"}}); }), HasSubstr("mira, paper"));
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
  EXPECT_THAT(SearchOptionTable().Find("distortion_limit")->help, HasSubstr(std::to_string(kCoverageWindow)));
}

}  // namespace
}  // namespace graft::engine::cli
