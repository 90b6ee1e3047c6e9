"""Chinese sentence frames about places and movement: 在, 从, 离, 有, and 把 with where things are put."""

from . import english
from .pair import NounPhrase, Pair, en
from .zh_clauses import VerbPhrase, any_tense, clause, plain_subject, rows_of, time, year
from .zh_lexicon import CREATION, RESULTATIVES, rows
from .zh_nouns import SHORT, entries, location, location_choices, name, noun_phrase, pronoun, w

VENUES = {
    "会议": "会议室 宾馆 办公室 大学",
    "音乐会": "剧院 体育馆 公园 学校",
    "比赛": "体育馆 学校 公园",
    "展览": "博物馆 图书馆 机场",
    "婚礼": "宾馆 饭馆 花园 公园",
    "运动会": "体育馆 学校 公园",
    "晚会": "宾馆 花园 剧院 学校",
    "典礼": "体育馆 剧院 大学",
    "讲座": "教室 图书馆 博物馆 大学",
}


def held(d):
    """Event 在 Place 举行."""
    subject = noun_phrase(d, "event,games", shapes=["bare", "this"], short=True)
    prep, verb = w("在", "P"), w("举行", "VV")
    d.combine("举行", subject.noun)
    if subject.noun in VENUES and d.chance(0.6):
        noun = d.pick(VENUES[subject.noun].split())
        place = noun_phrase(
            d, "site,building,structure,organisation", frame="举行", shapes=SHORT, short=True, only=noun
        )
    else:
        place = noun_phrase(d, "city" if subject.noun in VENUES else "city,country", frame="举行")
    d.combine("举行", subject.noun, place.noun)
    place.under(prep.under(verb, "prep"), "pobj")
    tense = d.pick(["past", "past", "future"])
    when = (time if subject.noun in VENUES else year)(d, tense) if d.chance(0.6) else None
    front = d.chance(0.4)
    manner = w("成功", "AD").under(verb, "advmod") if d.chance(0.3) and tense == "past" else None
    subject.under(verb, "nsubj")
    pre, post = [], []
    if tense == "past":
        post = [w("了", "AS").under(verb, "asp")] if d.chance(0.5) else []
        group = [(english.preterite("be", subject.person), (verb,))]
    else:
        will = w(d.pick(["将", "会"]), "AD").under(verb, "advmod")
        pre = [will]
        group = en("will", will) + en("be", verb)
    if manner:
        group += en("successfully", manner)
    at = "in" if place.head.xpos == "NR" else preposition(place.noun)
    group += en("held", verb) + en(at, prep) + place.obj
    timed = when.under(verb, "tmod").src if when else []
    src = (
        (timed if front else [])
        + subject.src
        + ([] if front else timed)
        + pre
        + [prep]
        + place.src
        + ([manner] if manner else [])
        + [verb]
        + post
    )
    return Pair(src, verb, subject.en + group + (when.en if when else []))


def preposition(noun):
    return "at" if noun in ("学校", "大学", "机场", "宾馆", "剧院", "饭馆") else "in"


def come_from(d):
    """从 Place 回来, 从 A 到 B."""
    subject = plain_subject(d)
    prep = w("从", "P")
    form, lemma = d.pick(
        [("回来", "come back"), ("来", "come"), ("出发", "set out"), ("搬走", "move away"), ("毕业", "graduate")]
    )
    verb = w(form, "VV")
    place = university(d) if form == "毕业" else noun_phrase(d, "city,country", frame=form)
    place.under(prep.under(verb, "prep"), "pobj")
    pre = [prep] + place.src
    tail = en("from", prep) + place.obj
    if form == "来" and d.chance(0.5):
        goal_prep = w("到", "P").under(verb, "prep")
        goal = noun_phrase(d, "city", frame="到")
        if goal.noun == place.noun:
            return come_from(d)
        goal.under(goal_prep, "pobj")
        verb.form = "旅行"
        pre += [goal_prep] + goal.src
        tail += en("to", goal_prep) + goal.obj
        lemma = "travel"
    elif form == "来":
        goal = noun_phrase(d, "city", frame="来")
        if goal.noun == place.noun:
            return come_from(d)
        goal.under(verb, "dobj")
        vp = VerbPhrase(verb, "come", (verb,), en("to", verb) + goal.obj + tail, pre, goal.src, aspect=False)
        return clause(d, subject, vp, d.pick(["past"]), when=time(d, "past"), front=d.chance(0.3))
    vp = VerbPhrase(verb, lemma, (verb,), tail, pre)
    tense = d.pick(["past", "future"])
    if form == "毕业":
        return clause(
            d,
            pronoun(d) if d.chance(0.5) else name(d),
            vp,
            tense,
            when=year(d, tense) if d.chance(0.6) else None,
            front=d.chance(0.4),
        )
    return clause(d, subject, vp, tense, when=time(d, tense) if d.chance(0.6) else None, front=d.chance(0.4))


