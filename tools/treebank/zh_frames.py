"""Chinese sentence frames about what people do: each function draws one sentence as a Pair without its final mark."""

from . import english
from .pair import Pair, Sentence, en
from .sampler import Rejected
from .zh_clauses import VerbPhrase, any_tense, clause, collocation, has_relative, plain_subject, time, transitive, year
from .zh_lexicon import COLLOCATIONS, RESULTATIVES, SPLIT_WORDS, rows
from .zh_nouns import PRONOUN_ROWS, SHORT, make_pronoun, name, noun_phrase, pronoun, w


def comma():
    return w("，", "PU")


def simple(d):
    subject = plain_subject(d)
    return any_tense(d, subject, transitive(d, subject))


def organisation(d):
    subject = noun_phrase(d, "organisation", shapes=SHORT)
    vp = transitive(d, subject, "organisation")
    if vp.verb.form == "建":
        if subject.noun not in ("政府", "公司", "学校", "大学"):
            return organisation(d)
        return clause(d, subject, vp, "past", when=year(d, "past") if d.chance(0.6) else None)
    return clause(d, subject, vp, "present" if vp.stative else d.pick(["past", "past", "future"]))


def collocated(d):
    subject = plain_subject(d)
    vp = collocation(d, subject=subject)
    if vp.verb.form == "结婚":
        return marriage(d)
    return any_tense(d, subject, vp)


def marriage(d):
    """他 跟 一 位 医生 结婚 了."""
    subject = name(d) if d.chance(0.5) else make_pronoun(d.pick([row for row in PRONOUN_ROWS if row[0] in "他她我"]))
    row = next(row for row in rows(COLLOCATIONS) if row[1] == "结婚/VV")
    vp = collocation(d, row[:4] + ["person"] + row[5:], subject=subject, shapes=["one", "one adj", "relative", "poss"])
    tense = d.pick(["past", "future"])
    return clause(d, subject, vp, tense, when=time(d, tense) if d.chance(0.5) else None)


def unrelated(d):
    """X 与 Y 无关, X 与 Y 有关."""
    subject = noun_phrase(d, "matter", short=True, use="definite")
    prep = w(d.pick("与跟"), "P")
    verb = w(d.pick(["无关", "有关"]), "VV")
    filler = noun_phrase(
        d,
        "issue,matter,topic,kin,person,name,organisation",
        frame=prep.form + verb.form,
        subject=subject,
        shapes=["bare", "this", "that", "poss", "relative", "this adj", "poss adj", "adj"],
    )
    concrete = subject.noun in ("事故", "案件", "误会", "错误")
    if (
        filler.noun == subject.noun
        or concrete
        and filler.noun in ("文化", "教育", "农业", "科技", "健康", "气候", "价格", "市场")
    ):
        return unrelated(d)
    filler.under(prep.under(verb, "prep"), "pobj")
    both = (prep, verb)
    if verb.form == "无关":
        vp = VerbPhrase(verb, "have", both, en("nothing to do with", *both) + filler.obj, [prep] + filler.src)
    else:
        vp = VerbPhrase(verb, "be", (verb,), en("related to", *both) + filler.obj, [prep] + filler.src)
    return clause(d, subject, vp, "present")


def for_someone(d):
    """为 客人 准备 晚饭; 给 孩子 买 礼物; 向 … 介绍 …"""
    subject = plain_subject(d)
    prep_form, verb_form, lemma, objects, to = d.pick(
        [
            ("为", "准备", "prepare", "dish", "for"),
            ("为", "准备", "prepare", "dish", "for"),
            ("给", "买", "buy", "clothes,present,volume,food", "for"),
            ("为", "设计", "design", "clothes", "for"),
            ("给", "写", "write", "letter", "to"),
            ("向", "介绍", "introduce", "topic3", "to"),
            ("为", "翻译", "translate", "text", "for"),
            ("给", "寄", "send", "volume,present", "to"),
            ("给", "唱", "sing", "song", "for"),
            ("向", "借", "borrow", "volume,umbrella,guitar,bicycle", "from"),
            ("给", "讲", "tell", "story", "to"),
            ("为", "做", "make", "dish,clothes", "for"),
        ]
    )
    objects = objects.replace(",thing_gift", "").replace("letter", "letter").replace("story", "story")
    prep, verb = w(prep_form, "P"), w(verb_form, "VV")
    filler = noun_phrase(
        d,
        "person,kin,name,group",
        frame=prep_form + verb_form,
        subject=subject,
        shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"],
    )
    obj = noun_phrase(d, objects, short=True, use="indefinite")
    filler.under(prep.under(verb, "prep"), "pobj")
    obj.under(verb, "dobj")
    vp = VerbPhrase(
        verb, lemma, (verb,), obj.obj + en(to, prep) + filler.obj, [prep] + filler.src, obj.src, shape="one"
    )
    return any_tense(d, subject, vp)


