#include "graft/model.h"

#include <filesystem>
#include <utility>

#include "library/access.h"
#include "model/model_check.h"
#include "util/mapped_file.h"

namespace graft {
namespace {

uint64_t SizeOf(const std::string& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

ModelInfo InfoOf(const std::string& folder, const engine::Model& model) {
  const engine::SystemSpec& system = model.system();
  const engine::TextOptions& text = model.text().options();
  ModelInfo info;
  info.folder = folder;
  info.system = system.name;
  info.title = engine::TitleOf(system);
  if (!text.languages.empty()) info.source_language = text.languages[0];
  if (text.languages.size() > 1) info.target_language = text.languages[1];
  info.reads_trees = system.reads_tree();
  info.reads_tags = system.labelled();
  info.tokenises = model.text().tokenises();
  info.lowercase = text.lowercase;
  info.truecase = text.truecase;
  info.rules = model.table().rules();
  info.lm_order = model.lm().order();
  info.table_bytes = SizeOf(folder + "/rules.graft");
  info.lm_bytes = SizeOf(folder + "/lm.bin");
  info.table_format = model.table().format();
  info.lm_form = model.lm().form();
  return info;
}

}  // namespace

Model::Model(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

std::shared_ptr<const Model> Model::Open(const std::string& folder, const Settings& settings,
                                         const Reporter& reporter) {
  auto impl = std::make_unique<Impl>();
  impl->model = engine::Model::Load(folder, settings, reporter);
  std::shared_ptr<Model> model(new Model(std::move(impl)));
  model->info_ = InfoOf(folder, *model->impl_->model);
  return model;
}

std::string Model::Configuration() const { return engine::ModelToml(impl_->model->config()); }

ModelState InspectModel(const std::string& folder, const Reporter& reporter) {
  return engine::InspectFolder(folder, reporter);
}
void VerifyModel(const std::string& folder, const Reporter& reporter) { engine::VerifyFolder(folder, reporter); }
void SealModel(const std::string& folder, const Reporter& reporter) { engine::SealFolder(folder, reporter); }
void SurviveCutFiles() { engine::SurviveCutFiles(); }

}  // namespace graft
