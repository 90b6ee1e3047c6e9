#include "building/packed_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace graft::engine {
namespace {

TEST(PackedRuleTest, NumbersReadBackAndKeepTheirOrder) {
  std::vector<uint32_t> values;
  for (uint32_t border : {0u, 0x7fu, 0x407fu, 0x20407fu, 0x1020407fu, UINT32_MAX})
    for (uint32_t step = 0; step < 600; ++step) {
      values.push_back(border + step);
      values.push_back(border - step);
    }
  std::sort(values.begin(), values.end());
  std::string previous;
  for (size_t i = 0; i < values.size(); ++i) {
    std::string code;
    AppendOrdered(values[i], &code);
    EXPECT_NE(code[0], '\0');
    std::string_view rest = code;
    ASSERT_EQ(TakeOrdered(&rest), values[i]);
    EXPECT_TRUE(rest.empty());
    if (i > 0 && values[i] != values[i - 1]) {
      EXPECT_LT(previous, code) << values[i];
    }
    previous = code;
  }
}

std::vector<SourceSymbol> RandomSource(std::mt19937* random, bool signatures) {
  std::vector<SourceSymbol> source((*random)() % 4 + 1);
  for (SourceSymbol& symbol : source) {
    switch ((*random)() % 4) {
      case 0: symbol.symbol = 0x407e + (*random)() % 3; break;
      case 1: symbol.symbol = kLabelBit | ((*random)() % 2 == 0 ? (*random)() % 3 : 0xfffe + (*random)() % 4); break;
      default: symbol.symbol = (*random)() % 2;
    }
    symbol.signature = signatures ? (*random)() % 2 * ((*random)() % 3 == 0 ? UINT32_MAX : 1) : 0;
  }
  return source;
}

TEST(PackedRuleTest, SourcesSortAsTheTrieDoes) {
  std::mt19937 random(3);
  for (SignatureKind kind : {SignatureKind::kNone, SignatureKind::kEdges}) {
    for (int i = 0; i < 20'000; ++i) {
      const auto a = RandomSource(&random, kind != SignatureKind::kNone);
      const auto b = RandomSource(&random, kind != SignatureKind::kNone);
      std::string packed_a, packed_b;
      AppendSource(kind, a, &packed_a);
      AppendSource(kind, b, &packed_b);
      EXPECT_EQ(a < b, packed_a < packed_b);
      EXPECT_EQ(a == b, packed_b.starts_with(packed_a));
    }
  }
}

TEST(PackedRuleTest, LabelsReadBackAfterAllWords) {
  std::string previous;
  AppendOrdered(UINT32_MAX, &previous);
  for (uint32_t label : {0u, 1u, 255u, 256u, 0xffffu, 0x10000u, 0x12345678u, ~kLabelBit}) {
    std::string code;
    AppendLabel(label, &code);
    EXPECT_LT(previous, code);
    EXPECT_EQ(SideBytes(code + std::string(1, '\0')), code.size() + 1);
    std::string_view rest = code;
    EXPECT_TRUE(StartsWithLabel(rest));
    EXPECT_EQ(TakeLabel(&rest), label);
    EXPECT_TRUE(rest.empty());
    previous = code;
  }
}

void ExpectReadsBack(const PackedForm& form, const RuleOccurrence& rule) {
  OccurrencePacker packer(form);
  std::string_view rest = packer.Pack(rule);
  std::vector<TargetSymbol> target;
  std::vector<SourceSymbol> source;
  std::vector<RuleLink> links;
  TakeTarget(&rest, &target);
  TakeSource(form.signatures, &rest, &source);
  EXPECT_EQ(form.lhs ? TakeLabel(&rest) : 0, rule.lhs);
  UnpackLinks(form, rest, &links);
  EXPECT_THAT(target, testing::ElementsAreArray(rule.target));
  EXPECT_THAT(source, testing::ElementsAreArray(rule.source));
  EXPECT_THAT(links, testing::ElementsAreArray(rule.links));
}

TEST(PackedRuleTest, OccurrencesReadBack) {
  const std::vector<SourceSymbol> source = {{0, 0}, {500, 0xffffffff}, {kLabelBit | 300, 7}, {70'000, 1}};
  const std::vector<TargetSymbol> target = {16, 1, 17, 4'000'000};
  const std::vector<RuleLink> links = {{0, 15}, {2, 0}, {15, 15}};
  PackedForm form;
  form.signatures = SignatureKind::kLabelledEdges;
  for (uint32_t lhs : {0u, 5u, 70'000u}) {
    form.lhs = lhs != 0;
    ExpectReadsBack(form, {lhs, source, target, links});
  }
}

TEST(PackedRuleTest, LongTargetsReadBack) {
  std::vector<SourceSymbol> source;
  for (uint32_t k = 0; k < kMaxPackedSymbols; ++k) source.push_back({4'000'000'000u & ~kLabelBit, k});
  std::vector<TargetSymbol> target;
  std::vector<RuleLink> links;
  for (uint32_t j = 0; j < kMaxPackedTarget; ++j) {
    target.push_back(4'000'000'000u - j);
    for (uint32_t k = 0; k < kMaxPackedSymbols; ++k)
      links.push_back({static_cast<uint8_t>(k), static_cast<uint8_t>(j)});
  }
  PackedForm form;
  form.signatures = SignatureKind::kRole;
  form.wide_links = true;
  ExpectReadsBack(form, {0, source, target, links});
  std::string side;
  AppendTarget(target, &side);
  EXPECT_TRUE(OccurrencePacker(form).Pack({0, source, target, links}).starts_with(side));
}

}  // namespace
}  // namespace graft::engine
