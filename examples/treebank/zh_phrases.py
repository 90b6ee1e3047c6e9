"""Chinese noun phrases, verb phrases and clauses with their English.

Dependencies follow the Chinese Treebank style: a preposition heads its phrase (pobj), a localiser heads its noun
(lobj) and hangs on the preposition (plmod), 的 hangs on what it marks (assm, cpm).
"""

from . import english
from .pair import NounPhrase, Pair, Word, en
from .sampler import Rejected
from .zh_lexicon import (ADJECTIVES, CLASS_GROUPS, COLLOCATIONS, COLOURS, FREQUENCY, LOCATIVES, MODALS, NAMES, NUMBERS, PRONOUNS,
                         POSSESSABLE, CREATION, SINGLE, STATIVE, TIMES, VERBS, WORKPLACES, nouns, rows)

UPOS = {"NN": "NOUN", "NR": "PROPN", "NT": "NOUN", "PN": "PRON", "VV": "VERB", "VA": "ADJ", "VC": "AUX", "VE": "VERB", "P": "ADP",
        "LC": "ADP", "DEC": "PART", "DEG": "PART", "DEV": "PART", "AS": "PART", "SP": "PART", "M": "NOUN", "CD": "NUM", "DT": "DET",
        "JJ": "ADJ", "AD": "ADV", "CC": "CCONJ", "CS": "SCONJ", "BA": "ADP", "LB": "ADP", "SB": "ADP", "PU": "PUNCT"}
NOUN_TABLE = nouns()
CLASSES_OF = {}
for _name, _entries in NOUN_TABLE.items():
    for _entry in _entries:
        CLASSES_OF.setdefault(_entry[0][-1], set()).add(_name)
ENTRY_OF = {entry[0][-1]: entry for entries in NOUN_TABLE.values() for entry in entries}
WORKPLACE_OF = {row[0]: row[1:] for row in rows(WORKPLACES)}
PRONOUN_ROWS, NAME_ROWS = rows(PRONOUNS), rows(NAMES)


def w(form, tag):
    return Word(form, UPOS[tag], tag)


def tagged(text):
    """Words of '打/VV+电话/NN'."""
    return [w(*item.split("/")) for item in text.split("+")]


def entries(classes):
    """Noun entries of a comma-separated list of classes or single nouns."""
    result = []
    for name in classes.split(","):
        if name in NOUN_TABLE:
            result += NOUN_TABLE[name]
        elif CLASS_GROUPS.get(name):
            result += [ENTRY_OF[noun] for noun in CLASS_GROUPS[name].split()]
        elif name in SINGLE:
            result.append(ENTRY_OF[SINGLE[name]])
    return result


def describes(adjective_classes, noun):
    for name in adjective_classes.split(","):
        if name in CLASSES_OF[noun]:
            return True
        if name in CLASS_GROUPS and noun in CLASS_GROUPS[name].split():
            return True
        if name in SINGLE and SINGLE[name] == noun:
            return True
    return False


ATTRIBUTES = [row for row in rows(ADJECTIVES) if row[3] != "-"]
# Classes whose members have no colour, price or owner that one would mention.
COLOURED = {"clothes", "machine", "vehicle"}


def pronoun(d, but=None):
    """A personal pronoun; `but`: a subject it must not repeat."""
    choices = [row for row in PRONOUN_ROWS if but is None or row[4][0] != but.person[0]]
    return make_pronoun(d.pick(choices))


def make_pronoun(row):
    form, subject, obj, poss, person = row
    word = w(form, "PN")
    return NounPhrase([word], word, en(subject, word), person, en(obj, word), en(poss, word), noun=form,
                      gender={"他": "m", "她": "f"}.get(form, "n"))


def again(subject):
    """The pronoun that takes up a subject, or None."""
    if subject.head.xpos == "PN":
        return make_pronoun(next(row for row in PRONOUN_ROWS if row[0] == subject.head.form))
    form = "他们" if subject.person == "3p" else {"m": "他", "f": "她"}.get(subject.gender)
    return make_pronoun(next(row for row in PRONOUN_ROWS if row[0] == form)) if form else None


