"""Outputs of two binaries side by side: what is left out (times, memory), where they differ, and which differences are intended."""
import csv
import fnmatch
import io
import json
import re

# Keys of JSON files and columns of CSV files that hold times or memory.
MEASURED = re.compile(r"seconds$|(^|_)memory$|^peak_bytes$|^sentences_per_second$|^sentence_milliseconds$")
# Columns of the tables of a report.
MEASURED_COLUMNS = {"Table built in", "Memory, building", "Tuned in", "Sentences/s", "Memory, translating"}
TIMED_SECTION = "Time against sentence length"


def without_times(text):
    """Messages without times and memory: `took 0.1 s, 12 MB` and the like."""
    text = re.sub(r"\b\d[\d.,]* ?(h|min|s|ms)\b", "TIME", text)
    text = re.sub(r"TIME( TIME)+", "TIME", text)
    text = re.sub(r" *TIME,? +\d[\d.,]* ?(B|kB|MB|GB)\b", " TIME MEMORY", text)
    text = re.sub(r"(Free on this disk: )\d[\d.,]* ?(B|kB|MB|GB)", r"\1MEMORY", text)
    text = re.sub(r"^(seconds +).*sentences/s", r"\1", text, flags=re.M)
    return re.sub(r"^( +\d+ +\d+ +[\d.]+ +[\d.]+ +\d+) +[\d.]+$", r"\1 TIME", text, flags=re.M)


def without_measured_keys(value, speed=False):
    if isinstance(value, dict):
        # The ledger's hash of a file of times says nothing either, nor does the sum of an entry with times.
        hide = lambda key: MEASURED.search(key) or (speed and key == "outputs")
        return {key: "…" if hide(key) else without_measured_keys(entry, key == "speed")
                for key, entry in value.items() if not (key == "sum" and "seconds" in value)}
    return [without_measured_keys(entry) for entry in value] if isinstance(value, list) else value


def report_as_markdown(text):
    lines, columns, timed = [], (), False
    for line in text.splitlines():
        if line.startswith("#"):
            timed = TIMED_SECTION in line
        cells = [cell.strip() for cell in line.split("|")]
        if not line.startswith("|"):
            columns = ()
        elif not columns:
            columns = {number for number, cell in enumerate(cells) if cell in MEASURED_COLUMNS or (timed and number > 2)}
        else:
            line = "|".join("…" if number in columns and cell and set(cell) - set("-:") else cell for number, cell in enumerate(cells))
        lines.append(line)
    return without_times("\n".join(lines))


def report_as_html(text):
    rows, columns, timed, drawn = [], (), False, False
    for line in text.splitlines():
        if line.startswith("<h2>"):
            timed = TIMED_SECTION in line
            drawn = "speed" in line.lower() or (timed and "drawn" in line)
        if line.startswith("<tr><th>"):
            columns = {number for number,
                       cell in enumerate(re.findall(r"<th>(.*?)</th>", line)) if cell in MEASURED_COLUMNS or (timed and number > 1)}
        elif line.startswith("<tr><td>") and columns:
            cells = re.findall(r"<td>(.*?)</td>", line)
            line = " ".join("…" if number in columns else cell for number, cell in enumerate(cells))
        elif line.startswith("</table>"):
            columns = ()
        elif drawn and line.startswith(("<svg", "<line", "<text", "<circle", "<path", "<poly")):
            continue  # charts of times: their ticks move, too
        rows.append(line)
    return without_times("\n".join(rows))


def report_as_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    hidden = {number for number, name in enumerate(rows[0]) if MEASURED.search(name)}
    return "\n".join(",".join("…" if number in hidden and cell and row is not rows[0] else cell for number,
                              cell in enumerate(row)) for row in rows)


def normal(name, content):
    """The part of an output that must not differ, as bytes, or None if the file means nothing."""
    base = name.rsplit("/", 1)[-1]
    if base == "lock":
        return None
    forms = {"report.md": report_as_markdown, "report.html": report_as_html, "report.csv": report_as_csv}
    if base in forms:
        return forms[base](content.decode()).encode()
    if base in ("ledger.json", "report.json"):
        return json.dumps(without_measured_keys(json.loads(content)), indent=1, ensure_ascii=False).encode()
    if base == "speed.tsv":
        return re.sub(rb"\t[\d.]+$", b"\t", content, flags=re.M)
    if base.endswith(".messages") or (base.endswith(".stdout") and re.search(r"/(quick|train|experiment)", name)):
        return without_times(content.decode(errors="backslashreplace")).encode()
    return content


def first_difference(old, new):
    """Where two contents differ first, and what stands there."""
    place = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    if b"\0" in old[:4096] or b"\0" in new[:4096]:
        return f"{len(old):,} and {len(new):,} bytes; byte {place:,}: {old[place:place + 8].hex(' ') or 'end'} | {new[place:place + 8].hex(' ') or 'end'}"
    line = old.count(b"\n", 0, place) + 1

    def shown(content):
        begin = content.rfind(b"\n", 0, place) + 1
        end = content.find(b"\n", place)
        text = content[begin:len(content) if end < 0 else end].decode(errors="backslashreplace")
        middle = len(content[begin:place].decode(errors="ignore"))
        return text if len(text) <= 240 else f"…{text[max(0, middle - 80):middle + 160]}…"

    return f"line {line:,}:\n    old: {shown(old)}\n    new: {shown(new)}"


def lines_that_differ(old, new):
    """Lines that one content has and the other has not."""
    old, new = old.decode(errors="backslashreplace").splitlines(), new.decode(errors="backslashreplace").splitlines()
    return list(set(old) ^ set(new)) or ["the order of lines"]


class Intended:
    """A file of intended differences: `OUTPUT :: REASON` or `OUTPUT :: /LINES/ :: REASON` a line; # begins a comment.

    OUTPUT is a pattern of names (`*` matches anything); LINES a regular expression that every line that differs must match.
    """

    def __init__(self, path):
        self.entries = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(" :: ")]
            if len(fields) not in (2, 3) or (len(fields) == 3 and not re.fullmatch(r"/.+/", fields[1])):
                raise SystemExit(f"{path}:{number}: not `OUTPUT :: REASON` or `OUTPUT :: /LINES/ :: REASON`")
            self.entries.append({"pattern": fields[0], "lines": fields[1][1:-1] if len(fields) == 3 else None, "reason": fields[-1],
                                 "used": 0})

    def reason(self, name, old, new):
        for entry in self.entries:
            if not fnmatch.fnmatchcase(name, entry["pattern"]):
                continue
            if entry["lines"] is None or (old is not None and new is not None and all(re.search(entry["lines"],
                line) for line in lines_that_differ(old, new))):
                entry["used"] += 1
                return entry["reason"]
        return None
