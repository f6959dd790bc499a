"""The tokens of JavaScript, and what each one is: a unary minus, the brace of a class, a key."""
import re

TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|\A#![^\n]*)|(?P<block>/\*.*?\*/)"
    r"|(?P<string>'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<number>0[xXbBoO][\da-fA-F_]+n?"
    r"|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?)"
    r"|(?P<word>#?[^\W\d][\w$]*|#?\$[\w$]*)|(?P<space>\s+)"
    r"|(?P<sign>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|\?\.(?!\d)|==|!=|<=|>="
    r"|&&|\|\||\?\?|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|\*\*"
    r"|[-+*/%=<>!~&|^?:,;.()\[\]{}`@])", re.S)
TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.S)
EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
# Words after which a value begins.
OPERATORS = {
    "return", "typeof", "case", "await", "of", "in", "instanceof", "new", "delete", "void", "throw",
    "else", "do", "yield", "extends", "default", "export", "import", "const", "let", "var", "try",
    "finally", "class", "function", "if", "for", "while", "switch", "catch", "with", "async",
    "from", "as", "break", "continue", "debugger",
}
# Words that continue a statement on a new line, and words that may end one.
CONTINUES = {"in", "of", "instanceof", "as", "from"}
ENDS = {"return", "break", "continue", "debugger"}
HEADERS = {"if", "for", "while", "switch", "catch", "with"}
BLOCKS = {"top", "block", "function", "method", "switch"}
STATEMENTS = BLOCKS | {"class"}
HEAD = {"export", "default", "async"}


class Failure(Exception):
    """Text that JavaScript cannot parse."""


class Token:
    """A piece of text. `is_value` means that a value ends here, `is_fresh` that a part begins."""

    __slots__ = ("kind", "text", "line", "breaks", "role", "is_value", "is_fresh", "is_body",
                 "inside", "own", "pair", "column", "indent")

    def __init__(self, kind, text, line, breaks):
        self.kind, self.text, self.line, self.breaks = kind, text, line, breaks
        self.role, self.is_value, self.is_fresh, self.is_body = "", False, False, False
        self.inside = self.own = self.pair = None
        self.column = self.indent = 0

    @property
    def around(self):
        """The bracket that has the token whole, also if the token closes one."""
        return self.own.outer if self.pair is not None and self.own is not None else self.inside


class Bracket:
    """An open bracket, its kind, and how far the part of it that is read has come."""

    __slots__ = ("kind", "opener", "word", "is_fresh", "is_whole", "is_body", "questions", "head",
                 "has_case", "is_valued", "pending", "base", "part", "value", "spreads", "outer",
                 "closer")

    def __init__(self, kind, opener=None, outer=None):
        self.kind, self.opener, self.outer, self.closer = kind, opener, outer, None
        self.word, self.is_whole, self.is_body, self.questions = "", False, False, 0
        self.head, self.has_case, self.is_valued, self.pending = True, False, False, ""
        self.is_fresh, self.base, self.part, self.value, self.spreads = True, 0, 0, 0, False

    def begin(self):
        """A new statement, member or element."""
        self.is_fresh, self.head, self.is_valued, self.pending = True, True, False, ""
        self.questions, self.is_body, self.spreads = 0, False, False