def name(d):
    form, text, gender = d.pick(NAME_ROWS)
    word = w(form, "NR")
    return NounPhrase([word], word, en(text, word), gender=gender, noun=form)


KIN_GENDER = dict(zip("妈妈 爸爸 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 叔叔 阿姨 儿子 女儿 丈夫 妻子".split(), "fmmfmfmfmfmfmf"))


def kin(d, entry=None):
    (form,), _, text = entry or d.pick(NOUN_TABLE["kin"])
    owners = {"丈夫": "我你她", "妻子": "我你他"}.get(form, "我你他她")
    owner = make_pronoun(d.pick([row for row in PRONOUN_ROWS if row[0] in owners]))
    word = w(form, "NN")
    owner.under(word, "assmod")
    return NounPhrase(owner.src + [word], word, owner.poss + en(text, word), gender=KIN_GENDER[form], noun=form, shape="kin")


def core(entry):
    """Words of a noun, its head, and (words, English marks, English, singular?)."""
    forms, _, text = entry
    mark = text[0] if text[0] in "~^" else ""
    text = text.lstrip("~^")
    proper = "A" <= text[0] <= "Z" and not mark
    words = [w(form, "NR" if proper else "NN") for form in forms]
    for word in words[:-1]:
        word.under(words[-1], "nn")
    return words, mark, text


def link_noun(text, words):
    tokens = text.split()
    if len(words) == len(tokens):
        return [(token, (word,)) for token, word in zip(tokens, words)]
    return [(token, tuple(words)) for token in tokens]


def attribute(d, noun, head):
    """(words, English tokens, Chinese form) of an adjective that fits the noun, or None. Hangs on head."""
    fitting = [row for row in ATTRIBUTES if describes(row[2], noun)]
    colours = rows(COLOURS) if CLASSES_OF[noun] & COLOURED else []
    if not fitting and not colours:
        return None
    if colours and d.chance(0.3):
        form, text = d.pick(colours)
        word, de = w(form, "NN"), w("的", "DEG")
        de.under(word.under(head, "assmod"), "assm")
        return [word, de], en(text, word), form
    if not fitting:
        return None
    form, text, _, kind = d.pick(fitting)
    if kind == "J":
        word = w(form, "JJ").under(head, "amod")
        return [word], en(text, word), form
    word, de = w(form, "VA"), w("的", "DEC")
    de.under(word.under(head, "rcmod"), "cpm")
    return [word, de], en(text, word), form


def noun_phrase(d, classes, frame=None, shapes=None, subject=None, short=False, use=None, avoid=None, only=None):
    """A noun phrase of one of the classes. `frame` names what it is combined with; `subject` must not recur in it.

    shapes: allowed shapes, default all that suit the noun. short: no relative clause or other long modifier.
    use: definite (known to the hearer), indefinite (new), generic (the kind). avoid: verb not to repeat in a relative clause.
    """
    pool = entries(classes)
    wanted = classes.split(",")
    if "name" in wanted and d.chance(0.35):
        phrase = pronoun(d, but=subject) if d.chance(0.5) else name(d)
        if subject is not None and phrase.noun == subject.noun:
            return noun_phrase(d, classes, frame, shapes, subject, short, use, avoid)
        if frame:
            d.combine(frame, phrase.noun)
        return phrase
    entry = d.pick([e for e in pool if only is None or e[0][-1] == only])
    noun = entry[0][-1]
    if frame:
        d.combine(frame, noun)
    if entry in NOUN_TABLE["kin"]:
        return kin(d, entry)
    phrase = shaped(d, entry, shapes, subject, short, use, avoid)
    if frame and phrase.shape not in ("plain", "bare"):
        d.combine(frame, "shape", phrase.shape)
    return phrase