def university(d):
    owner = d.pick([("北京", "Peking University"), ("南京", "Nanjing University"), ("东京", "the University of Tokyo")])
    city, word = w(owner[0], "NR"), w("大学", "NN")
    city.under(word, "nn")
    d.combine("毕业", owner[0])
    tokens = {
        "Peking University": en("Peking", city) + en("University", word),
        "Nanjing University": en("Nanjing", city) + en("University", word),
    }
    return NounPhrase(
        [city, word],
        word,
        tokens.get(owner[1]) or en("the") + en("University of", word) + en("Tokyo", city),
        noun=owner[0],
    )


def distance(d):
    """A 离 B 很 远."""
    subject = noun_phrase(d, "site", shapes=SHORT, short=True)
    prep, very = w("离", "P"), w(d.pick(["很", "非常", "不太"]), "AD")
    form, text, to = d.pick([("远", "far", "from"), ("近", "close", "to")])
    verb = w(form, "VA")
    filler = noun_phrase(d, "site", frame="离" + form, shapes=SHORT, short=True)
    if filler.noun == subject.noun:
        return distance(d)
    filler.under(prep.under(verb, "prep"), "pobj")
    very.under(verb, "advmod")
    degree = {"很": "very", "非常": "extremely", "不太": "not very"}[very.form]
    vp = VerbPhrase(
        verb, "be", (), en(degree, very) + en(text, verb) + en(to, prep) + filler.obj, [prep] + filler.src + [very]
    )
    return clause(d, subject, vp, "present")


WHO_IS_WHERE = {
    "教室": "学生 老师",
    "图书馆": "学生 教授 记者",
    "办公室": "经理 秘书",
    "饭馆": "顾客 服务员",
    "医院": "医生 护士",
    "公园": "狗 鸟",
    "花园": "兔子 猫",
    "商店": "顾客",
    "剧院": "演员 导演",
    "体育馆": "教练 学生",
    "会议室": "律师 经理 工程师",
    "实验室": "科学家 教授",
}


def exists(d):
    """桌子 上 有 一 本 书."""
    verb = w("有", "VE")
    if d.chance(0.35):
        noun = d.pick(sorted(WHO_IS_WHERE))
        d.combine("有", noun)
        place = location(d, choices=["building:" + noun])
        obj = noun_phrase(
            d,
            "person,animal",
            frame="有",
            shapes=["one", "number"],
            short=True,
            only=d.pick(WHO_IS_WHERE[noun].split()),
        )
    else:
        obj = noun_phrase(d, "small,volume,food,clothes", use="indefinite", short=True)
        place = location(d, choices=location_choices(obj.noun))
        d.combine("有", obj.noun, place.src[0].form)
    obj.under(verb, "dobj")
    place.under(verb, "loc")
    be = english.present("be", obj.person)
    return Pair(place.src + [verb] + obj.src, verb, en("there", verb) + en(be, verb) + obj.en + place.en)


def located(d):
    """在 图书馆 里 看 书, 在 北京 学习 汉语."""
    subject = plain_subject(d)
    prep = w("在", "P")
    building, verbs = d.pick(
        [
            ("图书馆", "读 学习 写"),
            ("办公室", "写 翻译 讨论 检查"),
            ("厨房", "准备"),
            ("书店", "买"),
            ("超市", "买"),
            ("教室", "学习 写 讨论 听"),
            ("实验室", "研究 完成"),
            ("会议室", "讨论 介绍"),
            ("饭馆", "吃 喝"),
            ("剧院", "看"),
            ("电影院", "看"),
            ("花园", "种 画"),
            ("商店", "买"),
            ("公园", "画 读"),
            ("宾馆", "等"),
            ("体育馆", "看"),
        ]
    )
    verb_form = d.pick(verbs.split())
    objects = {"准备": "dish", "种": "vegetable", "等": "person,kin"}.get(verb_form)
    if verb_form == "买":
        objects = {"书店": "volume", "超市": "food", "商店": "clothes,present"}[building]
    if verb_form == "看":
        objects = {"剧院": "performance", "电影院": "film1", "体育馆": "match"}[building]
    if verb_form == "完成":
        objects = "experiment"
    if verb_form == "听":
        objects = "lecture"
    row = next(row for row in rows_of(verb_form))
    lemma, classes = row[1], objects or row[2]
    verb, place, lc = w(verb_form, "VV"), w(building, "NN"), w("里", "LC")
    obj = noun_phrase(
        d,
        classes,
        frame="里" + verb_form,
        subject=subject,
        avoid=verb_form,
        use=(
            "indefinite"
            if verb_form in CREATION or d.chance(0.4) and verb_form not in ("等", "介绍", "讨论")
            else "definite"
        ),
    )
    d.combine("里", building, verb_form, obj.noun)
    place.under(lc, "lobj")
    lc.under(prep.under(verb, "prep"), "plmod")
    obj.under(verb, "dobj")
    text = entries_text(building)
    tail = obj.obj + en("in", prep, lc) + en("the") + en(text, place)
    vp = VerbPhrase(verb, lemma, (verb,), tail, [prep, place, lc], obj.src, shape=obj.shape)
    return any_tense(d, subject, vp)


