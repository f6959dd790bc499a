"""The comments of a file: its text without code, on the same lines."""
import ast
import re
import textwrap

from languages import javascript, python

SLASHES = re.compile(r"(?:^|(?<=  ))\s*//[/!]? ?(.*)")
MARKS = {"C": re.compile(r"/\*.*?\*/|//[^\n]*", re.S), "CSS": re.compile(r"/\*.*?\*/", re.S),
         "HTML": re.compile(r"<!--.*?-->", re.S)}
EDGES = re.compile(r"^\s*(?://[/!]?|/\*+|<!--|#|\*(?!/)) ?|\s*(?:\*/|-->)\s*$")


def lines(text, language):
    """Each line's comment, or an empty text. Code beside a comment does not count."""
    if language == "Swift":
        found = (SLASHES.search(line) for line in text.split("\n"))
        return [match[1] if match else "" for match in found]
    kept = [""] * (text.count("\n") + 1)
    for first, comment in pieces(text, language):
        head, _, rest = comment.partition("\n")
        for number, line in enumerate([head, *textwrap.dedent(rest).split("\n")], first):
            kept[number] = EDGES.sub("", line)
    return kept


def pieces(text, language):
    """Yields the place of the first line of each comment, from 0, and its text."""
    if language == "JavaScript":
        for token in javascript.read(text):
            if token.kind in ("comment", "block") and not token.text.startswith("#!"):
                yield token.line - 1, token.text
    elif language == "Python":
        yield from python_pieces(text)
    elif language == "shell":
        for number, line in enumerate(text.split("\n")):
            if re.match(r"\s*# ", line):
                yield number, line
    elif language in MARKS:
        for match in MARKS[language].finditer(text):
            yield text.count("\n", 0, match.start()), match[0]


def python_pieces(text):
    for comment, _, first, _, _ in python.pieces(text):
        if comment.startswith("# "):
            yield first - 1, comment
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.lineno - 1, value.value