INDEFINITE = ("one", "number", "one adj")


def shaped(d, entry, shapes, subject, short, use, avoid):
    noun = entry[0][-1]
    classes = CLASSES_OF[noun]
    persons = bool(classes & {"person", "group"})
    words, mark, text = core(entry)
    head = words[-1]
    if classes & {"city", "country"}:
        for word in words:
            word.xpos, word.upos = "NR", "PROPN"
        return NounPhrase(words, head, link_noun(text, words), noun=noun)
    issue = "issue" in classes
    if mark == "~":
        allowed = ["this", "that"] if entry[1] and "matter" in classes else ["bare"]
    elif issue or classes & {"games"}:
        allowed = ["bare"]
    elif noun in ("成功", "失败", "成绩"):
        allowed = ["poss"]
    elif noun == "事":
        allowed = ["this", "that"]
    elif mark == "^":
        allowed = ["bare", "bare", "these", "poss", "adj"] if "group" not in classes else ["bare", "bare", "adj", "relative"]
    elif classes & {"organisation"}:
        allowed = ["bare", "this", "that"]
    else:
        allowed = ["bare", "bare", "this", "that", "one", "number", "poss", "adj", "one adj"] if entry[1] else ["bare"]
        if not short and d.chance(d.rich):
            allowed = ["relative", "poss", "poss adj", "location", "adj", "one adj", "this adj"]
    if "topic" in classes:
        allowed = [s for s in allowed if s != "bare"]
    if use == "definite":
        allowed = [s for s in allowed if s not in INDEFINITE]
    elif use == "indefinite":
        allowed = [s for s in allowed if s in (INDEFINITE if entry[1] and not mark else ("bare", "adj"))] or ["one" if entry[1] else "bare"]
    elif use == "generic" and not mark and not persons:
        allowed = ["generic", "generic"] + [s for s in allowed if s in ("this", "that", "poss", "relative", "location")]
    if shapes:
        allowed = [s for s in allowed if s in shapes] or ["bare"]
    if not location_choices(noun):
        allowed = [s for s in allowed if s != "location"] or ["bare"]
    if classes & {"building", "surface", "event", "food", "film", "structure", "site"} or persons and noun not in POSSESSABLE:
        allowed = [s for s in allowed if not s.startswith("poss")] or ["bare"]
    shape = d.pick(allowed)
    person = "3p" if mark == "^" else "3s"
    before, tokens = [], []
    noun_tokens = link_noun(text, words)
    adjective = attribute(d, noun, head) if "adj" in shape else None
    if "adj" in shape and adjective is None:
        shape = shape.replace("adj", "").strip() or "bare"
    the = [] if mark == "~" and not (use == "definite" and classes & {"food", "drink", "task"} and not issue) or use in ("indefinite", "generic") and mark else en("the")
    if adjective:
        before, tokens = adjective[0], adjective[1]
        d.combine("adj", adjective[2], noun)
    if shape.startswith(("this", "that", "one", "number", "these")):
        measure = w(entry[1] if shape != "these" and entry[1] else "些", "M")
        if shape.startswith(("this", "that", "these")):
            det = w("那" if shape.startswith("that") else "这", "DT").under(head, "det")
            measure.under(head, "clf")
            tokens = en(shape.split()[0], det, measure) + tokens
        elif shape.startswith("one"):
            det = w("一", "CD").under(measure, "nummod")
            measure.under(head, "clf")
            tokens = en(english.article((tokens + noun_tokens)[0][0]), det, measure) + tokens
        else:
            form, number = d.pick(rows(NUMBERS))
            det = w(form, "CD").under(measure, "nummod")
            measure.under(head, "clf")
            tokens = en(number, det, measure) + tokens
            noun_tokens = link_noun(english.plural(text), words)
            person = "3p"
        before = [det, measure] + before
    elif shape.startswith("poss"):
        # 我 严格 的 老师: one 的 is enough after a pronoun.
        single = adjective is not None and len(adjective[0]) == 2
        owner = possessor(d, subject, persons or single)
        de = w("的", "DEG").under(owner.head, "assm")
        owner.under(head, "assmod")
        poss = owner.poss
        if owner.head.xpos == "PN":
            tokens = [(poss[0][0], (owner.head, de))] + tokens
        else:
            tokens = poss[:-1] + [(poss[-1][0], (de,))] + tokens
        if single:
            tokens[0] = (tokens[0][0], (owner.head,))
        before = owner.src + ([] if single else [de]) + before
    elif shape == "relative":
        clause = relative_of_person(d, noun, head, person) if persons else relative_of_object(d, noun, head, avoid)
        if clause is None:
            tokens, shape = the, "bare"
        else:
            return NounPhrase(clause[0] + words, head, en("the") + noun_tokens + clause[1], person, noun=noun, shape="relative")
    elif shape == "location":
        place = location(d, choices=location_choices(noun))
        de = w("的", "DEG").under(place.head, "assm")
        place.under(head, "assmod")
        return NounPhrase(place.src + [de] + words, head, en("the") + noun_tokens + place.en, person, noun=noun, shape="location")
    elif shape == "generic":
        noun_tokens, person = link_noun(english.plural(text), words), "3p"
    else:
        tokens = the + tokens
    if mark == "~":
        shape = "mass"
    return NounPhrase(before + words, head, tokens + noun_tokens, person, noun=noun, shape=shape)


