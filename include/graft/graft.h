// Graft translates dependency graphs into strings. All of its library:
//
//   graft::Translator translator(graft::Model::Open("model"));
//   std::puts(translator.Translate("Der Lehrer ruft den Arzt an. Er kommt.").text.c_str());
#pragma once

#include "graft/combine.h"
#include "graft/error.h"
#include "graft/evaluation.h"
#include "graft/format.h"
#include "graft/input.h"
#include "graft/model.h"
#include "graft/reporter.h"
#include "graft/result.h"
#include "graft/text.h"
#include "graft/train.h"
#include "graft/training_steps.h"
#include "graft/translator.h"
#include "graft/version.h"
