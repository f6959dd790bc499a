"""Formats Python: spaces, quotes, trailing commas, blank lines, indentation. Line breaks stay."""
import io
import keyword
import re
import tokenize

SKIPPED = {tokenize.ENCODING, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
VALUES, LITERALS = {"None", "True", "False"}, (tokenize.NUMBER, tokenize.STRING)
BODIES = {"if", "elif", "while", "with", "for"}  # statements whose head may not look like a body
OPENERS, CLOSERS = {"(": ")", "[": "]", "{": "}"}, set(")]}")
QUOTED = re.compile(r"([A-Za-z]*)('''|'|\"\"\"|\")(.*)\2\Z", re.S)


class Token:
    """A piece of text; `breaks` counts the line ends before it."""

    def __init__(self, text, kind, breaks, depth):
        self.text, self.kind, self.breaks, self.depth = text, kind, breaks, depth
        self.is_value = self.is_first = self.is_definition = False
        self.inside, self.own, self.role = None, None, ""

    @property
    def is_comment(self):
        return self.kind == tokenize.COMMENT


class Bracket:
    """An open bracket and what it holds. The outermost one holds a statement."""

    def __init__(self, kind, outer=None):
        self.kind, self.outer, self.base, self.part, self.closer = kind, outer, 0, 0, None
        self.depth, self.has_body = (outer.depth, outer.has_body) if outer else (0, False)
        self.has_for = self.is_fresh = self.is_hung = False
        self.lambdas, self.is_annotated = 0, False


def pieces(text):
    """Yields text, kind, first line, last line and column of each token; an f-string is one."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    nested, begin = 0, None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            begin, nested = begin or token, nested + 1
        elif name.endswith("STRING_END"):
            nested -= 1
            if not nested:
                whole = text[starts[begin.start[0] - 1] + begin.start[1]:
                             starts[token.end[0] - 1] + token.end[1]]
                yield whole, tokenize.STRING, begin.start[0], token.end[0], begin.start[1]
                begin = None
        elif not nested:
            yield token.string, token.type, token.start[0], token.end[0], token.start[1]


def read(text):
    """The tokens of a file, with their depth and what each one is."""
    tokens, columns, line, is_first = [], [0], 0, True
    for string, kind, start, end, column in pieces(text):
        if kind == tokenize.INDENT:
            columns.append(len(string))
        elif kind == tokenize.DEDENT:
            columns.pop()
        elif kind == tokenize.NEWLINE:
            is_first = True
        if kind in SKIPPED or kind in (tokenize.NEWLINE, tokenize.NL):
            continue
        depth = len(columns) - 1
        token = Token(string, kind, start - line, depth)
        if token.is_comment:
            token.depth = max(n for n, each in enumerate(columns) if each <= max(column, 0))
        else:
            token.is_first, is_first = is_first, False
        tokens.append(token)
        line = end
    for token, after in zip(tokens[-2::-1], tokens[:0:-1]):
        # A block's first comment comes before its indentation.
        if token.is_comment and after.depth > token.depth:
            token.depth = after.depth
        word = after if token.text == "async" else token
        token.is_definition = token.is_first and word.text in ("def", "class", "@")
    understand(tokens)
    return tokens


def understand(tokens):
    """Says of each token which bracket it is in and what it means there."""
    bracket, before = Bracket("statement"), None
    for token in tokens:
        if token.is_first:
            bracket, before = Bracket("statement"), None
            bracket.depth, bracket.has_body = token.depth, token.text in BODIES
        token.inside = bracket
        if token.is_comment:
            continue
        text = token.text
        if bracket.is_fresh and token.text not in CLOSERS:
            bracket.is_fresh, bracket.is_hung = False, not token.breaks
        is_word = token.kind == tokenize.NAME and (
            not keyword.iskeyword(text) or text in VALUES)
        token.is_value = is_word or text == "..." or token.kind in LITERALS
        is_after = before is not None and before.is_value
        if text in OPENERS:
            token.role = kind_of(text, before, is_after)
            bracket = token.own = Bracket(token.role, bracket)
            bracket.is_fresh = True
        elif text in CLOSERS:
            token.own, token.role, token.is_value = bracket, bracket.kind, True
            bracket.closer = token
            bracket = bracket.outer
        elif text in ("for", "async") and before is not None:
            bracket.has_for = True
        elif text == "lambda":
            bracket.lambdas += 1
        elif text == ":":
            token.role = meaning_of_colon(bracket)
        elif text == "=" and (bracket.kind == "call" or bracket.lambdas):
            token.role = "" if bracket.is_annotated else "default"
        elif text in ("+", "-", "~", "*", "**", "@", "/") and not is_after:
            token.role = "unary"
        elif text == ".":
            is_relative = before is not None and before.text in ("from", ".") and not is_after
            token.role = "relative" if is_relative else ""
        if text == "," and bracket.kind != "statement":
            bracket.is_annotated = False
        before = token


def kind_of(text, before, is_after):
    if text == "{":
        return "braces"
    if text == "[":
        return "index" if is_after else "list"
    if not is_after:
        return "import" if before is not None and before.text == "import" else "group"
    return "call"


def meaning_of_colon(bracket):
    if bracket.lambdas:
        bracket.lambdas -= 1
        return "lambda"
    if bracket.kind == "index":
        return "slice"
    bracket.is_annotated |= bracket.kind == "call"
    return "colon"


def formatted(text):
    """The text as the rules have it."""
    tokens = with_commas(read(text))
    if not tokens:
        return ""
    blanks, lines, line, before, column = blank_lines(tokens), [], "", None, 0
    for token in tokens:
        if before is None or token.breaks > 0:
            if before is not None:
                lines.append(line + (" \\" if is_bent(token) else ""))
                lines += [""] * blanks.get(id(token), min(token.breaks - 1, 1))
            column = indentation(token)
            line = " " * column
        elif token.is_comment:
            line += "  "
        elif space_between(before, token):
            line += " "
        line += written(token)
        if token.text in OPENERS:
            token.own.base, token.own.part = column, len(line)
        before = token
    return "\n".join([*lines, line]) + "\n"


def is_statement(token):
    """Whether a token begins a statement, or is a comment between statements."""
    return token.is_first or token.is_comment and token.inside.outer is None and token.breaks > 0


def is_bent(token):
    """Whether a backslash stands before a token."""
    return token.inside.outer is None and token.text not in CLOSERS and not is_statement(token)


def blank_lines(tokens):
    """How many lines stay empty before each statement: two around functions at the top."""
    begins = [token for token in tokens if is_statement(token)]
    defines = {}
    for n in reversed(range(len(begins))):
        token = begins[n]
        is_above = token.is_comment and n + 1 < len(begins) and begins[n + 1].breaks == 1 \
            and begins[n + 1].depth == token.depth
        defines[n] = defines[n + 1] if is_above else token.is_definition
    blanks, top = {}, 0
    for n, token in enumerate(begins[1:], 1):
        last, most = begins[n - 1], 1 if token.depth else 2
        blank = min(token.breaks - 1, most)
        is_together = last.text == "@" or last.is_comment and token.breaks == 1
        if last.depth < token.depth or is_together:
            blank = 0 if is_together or not token.is_comment and not defines[n] else blank
        elif defines[n] or token.depth == 0 and last.depth and defines[top]:
            blank = most
        top = n if token.depth == 0 and not token.is_comment else top
        blanks[id(token)] = blank
    return blanks


def indentation(token):
    """The column of a token that begins a line."""
    if is_statement(token):
        return 4 * token.depth
    bracket = token.inside
    if bracket.outer is None:
        return 4 * bracket.depth + (8 if bracket.has_body else 4)
    if token.text in CLOSERS:
        return bracket.base
    # A list in the head of a loop may not look like the body.
    is_head = bracket.has_body and bracket.base == 4 * bracket.depth and not bracket.closer.breaks
    return bracket.part if bracket.is_hung else bracket.base + (8 if is_head else 4)


def with_commas(tokens):
    """Adds a comma before a bracket that closes on a line of its own; removes one elsewhere."""
    result, last = [], None  # the place of the last token that is no comment
    for token in tokens:
        if token.text in CLOSERS and last is not None:
            is_broken = any(one.breaks for one in [*result[last + 1:], token])
            before = result[last]
            if is_broken and wants_comma(token, before):
                result.insert(last + 1, Token(",", tokenize.OP, 0, 0))
                result[last + 1].inside = token.own
            elif not is_broken and before.text == "," and token.role in ("call", "list", "braces"):
                del result[last]
        result.append(token)
        last = last if token.is_comment else len(result) - 1
    return result


def wants_comma(closer, last):
    return (closer.role in ("call", "list", "braces", "import") and not closer.own.has_for
            and last.text not in (",", "(", "[", "{"))


def written(token):
    if token.is_comment:
        return re.sub(r"^#(?=[^ #!:])", "# ", token.text.rstrip())
    found = token.kind == tokenize.STRING and QUOTED.match(token.text)
    if not found:
        return token.text
    prefix, quote, inner = found.groups()
    if "'" in quote and not set(inner) & set("'\"\\") and "f" not in prefix.lower():
        quote = quote.replace("'", '"')
    return prefix.lower() + quote + inner + quote


def space_between(a, b):
    """Whether a space stands between two tokens of a line."""
    if a.text in ("(", "[", "{") or a.role == "unary" or b.text in CLOSERS or b.text in (",", ";"):
        return a.text == "/" and a.role == "unary" and b.text not in CLOSERS and b.text != ","
    if b.role in ("call", "index", "colon", "lambda", "slice", "default"):
        return False
    if a.role in ("slice", "default") or a.text == "@" and a.is_first:
        return False
    if b.text == ".":
        return b.role == "relative" and a.text != "."
    if a.text == ".":
        return b.text == "import"
    return True