def entries_text(noun):
    return next(e[2] for e in entries("building") if e[0][-1] == noun)


PUT = """
    surface:桌子 surface:书架 surface:床 surface:沙发 surface:窗台 surface:椅子 container:抽屉 container:盒子 container:箱子
    container:书包 beside:沙发
""".split()


def ba(d):
    """把 … 打开 了; 把 … 放 在 桌子 上."""
    subject = plain_subject(d)
    marker = w("把", "BA")
    le = None
    if d.chance(0.45):
        form, lemma = d.pick([("放", "put"), ("放", "put"), ("放", "put"), ("挂", "hang"), ("藏", "hide")])
        verb, prep = w(form, "VV"), w("在", "P")
        place = location(d, frame="把" + form, choices=PUT) if form == "放" else wall(d, form)
        objects = "picture,map,coat" if form == "挂" else "small,volume"
        obj = noun_phrase(
            d,
            objects,
            frame="把" + form,
            shapes=["bare", "this", "that", "poss", "adj", "relative", "poss adj", "number"],
            subject=subject,
        )
        place.under(prep.under(verb, "prep"), "plmod")
        lc = place.head
        # 在 … 上 is one English preposition.
        tokens = [(token, (prep, lc) if links == (lc,) else links) for token, links in place.en]
        obj.under(verb, "dobj")
        post = [prep] + place.src
        vp = VerbPhrase(
            verb,
            lemma,
            (verb,),
            obj.obj + tokens,
            [marker.under(verb, "ba")] + obj.src,
            post,
            aspect=False,
            shape="one",
        )
    else:
        row = d.pick(rows(RESULTATIVES))
        forms, lemma, objects = row[:-2], row[-2], row[-1]
        obj = noun_phrase(
            d,
            objects,
            frame="把" + "".join(forms),
            shapes=["bare", "this", "that", "poss", "adj", "relative", "poss adj"],
            subject=subject,
            use="definite",
            avoid=forms[0],
        )
        words = [w(form, "VV") for form in forms]
        verb = words[0]
        for word in words[1:]:
            word.under(verb, "rcomp")
        obj.under(verb, "dobj")
        le = w("了", "AS").under(verb, "asp")
        tail = obj.obj
        vp = VerbPhrase(
            verb,
            lemma,
            tuple(words),
            tail,
            [marker.under(verb, "ba")] + obj.src,
            words[1:] + [le],
            aspect=False,
            shape="one",
        )
    tense = "past" if le else d.pick(["past", "modal", "past"])
    when = time(d, "past") if tense == "past" and d.chance(0.35) else None
    if tense == "modal":
        return clause(
            d,
            subject,
            vp,
            "modal",
            modal=d.pick(
                [("应该", "should"), ("必须", "must"), ("可以", "can"), ("想", "want to"), ("打算", "plan to")]
            ),
        )
    if not le:
        vp.post += [w("了", "SP").under(verb, "dep")]
    return clause(d, subject, vp, "past", when=when, front=d.chance(0.3))


def wall(d, form):
    noun, text, prep_text, lc_form = d.pick(
        [("墙", "wall", "on", "上"), ("门", "door", "behind", "后面")]
        if form == "挂"
        else [
            ("床", "bed", "under", "下面"),
            ("柜子", "cupboard", "in", "里"),
            ("门", "door", "behind", "后面"),
            ("沙发", "sofa", "behind", "后面"),
        ]
    )
    word, lc = w(noun, "NN"), w(lc_form, "LC")
    d.combine(form, noun)
    word.under(lc, "lobj")
    return Pair([word, lc], lc, en(prep_text, lc) + en("the") + en(text, word))
