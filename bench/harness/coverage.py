"""Which cases `bench/same` runs on which corpus: an example, odd trees, the data folder."""
from harness.plan import ONE, TWO, Plan, call
from harness.systems import SYSTEMS, VARIANTS, reads_text

# Variants that are tried on the larger corpus as well: one of each kind.
COMMON_VARIANTS = ("seggbmt-dbg-labels", "hpbmt-adjacent", "dep2str-floating", "serg-pos", "gramgbmt-c-dsg-labels", "gramgbmt-c-dsg-pos",
                   "gramgbmt-c-dsg-mgs1", "gramgbmt-b-dsg-pos")
OF_SCORES = ("pbmt", "seggbmt-dbg", "hpbmt", "dep2str", "gramgbmt-b-dsg")


def example_cases(corpus, systems):
    """Everything, on an embedded example."""
    plan = Plan(corpus)
    plan.language_models()
    for name in systems:
        options = (SYSTEMS | VARIANTS)[name]
        plan.table(name, options)
        plan.model(name, lower=name.endswith("-lower"))
        plan.translate(name, options)
        if name in SYSTEMS:
            plan.threads_and_memory(name, options)
            plan.occurrences(name, options)
            plan.from_text(name, options)
            plan.translate_more(name, options)
            plan.tune(name, options)
        if name in OF_SCORES:
            plan.scores(name)
            plan.model(f"{name}-q8")
            plan.translate(f"{name}-q8", options)
    if "pbmt" in systems:
        plan.table("pbmt-trees", SYSTEMS["pbmt"], trees=True)
        plan.add("tune-paper", call("tune", "tune", "-m", "given/model.pbmt/model", "--source", plan.source("held", SYSTEMS["pbmt"]),
                                    "--references", "corpus/held.en",
                                    "corpus/held.en", "--method", "paper", "--iterations", "3", TWO, "--nbest-folder", "lists", "-o",
                                    "weights.toml"))
    if {"pbmt", "hpbmt", "seggbmt-dbg"} <= set(systems):
        plan.evaluations("pbmt", "hpbmt", "seggbmt-dbg")
        plan.combine(("pbmt", "hpbmt", "seggbmt-dbg"))
    plan.imports()
    for name in ("pbmt-moses", "hpbmt-moses"):
        plan.model(name)
        plan.translate(name, SYSTEMS[name.split("-")[0]])
    plan.alignments()
    plan.texts()
    plan.learning()
    return plan.cases


def odd_cases(corpus, systems):
    """Systems that read trees, on odd ones: tokens and words, tags of both kinds, non-projective trees as they are."""
    plan = Plan(corpus)
    plan.language_models()
    readings = {"": ([], "train.align"), "-words": (["--words"], "train.words.align"), "-upos": (["--upos"], "train.align"),
                "-nonprojective": (["--no-projectivise"], "train.align")}
    for name in systems:
        options = (SYSTEMS | VARIANTS)[name]
        if name not in SYSTEMS and "pos" not in name:
            continue
        for suffix, (more, align) in readings.items():
            if reads_text(options) and suffix:
                continue
            plan.table(f"{name}{suffix}", [*options, *more], align=align)
            plan.model(f"{name}{suffix}")
            plan.translate(f"{name}{suffix}", options)
    plan.alignments()
    plan.texts()
    return plan.cases


def data_cases(corpus, systems):
    """The data folder's corpus, lower-cased."""
    plan = Plan(corpus, lower=True)
    plan.language_models()
    plan.alignments()
    for name in systems:
        if name not in SYSTEMS and name not in COMMON_VARIANTS:
            continue
        options = (SYSTEMS | VARIANTS)[name]
        plan.table(name, options)
        plan.model(name)
        plan.translate(name, options)
        if name in SYSTEMS:
            plan.occurrences(name, options, ".zst")
            plan.add(f"rescore.{name}", call("list", "translate", "-m", f"given/model.{name}/model", ONE, "--rescore",
                                             f"given/show.{name}/nbest.stdout",
                                             plan.source("few", options)))
    if {"pbmt", "hpbmt", "seggbmt-dbg"} <= set(systems):
        for name in ("pbmt", "hpbmt", "seggbmt-dbg"):
            plan.from_text(name, SYSTEMS[name], ".zst")
            plan.tune(name, SYSTEMS[name])
        plan.evaluations("pbmt", "hpbmt", "seggbmt-dbg")
        plan.combine(("pbmt", "hpbmt", "seggbmt-dbg"))
    return plan.cases