def possessor(d, subject, persons):
    if d.chance(0.6) or persons:
        rows_ = [row for row in PRONOUN_ROWS if subject is None or subject.head.xpos != "PN" or row[0] == subject.noun or row[4][0] != subject.person[0]]
        return make_pronoun(d.pick(rows_))
    return name(d) if d.chance(0.6) else kin(d)


LOCATIONS = {  # where things of a class lie
    "food": "surface:桌子 container:冰箱 container:篮子 container:袋子",
    "volume": "surface:桌子 surface:书架 surface:床 surface:沙发 container:抽屉 container:书包 container:箱子 building:图书馆",
    "clothes": "surface:床 surface:沙发 surface:椅子 container:柜子 container:箱子 under:床",
    "small": "surface:桌子 surface:书架 surface:窗台 container:抽屉 container:盒子 container:箱子 under:桌子 beside:沙发",
}


def location_choices(noun):
    return [choice for name, text in LOCATIONS.items() if name in CLASSES_OF[noun] for choice in text.split()]


def location(d, frame=None, choices=None):
    """'桌子 上' with English 'on the table'; the localiser is the head."""
    kind, noun = d.pick(choices or sorted(set(" ".join(LOCATIONS.values()).split()))).split(":")
    words, _, text = core(ENTRY_OF[noun])
    form, prep = LOCATIVES[kind]
    if frame:
        d.combine(frame, form, noun)
    lc = w(form, "LC")
    words[-1].under(lc, "lobj")
    return Pair(words + [lc], lc, en(prep, lc) + en("the") + link_noun(text, words))


def object_verbs(noun):
    return [row for row in rows(VERBS) if noun in (entry[0][-1] for entry in entries(row[2]))]


RELATIVE_VERBS = set("买 写 借 画 设计 翻译 参观 带 组织 拍 丢 找到 选择 介绍 提出 讨论 研究 种 做".split())


def relative_of_object(d, noun, head, avoid=None):
    """'我 昨天 买 的' for 'that I bought yesterday', or None."""
    fitting = [row for row in object_verbs(noun) if row[0] in RELATIVE_VERBS and row[0] != avoid]
    if not fitting:
        return None
    form, lemma, _, _ = d.pick(fitting)
    subject = pronoun(d) if d.chance(0.5) else name(d)
    verb, de = w(form, "VV"), w("的", "DEC")
    d.combine("relative", form, noun)
    subject.under(verb, "nsubj")
    de.under(verb.under(head, "rcmod"), "cpm")
    when = time(d, "past") if d.chance(0.4) else None
    if when:
        when.under(verb, "tmod")
    tokens = en("that", de) + subject.en + english.verb_group(lemma, subject.person, "past", (verb,)) + (when.en if when else [])
    return subject.src + (when.src if when else []) + [verb, de], tokens