class Reader:
    """Reads tokens in one pass. The token before a slash or a brace decides what it means."""

    def __init__(self, text):
        self.text, self.at, self.line, self.breaks = text, 0, 1, 0
        self.tokens, self.before = [], None
        self.bracket = Bracket("top")

    def read(self):
        while self.at < len(self.text):
            self.next()
        if self.bracket.kind != "top":
            raise Failure(f"{self.bracket.opener.line}: a bracket without an end")
        self.add(Token("end", "", self.line, self.breaks))
        return self.tokens

    def next(self):
        found = TOKEN.match(self.text, self.at)
        if not found:
            raise Failure(f"{self.line}: unknown sign {self.text[self.at]!r}")
        kind, text = found.lastgroup, found[0]
        if kind == "sign" and text[0] == "/" and not self.is_after_value():
            found = EXPRESSION.match(self.text, self.at)
            if not found:
                raise Failure(f"{self.line}: a regular expression without an end")
            kind, text = "regex", found[0]
        elif text == "`" or text == "}" and self.bracket.kind == "template":
            found = TEMPLATE.match(self.text, self.at + 1)
            if not found:
                raise Failure(f"{self.line}: a template without an end")
            kind, text = "template", text + found[0]
        self.at += len(text)
        if kind == "space":
            self.breaks += text.count("\n")
        else:
            token = Token(kind, text, self.line, self.breaks)
            token.indent = found.start() - self.text.rfind("\n", 0, found.start()) - 1
            self.add(token)
            self.breaks = 0
        self.line += text.count("\n")

    def is_after_value(self):
        return self.before is not None and self.before.is_value

    def add(self, token):
        is_comment = token.kind in ("comment", "block")
        if not is_comment and self.needs_semicolon(token):
            self.insert(Token("sign", ";", self.before.line, 0))
        bracket = token.inside = self.bracket
        self.tokens.append(token)
        if is_comment:
            return
        token.is_fresh, token.is_body = bracket.is_fresh, bracket.is_body
        if token.text not in (")", "]", "}"):
            bracket.is_fresh = bracket.is_body = False
        getattr(self, token.kind)(token, bracket)
        self.before = token

    def needs_semicolon(self, token):
        """Whether the language would insert a semicolon before a token."""
        bracket, before = self.bracket, self.before
        if bracket.kind not in STATEMENTS or before is None or before.around is not bracket:
            return False
        is_end = before.is_value or before.text in ENDS and before.role == "keyword"
        if not is_end:
            return False
        is_last = token.kind == "end" or token.text == "}"
        return is_last or self.is_on_new_line(token) and starts_anew(token)

    def is_on_new_line(self, token):
        return token.line > self.before.line + self.before.text.count("\n")

    def insert(self, token):
        """Adds a token right after the last one, before the comments between."""
        comments = []
        while self.tokens[-1] is not self.before:
            comments.insert(0, self.tokens.pop())
        self.add(token)
        self.tokens += comments

    def end(self, token, bracket):
        pass

    def number(self, token, bracket):
        token.is_value, bracket.head = True, False

    string = regex = number

    def template(self, token, bracket):
        if token.text[0] == "}":
            token.pair = bracket.opener
            bracket.closer = token
            bracket = self.bracket = bracket.outer
            token.inside, token.is_fresh, token.is_body = bracket, False, False
        else:
            token.role = "tagged" if self.is_after_value() else ""
        token.is_value = token.text.endswith("`")
        bracket.head = False
        if not token.is_value:
            self.bracket = token.own = Bracket("template", token, bracket)

    def is_member(self, bracket):
        """Whether a key of a class or an object may stand here."""
        return bracket.kind in ("class", "object") and not bracket.is_valued

    def word(self, token, bracket):
        word, before = token.text, self.before
        is_name = before is not None and before.text in (".", "?.")
        if is_name or self.is_member(bracket) and not (word == "async" or word in HEAD):
            token.is_value, token.role = True, "name"
        else:
            token.role = "keyword" if word in OPERATORS else ""
            token.is_value = word not in OPERATORS
            if word == "import" and re.match(r"\s*[(.]", self.text[self.at:self.at + 20]):
                token.is_value = True
            if word in ("of", "from", "as", "async") and self.is_plain_name(word):
                token.is_value, token.role = True, ""
            if word in ("function", "class"):
                is_declared = bracket.head and bracket.kind in BLOCKS
                bracket.pending = word + (" declared" if is_declared else "")
            elif word in ("else", "do") and bracket.kind in BLOCKS:
                bracket.is_body = True
            elif word in ("case", "default") and bracket.kind == "switch" and token.is_fresh:
                bracket.has_case, token.role = True, "case"
        if word not in HEAD:
            bracket.head = False

    def is_plain_name(self, word):
        """Whether a word of the language is a name here, as in `of.each()` or `{ from }`."""
        rest = self.text[self.at:self.at + 40].lstrip(" ")
        if word == "async":
            return not re.match(r"[(\w$*]", rest)
        is_between = self.is_after_value() or self.before is not None and self.before.text == "*"
        follows = {"of": r"[\w$(\[{'\"`/]", "from": r"['\"]", "as": r"[\w$'\"]"}[word]
        return not (is_between and re.match(follows, rest))

    def sign(self, token, bracket):
        text, is_after = token.text, self.is_after_value()
        bracket.head &= text == "*"
        if text in "([{":
            self.open(token, bracket, is_after)
        elif text in ")]}":
            self.close(token, bracket)
        elif text in ",;":
            is_end = text == ";" or bracket.kind not in BLOCKS | {"class"}
            if is_end:
                bracket.begin()
        elif text == ":":
            self.colon(token, bracket)
        elif text in ("++", "--"):
            token.role = "postfix" if is_after and not self.is_on_new_line(token) else "unary"
            token.is_value = token.role == "postfix"
        elif text in "+-":
            token.role = "" if is_after else "unary"
        elif text in "!~" or text == "...":
            token.role = "unary"
            bracket.spreads |= text == "..." and token.is_fresh
            bracket.is_valued |= text == "..."
        elif text == "*":
            is_key = self.is_member(bracket)
            before = self.before.text if self.before else ""
            token.role = "unary" if is_key else "star" if before in ("function", "yield") else ""
        elif text == "?":
            bracket.questions += 1
        elif text in ("=", "=>"):
            bracket.is_valued = True

    def colon(self, token, bracket):
        if bracket.questions:
            bracket.questions -= 1
        elif bracket.kind == "object":
            token.role, bracket.is_valued = "key", True
        else:
            token.role = "key"
            bracket.begin()
            bracket.is_body = False

    def open(self, token, bracket, is_after):
        before = self.before
        word = before.text if before is not None and before.kind == "word" else ""
        if token.text == "(":
            kind = "call" if is_after else "group"
            if before is not None and before.role == "keyword" and (word in HEADERS or (
                    word == "await" and self.tokens[-3].text == "for")):
                kind = "header"
            elif bracket.pending.startswith("function") or (
                    self.is_member(bracket) and before is not bracket.opener):
                kind = "params"
        elif token.text == "[":
            kind = "index" if is_after and not self.is_member(bracket) else "array"
        else:
            kind = self.brace(bracket, before, word)
        opened = Bracket(kind, token, bracket)
        token.role, token.own, opened.word = kind, opened, word
        if token.text == "{":
            opened.is_whole = kind in ("block", "switch") or kind == "method" or (
                bracket.pending.endswith("declared"))
            if kind in ("function", "class"):
                bracket.pending = ""
        self.bracket = opened

    def brace(self, bracket, before, word):
        if before is None:
            return "block"
        if before.text == "=>":
            return "function"
        if bracket.pending.startswith("class"):
            return "class"
        if before.text == ")" and before.pair is not None:
            if before.pair.role == "header":
                return "switch" if before.pair.own.word == "switch" else "block"
            if before.pair.role == "params":
                return "function" if bracket.pending else "method"
        if before.role == "keyword" and word in ("else", "try", "finally", "do", "catch"):
            return "block"
        if word == "static" and bracket.kind == "class":
            return "method"
        is_start = self.tokens[-1].is_fresh and bracket.kind in BLOCKS
        return "block" if is_start else "object"

    def close(self, token, bracket):
        if bracket.opener is None or bracket.opener.text[-1] + token.text not in ("()", "[]", "{}"):
            raise Failure(f"{token.line}: {token.text} closes nothing")
        token.pair, token.role, bracket.closer = bracket.opener, bracket.kind, token
        token.own = bracket
        outer = self.bracket = bracket.outer
        kind = bracket.kind
        token.is_value = not bracket.is_whole and kind not in ("header", "params")
        if token.text == "}" and bracket.is_whole:
            is_member = kind == "method" and outer.kind == "object"
            if is_member:
                token.is_value = True
            else:
                outer.begin()
        if kind == "header":
            outer.is_body = True


def starts_anew(token):
    """Whether no statement goes on with a token on a new line."""
    if token.kind == "word":
        return token.text not in CONTINUES
    return token.kind in ("string", "number") or token.text in ("{", "++", "--", "!", "~", "@")


def read(text):
    """The tokens of a script or a module."""
    return Reader(text).read()
