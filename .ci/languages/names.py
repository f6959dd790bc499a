"""The names that JavaScript and Python give, and those of them that nothing uses."""
import ast
import re
import symtable
from collections import Counter

from languages.javascript import BLOCKS, HEAD, STATEMENTS

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DECLARING = {"const", "let", "var"}


class Name:
    """A name that a script gives: where, and whether that is a parameter of a list."""

    def __init__(self, token, kind, begin, end):
        self.text, self.line, self.kind = token.text, token.line, kind
        self.begin, self.end = begin, end  # the places of the tokens that may use it
        self.list, self.is_top, self.is_exported = None, False, False


class Script:
    """The tokens of a script without comments, and the words that may use a name."""

    def __init__(self, tokens):
        self.tokens = [token for token in tokens if token.kind not in ("comment", "block")]
        self.place = {id(token): n for n, token in enumerate(self.tokens)}
        self.is_module = any(
            token.text in ("import", "export") and token.role == "keyword" and token.is_fresh
            for token in self.tokens)
        self.words = {token.text for token in self.tokens if token.kind == "word"}
        self.uses = {}
        for n, token in enumerate(self.tokens):
            if token.kind == "word" and self.is_use(n, token):
                self.uses.setdefault(token.text, []).append(n)

    def is_use(self, n, token):
        if token.role != "name":
            return True
        # `{ a }` uses the name as a key and as a value; `{ a: 1 }` and `b.a` do not.
        before, after = self.tokens[n - 1], self.tokens[n + 1]
        return before.text not in (".", "?.") and after.text in (",", "}", "=") \
            and token.inside.kind == "object"

    def count(self, name):
        found = self.uses.get(name.text, ())
        return sum(name.begin <= n < name.end for n in found)

    def span(self, bracket):
        """The places of the first and the last token of a bracket."""
        if bracket.opener is None:
            return 0, len(self.tokens)
        return self.place[id(bracket.opener)], self.place[id(bracket.closer)] + 1

    def block(self, token):
        """The statements around a token."""
        bracket = token.around
        while bracket.kind not in STATEMENTS and bracket.outer is not None:
            bracket = bracket.outer
        return bracket

    def names(self):
        """Yields each name that the script gives."""
        for n, token in enumerate(self.tokens):
            if token.role == "keyword" and token.text in DECLARING:
                yield from self.declared(n, token)
            elif token.role == "keyword" and token.text in ("function", "class"):
                yield from self.named(n, token)
            elif token.text == "(" and token.own is not None:
                yield from self.parameters(n, token)
            elif token.text == "=>" and self.tokens[n - 1].kind == "word":
                begin, end = self.span(token.around)
                yield Name(self.tokens[n - 1], "takes", begin, end)
            elif token.text == "import" and token.role == "keyword" and token.is_fresh:
                yield from self.imported(n)

    def declared(self, n, token):
        begin, end = self.span(self.block(token))
        for place in self.pattern(n + 1, token.inside):
            name = Name(self.tokens[place], "declares", begin, end)
            name.is_top = token.inside.kind == "top"
            name.is_exported = self.tokens[n - 1].text == "export"
            yield name

    def pattern(self, n, bracket):
        """Yields the places of the names that a `const` or a list of parameters gives."""
        is_value, level = False, bracket
        while n < len(self.tokens):
            token = self.tokens[n]
            if token.around is level and (token.text in (";", "of", "in") or token.kind == "end"):
                return
            if token.pair is not None and token.own is level:
                return
            if token.around is level and token.text == ",":
                is_value = False
            elif token.around is level and token.text == "=":
                is_value = True
            elif token.text in ("{", "[") and not is_value and token.own is not None:
                yield from self.inner(n, token.own)
                n = self.span(token.own)[1]
                continue
            elif token.kind == "word" and not is_value and token.around is level:
                yield n
            if token.own is not None and token.pair is None:
                n = self.span(token.own)[1]
                continue
            n += 1

    def inner(self, n, bracket):
        """The names of a destructuring; none of one that leaves out some with `...rest`."""
        end = self.span(bracket)[1]
        parts = [[]]
        for place in range(n + 1, end - 1):
            if self.tokens[place].around is bracket and self.tokens[place].text == ",":
                parts.append([])
            else:
                parts[-1].append(place)
        if bracket.kind == "object" and any(
                part and self.tokens[part[0]].text == "..." for part in parts):
            return
        for part in parts:
            texts = [self.tokens[place].text for place in part]
            keys = [m for m, place in enumerate(part)
                    if texts[m] == ":" and self.tokens[place].around is bracket]
            part = part[keys[0] + 1:] if keys else part
            part = part[1:] if part and self.tokens[part[0]].text == "..." else part
            if part and self.tokens[part[0]].kind == "word":
                yield part[0]
            elif part and self.tokens[part[0]].text in ("{", "["):
                yield from self.inner(part[0], self.tokens[part[0]].own)

    def named(self, n, token):
        place = n + 2 if self.tokens[n + 1].text == "*" else n + 1
        if self.tokens[place].kind != "word" or self.tokens[place].text == "extends":
            return
        first = n
        while not self.tokens[first].is_fresh and self.tokens[first - 1].text in HEAD:
            first -= 1
        # The name of a function in an expression may be there for the stack alone.
        if not self.tokens[first].is_fresh or token.inside.kind not in BLOCKS:
            return
        head = [each.text for each in self.tokens[first:n]]
        name = Name(self.tokens[place], "declares", *self.span(self.block(token)))
        name.is_top, name.is_exported = token.inside.kind == "top", "export" in head
        if "default" not in head:
            yield name

    def parameters(self, n, token):
        begin, end = self.span(token.own)
        after = self.tokens[end] if end < len(self.tokens) else None
        is_catch = token.role == "header" and token.own.word == "catch"
        if token.role == "params" or is_catch:
            if after is None or after.text != "{":
                return
            end = self.span(after.own)[1]
        elif after is not None and after.text == "=>":
            body = self.tokens[end + 1]
            end = self.span(body.own if body.text == "{" else token.around)[1]
        else:
            return
        given = []
        for place in self.pattern(n + 1, token.own):
            name = Name(self.tokens[place], "takes", begin, end)
            # A parameter before a used one has to stay.
            name.list = given if self.tokens[place].inside is token.own else None
            given.append(name)
        yield from given

    def listed(self):
        """Yields the places of the names in `export { a, b as c }`."""
        for n, token in enumerate(self.tokens):
            if token.text == "export" and token.is_fresh and self.tokens[n + 1].text == "{":
                for place in range(*self.span(self.tokens[n + 1].own)):
                    if self.tokens[place].kind == "word" and (
                            self.tokens[place + 1].text in (",", "}")):
                        yield place

    def imported(self, n):
        for place in range(n + 1, len(self.tokens)):
            token = self.tokens[place]
            if token.kind == "string" or token.text in ("(", "."):
                return
            is_last = self.tokens[place + 1].text in (",", "}", "from")
            if token.kind == "word" and token.text != "from" and is_last:
                yield Name(token, "imports", 0, len(self.tokens))