def relative_of_person(d, noun, head, person):
    """'对 历史 感 兴趣 的' for 'who is interested in history'."""
    de = w("的", "DEC")
    who = en("who", de)
    kind = d.weighted([(2, "live"), (2, "from"), (2, "work"), (2, "state"), (1, "teach")])
    if kind == "state":
        row = d.pick([row for row in rows(COLLOCATIONS) if row[5] != "a" and row[0] == "对" and "很" not in row[1]])
        vp = collocation(d, row, short=True, tag="relative ")
        de.under(vp.verb.under(head, "rcmod"), "cpm")
        return vp.pre + [vp.verb] + vp.post + [de], who + english.verb_group(vp.lemma, person, "present", vp.links) + vp.tail
    if kind == "teach":
        verb = w("教", "VV").under(head, "rcmod")
        subject = noun_phrase(d, "subject")
        subject.under(verb, "dobj")
        de.under(verb, "cpm")
        return [verb] + subject.src + [de], who + english.verb_group("teach", person, "present", (verb,)) + subject.obj
    if kind == "from":
        verb = w("来自", "VV").under(head, "rcmod")
        place = noun_phrase(d, "country,city")
        place.under(verb, "dobj")
        de.under(verb, "cpm")
        return [verb] + place.src + [de], en("from", verb) + place.en
    prep = w("在", "P")
    verb = w("住" if kind == "live" else "工作", "VV").under(head, "rcmod")
    where = WORKPLACE_OF.get(noun) if kind == "work" and d.chance(0.6) else None
    if where:
        word = w(where[0], "NN")
        place = NounPhrase([word], word, en(where[1].split()[0]) + en(where[1].split()[1], word), noun=where[0])
    else:
        place = noun_phrase(d, "city,country")
    place.under(prep.under(verb, "prep"), "pobj")
    de.under(verb, "cpm")
    phrase = [prep] + place.src
    src = [verb] + phrase if kind == "live" else phrase + [verb]
    d.combine("who " + kind, place.noun)
    return src + [de], who + english.verb_group("live" if kind == "live" else "work", person, "present", (verb,)) + en("at" if where else "in", prep) + place.en


def time(d, tense, choice=None):
    """A time expression of the tense; choice fixes it, as 'words English'."""
    text, meaning = choice.split(" ", 1) if choice else d.pick(rows(TIMES[tense]))
    words = tagged(text)
    head = words[-1]
    if head.xpos == "LC":
        words[0].under(words[1], "nummod")
        words[1].under(head, "lobj")
        number, unit, ago = meaning.split()
        return Pair(words, head, en(number, words[0]) + en(unit, words[1]) + en(ago, head))
    if len(words) == 3:
        words[0].under(head, "det")
        words[1].under(head, "clf")
    elif len(words) == 2:
        words[0].under(head, "nn")
    return Pair(words, head, [(token, tuple(words)) for token in meaning.split()])


class VerbPhrase:
    """Source: pre verb post, aspect and negation still to come; English: lemma (inflected later, linked to links) and tail."""

    def __init__(self, verb, lemma, links, tail, pre=(), post=(), stative=False, degree=False, aspect=True, shape="plain", filler=None):
        self.verb, self.lemma, self.links, self.tail = verb, lemma, links, list(tail)
        self.pre, self.post, self.filler = list(pre), list(post), filler
        self.stative, self.degree, self.aspect, self.shape = stative, degree, aspect, shape