def split_word(d):
    """帮 … 的 忙, 生 … 的 气."""
    form, noun, meaning, kind = d.pick(rows(SPLIT_WORDS))
    subject = plain_subject(d) if form != "听" else pronoun(d) if d.chance(0.6) else name(d)
    verb, obj, de = w(form, "VV"), w(noun, "NN"), w("的", "DEG")
    filler = noun_phrase(
        d,
        "kin,person,name" if form != "听" else "elder,elder,kin",
        frame=form + noun,
        subject=subject,
        shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"],
    )
    de.under(filler.under(obj, "assmod").head, "assm")
    obj.under(verb, "dobj")
    tokens = en(meaning, verb, de, obj)
    vp = VerbPhrase(
        verb,
        tokens[0][0],
        tokens[0][1],
        tokens[1:] + filler.obj,
        post=filler.src + [de, obj],
        stative=kind == "s",
        shape=filler.shape,
    )
    if kind == "s":
        if form == "生":
            adverb = ("还", "still") if d.chance(0.3) else None
            return clause(d, subject, vp, "present", negative=False, adverb=adverb)
        return clause(
            d, subject, vp, "present", adverb=d.pick([("总是", "always"), ("很少", "seldom"), ("常常", "often")])
        )
    return any_tense(d, subject, vp)


def bei(d):
    """自行车 被 … 借走 了."""
    row = d.pick(rows(RESULTATIVES))
    forms, lemma, objects = row[:-2], row[-2], row[-1]
    subject = noun_phrase(
        d,
        objects,
        frame="被" + "".join(forms),
        shapes=["bare", "this", "that", "poss", "adj", "relative", "location"],
        short=d.chance(0.6),
        use="definite",
        avoid=forms[0],
    )
    words = [w(form, "VV") for form in forms]
    verb = words[0]
    for word in words[1:]:
        word.under(verb, "rcomp")
    le = w("了", "AS").under(verb, "asp")
    agent = None
    if lemma != "steal" and (d.chance(0.75) or lemma in ("forget", "lose")):
        agent = noun_phrase(
            d,
            "kin,person,name,group",
            frame="被" + "".join(forms) + "2",
            shapes=["bare", "this", "poss", "relative", "poss adj"],
        )
    marker = w("被", "LB" if agent else "SB")
    marker.under(verb, "pass")
    subject.under(verb, "nsubjpass")
    when = time(d, "past") if d.chance(0.35) else None
    first, _, rest = lemma.partition(" ")
    links = tuple(words)
    group = [
        (english.preterite("be", subject.person), (marker,) if not agent else ()),
        (english.participle(first), links),
    ] + [(t, links) for t in rest.split()]
    if agent:
        if when and has_relative(agent.obj):
            raise Rejected
        agent.under(verb, "nsubj")
        group += en("by", marker) + agent.obj
    timed = when.under(verb, "tmod").src if when else []
    src = subject.src + timed + [marker] + (agent.src if agent else []) + words + [le]
    return Pair(src, verb, subject.en + group + (when.en if when else []))


def wearing(d):
    """他 穿 着 一 件 红色 的 衬衫; 门 开 着."""
    if d.chance(0.25):
        word = noun_phrase(d, "opening", shapes=["bare", "this", "adj"], short=True)
        verb = w(d.pick(["开", "关"]), "VV")
        d.combine("着", word.noun, verb.form)
        zhe = w("着", "AS").under(verb, "asp")
        tail = en({"开": "open", "关": "closed"}[verb.form], verb)
        vp = VerbPhrase(verb, "be", (zhe,), tail, post=[zhe], aspect=False)
        adverb = d.pick([("还", "still"), ("一直", "always"), None])
        return clause(d, word, vp, "present", adverb=adverb)
    subject = plain_subject(d)
    if subject.person in ("1p", "3p"):
        return wearing(d)
    form, lemma, classes = d.pick([("穿", "wear", "worn"), ("拿", "hold", "small,volume"), ("戴", "wear", "headwear")])
    verb = w(form, "VV")
    obj = noun_phrase(
        d, classes, frame=form + "着", shapes=["one", "one adj", "poss", "this", "relative"], subject=subject
    )
    if obj.noun == "裙子" and subject.gender != "f":
        return wearing(d)
    obj.under(verb, "dobj")
    zhe = w("着", "AS").under(verb, "asp")
    subject.under(verb, "nsubj")
    tokens = obj.obj if obj.shape != "bare" else [t for t in obj.obj if t[0] != "the"]
    group = [(english.present("be", subject.person), (zhe,)), (english.gerund(lemma), (verb,))]
    return Pair(subject.src + [verb, zhe] + obj.src, verb, subject.en + group + tokens)


def finish(pair, mark="。"):
    stop = w(mark, "PU").under(pair.head, "punct")
    return Sentence(pair.src + [stop], pair.en + en({"。": ".", "？": "?"}[mark], stop))