def unused_inside(script):
    """The names in functions and blocks, the parameters and the imports that nothing uses."""
    names = list(script.names())
    used = {id(name) for name in names if name.text.startswith("_") or script.count(name) > 1}
    for name in names:
        is_needed = name.list is not None and any(
            id(later) in used for later in name.list[name.list.index(name):])
        if id(name) not in used and not is_needed and not name.is_top:
            yield name


def unused_at_top(script, others):
    """The names of a script's top that nothing uses, there or in scripts of the same page."""
    listed = {script.tokens[n].text for n in script.listed()}
    for name in script.names():
        if name.is_top and not name.is_exported and name.text not in listed:
            if script.count(name) < 2 and not any(name.text in other.uses for other in others):
                yield name


def exports(script):
    """The places of the names that other modules may import."""
    yield from (name for name in script.names() if name.is_exported)
    for n in script.listed():
        name = Name(script.tokens[n], "exports", 0, len(script.tokens))
        yield name


def unused_in_python(text, path):
    """Yields what nothing in a file uses: its line, a verb, the name, and whether others see it."""
    tree, words = ast.parse(text), Counter(re.findall(r"[^\W\d]\w*", text))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            given = [(alias.asname or alias.name).split(".")[0] for alias in node.names]
            yield from ((node.lineno, "imports", name, False)
                        for name in given if words[name] < 2)
    for node in tree.body:
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and words[node.name] < 2 \
                and not node.name.startswith("__"):  # Python calls those
            yield node.lineno, "declares", node.name, True
    # A function that is only called, and not a method, takes what its callers choose to give.
    plain = {node.lineno: node for node in tree.body if isinstance(node, FUNCTIONS)
             and not node.decorator_list
             and len(re.findall(rf"\b{node.name}\(", text)) == words[node.name]}
    given = {}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            inner = (each for statement in node.body for each in ast.walk(statement))
            given[node.lineno] = set(filter(None, map(given_name, inner)))
    tables = [symtable.symtable(text, str(path), "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        line = table.get_lineno()
        for symbol in table.get_symbols() if table.get_type() == "function" else ():
            name = symbol.get_name()
            if not symbol.is_local() or is_used(name, table) or name.startswith("_"):
                continue
            if symbol.is_parameter() and line in plain and table.get_name() == plain[line].name:
                yield line, "takes", name, False
            elif not symbol.is_parameter() and name in given.get(line, ()):
                yield line, "declares", name, False


def given_name(node):
    """The name that an assignment, an `except` or a nested function gives; none for a tuple."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return getattr(node.targets[0], "id", None)
    if isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        return getattr(node.target, "id", None)
    return node.name if isinstance(node, FUNCTIONS + (ast.ExceptHandler,)) else None


def is_used(name, table):
    """Whether a scope, or one in it, reads a name."""
    symbols = {symbol.get_name(): symbol for symbol in table.get_symbols()}
    if name not in symbols:
        return False
    inner = (child for child in table.get_children()
             if any(each.get_name() == name and each.is_free() for each in child.get_symbols()))
    return symbols[name].is_referenced() or any(is_used(name, child) for child in inner)
