"""Formats CSS, C and HTML: spaces, blank lines, and indentation by braces.

C keeps its columns: a line that continues a statement may stand further to the right.
"""
import re

# Texts and comments, which stay as they are.
KEPT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
CSS_KEPT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


def formatted(text, language):
    """The text as the rules have it."""
    text = re.sub(r"[ \t]+$", "", text.replace("\t", "  "), flags=re.M)
    text = re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"
    if language == "HTML":
        return text
    kept = []

    def keep(found):
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    text = (CSS_KEPT if language == "CSS" else KEPT).sub(keep, text)
    spaced = spaced_css if language == "CSS" else spaced_c
    text = "\n".join(indented([spaced(line) for line in text.split("\n")], language == "C"))
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)


def spaced_css(line):
    line = re.sub(r"(?<=\S) *\{", " {", re.sub(r"\{(?=\S)", "{ ", line))
    line = re.sub(r"(?<=[^\s{]) *\}", " }", re.sub(r"\s*;", ";", line))
    line = re.sub(r"([,;])(?=[^\s\0])", r"\1 ", re.sub(r"(?<=\S) +", " ", line))
    return re.sub(r"((?:^|[{;]) *[\w-]+) *: *(?=[^:]*[;}])", r"\1: ", line)


def spaced_c(line):
    if line.lstrip().startswith("#"):
        return line
    line = re.sub(r"(?<=[\w)])\{", " {", re.sub(r"\b(if|for|while|switch)\(", r"\1 (", line))
    line = re.sub(r"\s*([,;])(?=[^\s;)])", r"\1 ", line)
    return re.sub(r"(?<=[\w)\]\"]) ?(==|!=|<=|>=|&&|\|\||[-+*/|&]?=(?!=)) ?(?=\S)", r" \1 ", line)


def indented(lines, keeps_columns):
    """Indents by open brackets, and a line that continues one by one step more."""
    depth, is_open, is_macro, before = 0, False, False, ";"
    for whole in lines:
        line, code = whole.strip(), re.sub(r"\0\d+\0", "", whole).strip()
        if line.startswith("#") or is_macro:
            is_macro = line.endswith("\\")
            yield whole
            continue
        closed = len(re.match(r"[})]*", line)[0])
        column = 2 * max(0, depth - closed + (is_open and not closed and line[:1] != "{"))
        if keeps_columns and not closed and (before[-1] not in ";{}:" or before.endswith("= {")):
            column = max(column, len(whole) - len(whole.lstrip()))
        yield " " * column + line if line else ""
        depth += sum(code.count(each) for each in "{(") - sum(code.count(each) for each in "})")
        if code:
            is_open, before = code[-1] not in "{};,:", code
