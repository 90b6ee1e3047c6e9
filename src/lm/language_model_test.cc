#include "lm/language_model.h"

#include <gtest/gtest.h>

#include "text/error.h"

namespace graft {
namespace {

TEST(LanguageModelTest, MissingFileIsAnError) { EXPECT_THROW(LanguageModel::Load("no/such/model.arpa"), Error); }

}  // namespace
}  // namespace graft