def transitive(d, subject=None, classes="P", rows_=None, definite=False):
    """A verb with its object. definite: one the hearer knows, as negation wants it."""
    row = d.pick([row for row in (rows_ or rows(VERBS)) if classes in row[3].split(",")])
    form, lemma, objects, _ = row
    stative = form in STATIVE
    use = "definite" if definite or stative or form in ("照顾", "等", "欢迎", "感谢", "批评", "表扬", "邀请", "帮助") else None
    if form == "喜欢":
        use = "generic"
    elif form in CREATION:
        use = "indefinite" if not definite else "definite"
    shapes = ["poss", "one", "poss adj", "these"] if form == "丢" else None
    if definite and form in CREATION:
        shapes = ["this", "that", "these", "bare"]
    obj = noun_phrase(d, objects, frame=form, shapes=shapes, subject=subject, use=use, avoid=form)
    verb = w(form, "VV")
    obj.under(verb, "dobj")
    return VerbPhrase(verb, lemma, (verb,), obj.obj, post=obj.src, stative=stative, shape=obj.shape)


def collocation(d, row=None, subject=None, short=False, tag="", shapes=None):
    """A verb whose preposition belongs to it: 对 … 感 兴趣."""
    row = row or d.pick(rows(COLLOCATIONS))
    prep_form, verb_text, meaning, link_text, fillers, kind = row
    prep, words = w(prep_form, "P"), tagged(verb_text)
    filler = noun_phrase(d, fillers, frame=tag + prep_form + verb_text, subject=subject, short=short,
                         use="definite" if kind != "a" else None, shapes=shapes)
    filler.under(prep.under(words[0], "prep"), "pobj")
    for word in words[1:]:
        word.under(words[-1] if word.xpos == "AD" else words[0], {"AD": "advmod", "VA": "acomp"}.get(word.xpos, "dobj"))
    units = [prep] + words
    tokens = [(token, tuple(units[int(digit)] for digit in digits)) for token, digits in zip(meaning.split(), link_text.split(","))]
    lemma, links = tokens[0]
    return VerbPhrase(words[0], lemma, links, tokens[1:] + filler.obj, [prep] + filler.src, words[1:], kind != "a",
                      degree=lemma == "be" and kind == "s", shape=filler.shape, filler=filler)


def has_relative(tokens):
    """Whether English ends in a relative clause, to which a time at the end would attach wrongly."""
    return any(links and links[0].xpos == "DEC" for _, links in tokens)


def clause(d, subject, vp, tense, when=None, front=False, adverb=None, modal=None, negative=False, degree=False, rel="root"):
    """Subject and verb phrase in a tense: present, habit, past, perfect (过), already, never, progressive, future, modal."""
    verb = vp.verb
    if when and has_relative(vp.tail):
        raise Rejected
    subject.under(verb, "nsubj")
    before, aspect, no, aux, tokens = [], [], (), (), []
    adverb_tokens = []
    english_tense = {"habit": "present", "already": "perfect", "never": "perfect"}.get(tense, tense)
    english_modal = None
    if adverb:
        word = w(adverb[0], "AD").under(verb, "advmod")
        before.append(word)
        adverb_tokens = en(adverb[1], word)
    if negative:
        word = w("没有" if tense == "past" else "不", "AD").under(verb, "neg")
        # 对 历史 不 感 兴趣, but 没有 给 他 打 电话.
        (vp.pre if vp.pre and vp.pre[0].form == "对" else before).append(word)
        no = (word,)
    if tense == "past" and not negative and vp.aspect:
        aspect = [w("了", "AS").under(verb, "asp")]
    elif tense == "perfect":
        aspect = [w("过", "AS").under(verb, "asp")]
        aux = tuple(aspect)
    elif tense == "never":
        ever, not_ = w("从来", "AD").under(verb, "advmod"), w("没有", "AD").under(verb, "neg")
        before += [ever, not_]
        aspect = [w("过", "AS").under(verb, "asp")]
        aux = tuple(aspect)
        adverb_tokens = en("never", ever, not_)
    elif tense == "already":
        word = w("已经", "AD").under(verb, "advmod")
        before.append(word)
        aspect = [w("了", "AS").under(verb, "asp")]
        adverb_tokens = en("already", word)
    elif tense == "progressive":
        word = w("正" if vp.pre and vp.pre[0].form == "在" else "正在", "AD").under(verb, "advmod")
        before.append(word)
        aux = (word,)
    elif tense == "future":
        word = w("会", "VV").under(verb, "mmod")
        before.append(word)
        aux = (word,)
    elif tense == "modal":
        word = w(modal[0], "VV").under(verb, "mmod")
        before.append(word)
        aux, english_modal = (word,), modal[1]
    tail = vp.tail
    if degree:
        word = w("很", "AD").under(verb, "advmod")
        # 很 stands right before the predicate, after the prepositional phrase.
        vp.pre.append(word)
        tail = en("very", word) + tail
    timed = []
    if when:
        when.under(verb, "tmod")
        timed = when.src
    src = (timed if front else []) + subject.src + ([] if front else timed) + before + vp.pre + [verb] + aspect + vp.post
    tokens = subject.en + english.verb_group(vp.lemma, subject.person, english_tense, vp.links, aux, no, english_modal, adverb_tokens) + tail
    return Pair(src, verb, tokens + (when.en if when else []))


