#include "lm/arpa_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "graft/error.h"
#include "lm/language_model.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

constexpr std::string_view kArpa =
    "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-0.9\t</s>\n-0.8\ta\t-0.2\n\n"
    "\\2-grams:\n-0.4\t<s> a\n\n\\end\\\n";

// The text of kArpa as bzip2 1.0.8 packs it.
const unsigned char kBzip2[] = {
    0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x2d, 0xe9, 0xd4, 0x54, 0x00, 0x00, 0x25, 0x5b, 0x80,
    0x00, 0x30, 0x40, 0x03, 0xfc, 0x77, 0x00, 0x04, 0x26, 0x8b, 0x1e, 0x00, 0x20, 0x00, 0x40, 0x95, 0x32, 0x83, 0x4c,
    0x13, 0x4d, 0xaa, 0x0c, 0x32, 0x14, 0x00, 0x0d, 0x00, 0x00, 0x35, 0xb7, 0x29, 0x2d, 0xd2, 0x9a, 0xd5, 0xf5, 0x55,
    0x88, 0xc8, 0x90, 0xe4, 0xce, 0x66, 0x8e, 0x21, 0x1b, 0x38, 0x6e, 0x07, 0x7c, 0x95, 0x99, 0x55, 0x4c, 0x90, 0x6d,
    0x3c, 0x26, 0x12, 0x96, 0x47, 0x49, 0xff, 0xed, 0x41, 0xf3, 0xbd, 0xc3, 0x5b, 0xf0, 0x21, 0x41, 0x20, 0x1e, 0x44,
    0xc6, 0x03, 0x93, 0xf6, 0x11, 0xe9, 0xe8, 0xbb, 0x92, 0x29, 0xc2, 0x84, 0x81, 0x6f, 0x4e, 0xa2, 0xa0};

std::string Bzip2() { return {reinterpret_cast<const char*>(kBzip2), sizeof kBzip2}; }

std::string Gzip(const TemporaryFolder& folder, std::string_view text) {
  gzFile file = gzopen(folder.File("made.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return folder.Read("made.gz");
}

std::string ErrorOf(const std::string& path) {
  try {
    LanguageModel::Load(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A bzip2 file without its end kept KenLM waiting forever.
TEST(ArpaFile, PackedFilesThatAreCutShortAreErrors) {
  const TemporaryFolder folder;
  for (const std::string& packed : {Bzip2(), Gzip(folder, kArpa)}) {
    EXPECT_EQ(ErrorOf(folder.Write("whole", packed)), "");
    EXPECT_EQ(ErrorOf(folder.Write("two", packed + packed)).find("cut short"), std::string::npos);
    for (size_t size = 4; size < packed.size(); ++size)
      EXPECT_NE(ErrorOf(folder.Write("cut", packed.substr(0, size))), "") << size << " bytes";
  }
}

TEST(ArpaFile, StreamsThatFollowEachOtherAreOneText) {
  const TemporaryFolder folder;
  const std::string gzip = Gzip(folder, kArpa.substr(0, 60)) + Gzip(folder, kArpa.substr(60));
  EXPECT_EQ(ErrorOf(folder.Write("two.gz", gzip)), "");
  TemporaryFile plain(folder.File("plain-"), TemporaryFile::Name::kKept);
  UnpackModel(folder.Write("two.bz2", Bzip2() + Bzip2()), &plain);
  EXPECT_EQ(plain.size(), 2 * kArpa.size());
}

TEST(ArpaFile, PackedTwiceIsAnError) {
  const TemporaryFolder folder;
  EXPECT_NE(ErrorOf(folder.Write("twice", Gzip(folder, Bzip2()))).find("packed twice"), std::string::npos);
}

}  // namespace
}  // namespace graft::engine
