"""Formats JavaScript: the spaces between tokens, quotes, semicolons, trailing commas, indentation.

Line breaks stay as they are written, as gofmt keeps them.
"""
from languages.javascript import Token, read

LISTS = {"array", "object", "call"}


def formatted(text):
    """The text as the rules have it."""
    return laid_out(with_commas(read(text)))


def meaning(tokens):
    return [token for token in tokens if token.kind not in ("comment", "block")]


def with_commas(tokens):
    """Adds a comma before a bracket that closes on a line of its own; removes one elsewhere."""
    known, result = meaning(tokens), []
    lasts = {id(token): last for last, token in zip(known, known[1:])}
    for token in tokens:
        if token.own is not None and token.pair is not None and token.kind == "sign":
            last = lasts[id(token)]
            place = next(n for n in range(len(result) - 1, -1, -1) if result[n] is last)
            is_broken = any(one.breaks for one in [*result[place + 1:], token])
            if is_broken and wants_comma(token, last):
                result.insert(place + 1, Token("sign", ",", last.line, 0))
                result[place + 1].inside = token.own
            elif not is_broken and last.text == "," and is_needless(token, result, place):
                del result[place]
        result.append(token)
    return result


def wants_comma(closer, last):
    bracket = closer.own
    return (closer.role in LISTS and last.text not in (",", "(", "[", "{") and not bracket.spreads
            and bracket.word != "import")


def is_needless(closer, result, place):
    return closer.role in LISTS | {"params"} and result[place - 1].text not in (",", "[")


def laid_out(tokens):
    lines, line, before, column = [], [], None, 0
    waiting = []  # comments on lines of their own, until the code after them is known
    for token in tokens:
        is_first = before is None or token.breaks > 0 or token.kind == "end"
        is_comment = token.kind in ("comment", "block")
        if is_first or waiting and not is_comment:
            if line:
                lines.append("".join(line))
            blank = [""] if token.breaks > 1 and keeps_blank(before, token) else []
            line = []
            if is_comment:
                waiting.append((blank, token))
                before = token
                continue
            column = indentation(token)
            # A comment before code on the same line stays there.
            beside = waiting.pop() if waiting and not is_first else None
            for space, comment in waiting:
                at = column + 2 if token.text in (")", "]", "}") else column
                lines += [*space, *comment_lines(comment, at)]
            waiting = []
            lines += beside[0] if beside else blank
            if token.kind == "end":
                break
            line = [" " * column, beside[1].text + " " if beside else ""]
        elif space_between(before, token, before.text == ";" and line[-2:-1] == ["("]):
            line.append(" ")
        note_columns(token, before, column, is_first)
        line.append(written(token))
        before = token
    text = "\n".join(lines).rstrip("\n")
    return text + "\n" if text else ""


def note_columns(token, before, column, is_first):
    """Keeps the columns from which later lines take theirs."""
    if token.own is not None and (token.pair is None or token.kind == "template"):
        token.own.base = base_of(token, before, column)
        token.own.part = token.own.value = column
    if token.is_fresh or token.is_body and is_first:
        token.inside.part = token.inside.value = column
    elif is_first and before is not None and token.pair is None and before.text in ("=", "=>"):
        token.inside.value = column


def keeps_blank(before, token):
    return (before is not None and not (before.own and before.pair is None)
            and token.text not in (")", "]", "}") and token.kind != "end")


def comment_lines(comment, column):
    first, *rest = comment.text.split("\n")
    shift = column - comment.indent
    yield " " * column + first.rstrip()
    for line in rest:
        indent = len(line) - len(line.lstrip())
        yield (" " * max(0, indent + shift) + line.strip()).rstrip()


def base_of(opener, before, column):
    """The indentation of what closes the bracket; a body takes it from its head."""
    if opener.text == "{" and before is not None and before.text == ")":
        return before.pair.own.base
    return column


def indentation(token):
    """The column of a token that begins a line."""
    if token.pair is not None:
        return token.pair.own.base
    bracket = token.inside
    if token.is_fresh:
        depth = 0 if bracket.kind == "top" else 2
        if bracket.kind == "switch" and bracket.has_case and token.role != "case":
            depth = 4
        return bracket.base + depth
    return (bracket.value if token.text in (".", "?.") else bracket.part) + 2


def written(token):
    if token.kind == "string" and token.text[0] == '"' and not set(token.text[1:-1]) & set("'\"\\"):
        return "'" + token.text[1:-1] + "'"
    return token.text.rstrip() if token.kind == "comment" else token.text


def space_between(a, b, is_second=False):
    """Whether a space stands between two tokens of a line."""
    if b.kind in ("comment", "block") or a.kind in ("comment", "block"):
        return not (a.text in ("(", "[") or b.text in (")", "]", ",", ";"))
    if a.kind == "template" and not a.is_value or b.kind == "template" and b.text[0] == "}":
        return False
    if b.kind == "template" and b.role == "tagged":
        return False
    if a.text in ("{", "}") or b.text in ("{", "}"):
        return space_at_brace(a, b)
    if a.kind == "sign" and (a.text in ("(", "[", ".", "?.") or a.role == "unary"):
        return False
    if b.kind == "sign":
        if b.text == ",":
            return a.text == ","
        if b.text in (")", "]", ".", "?.") or b.role in ("postfix", "star"):
            return False
        if b.text == ";":
            return a.text == ";" and not is_second
        if b.text == ":":
            return b.role != "key"
        if b.role in ("call", "index"):
            return False
        if b.role == "params":
            return a.kind == "word" and a.text == "function" and a.role == "keyword"
    return True


def space_at_brace(a, b):
    if a.text == "{" and b.text == "}" or b.text in (")", "]", ",", ";", ".", "?."):
        return False
    if a.text == "}" and b.role in ("call", "index", "postfix", "tagged"):
        return False
    if a.text in ("(", "[") or a.role == "unary":
        return False
    return not (a.text == "}" and b.text == ":" and b.role == "key")