def plain_subject(d, people=True):
    """A person as subject."""
    kind = d.weighted([(9, "pronoun"), (5, "name"), (3, "person"), (3, "kin"), (1, "group")])
    if kind == "pronoun":
        return pronoun(d)
    if kind == "name":
        return name(d)
    if kind == "kin":
        return kin(d)
    if kind == "group":
        return noun_phrase(d, "group", shapes=["bare"])
    return noun_phrase(d, "person", shapes=["bare", "this", "that", "poss", "adj"], short=True)


# What makes sense as habit, as an activity under way, and what happens to one without being wanted.
HABITS = set("喝 学习 教 照顾 帮助 批评 表扬 打 见面 聊天 吵架 帮".split())
ACTIVITIES = set("看 读 吃 喝 写 学习 参观 讨论 研究 修理 洗 听 唱 画 翻译 组织 设计 准备 照顾 等 检查 打 聊天 吵架 帮助 批评".split())
UNWANTED = set("丢 忘记 发现 找到 批评 吵架 生 开".split())
def any_tense(d, subject, vp):
    """A clause in a tense that suits the verb phrase, perhaps with time, adverb, modal or negation."""
    if vp.stative:
        negative = d.chance(0.25)
        return clause(d, subject, vp, "present", negative=negative, degree=not negative and vp.degree and d.chance(0.5))
    form = vp.verb.form
    choices = [(8, "past"), (3, "future")]
    if form not in UNWANTED:
        choices += [(3, "modal")]
    if form in HABITS and vp.shape not in INDEFINITE:
        choices += [(3, "habit")]
    if form in ACTIVITIES:
        choices += [(2, "progressive")]
    if vp.shape not in INDEFINITE:
        choices += [(2, "negative"), (1, "already")]
    if vp.shape in ("this", "that", "relative", "plain", "kin", "mass") and form not in ("结婚", "照顾"):
        choices += [(2, "never")]
    tense = d.weighted(choices)
    if form in UNWANTED and tense == "future":
        tense = "past"
    when = time(d, tense) if tense in ("past", "future", "habit") and d.chance(0.5) else None
    front = when is not None and d.chance(0.4)
    if tense == "negative":
        return clause(d, subject, vp, "past", when=time(d, "past") if d.chance(0.3) else None, negative=True)
    if tense == "modal":
        return clause(d, subject, vp, "modal", modal=d.pick(rows(MODALS)))
    if tense == "habit" and when is None:
        return clause(d, subject, vp, "habit", adverb=d.pick(rows(FREQUENCY)))
    return clause(d, subject, vp, tense, when=when, front=front)
