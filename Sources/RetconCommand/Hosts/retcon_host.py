#!/usr/bin/env python3
"""Serves a reducer in Python to Retcon: python3 retcon_host.py FILE.py[#NAME] [--state FILE]

FILE.py holds a function `reducer` (or NAME) that takes a state and an action, both as JSON has them,
and returns the next state. With the state None it returns the first one, unless the session, --state
or a global `initial_state` has it. Needs Python 3.8 and no packages, and is written to be read: it is
the template for hosts in other languages. The talk is described in docs/protocol.md.
"""

import copy
import importlib.util
import json
import os
import queue
import re
import sys
import threading
import traceback

VERSION = [2, 1]
KEPT = 256  # states that are kept of a line of steps
INTERRUPTED = "Interrupted by an error up the chain"
SET = "state set by hand"
RANKS = ["recorded", "edited", "assumed"]
NOTHING = object()


class Refusal(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class BranchEnd(Exception):
    """The branch ends with the step that this was raised in."""

    def __init__(self, ending, reason):
        super().__init__(reason)
        self.ending = ending


# Values


def same(one, other):
    """True and 1 are equal in Python, and are not the same in JSON."""
    if one is other:
        return True
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def escaped(key):
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def difference(old, new, place="", operations=None):
    """RFC 6902 operations that lead from one value to another."""
    operations = [] if operations is None else operations
    if same(old, new):
        return operations
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                operations.append({"op": "remove", "path": place + escaped(key)})
        for key in new:
            if key in old:
                difference(old[key], new[key], place + escaped(key), operations)
            else:
                operations.append({"op": "add", "path": place + escaped(key), "value": new[key]})
    elif isinstance(old, list) and isinstance(new, list):
        shortest = min(len(old), len(new))
        start = 0
        while start < shortest and same(old[start], new[start]):
            start += 1
        ends = 0
        while ends < shortest - start and same(old[-1 - ends], new[-1 - ends]):
            ends += 1
        both = shortest - ends
        for at in range(start, both):
            difference(old[at], new[at], f"{place}/{at}", operations)
        for at in range(len(old) - ends - 1, both - 1, -1):
            operations.append({"op": "remove", "path": f"{place}/{at}"})
        for at in range(both, len(new) - ends):
            operations.append({"op": "add", "path": f"{place}/{at}", "value": new[at]})
    else:
        operations.append({"op": "replace", "path": place, "value": new})
    return operations


def tokens(pointer):
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"{pointer} is no pointer")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def child(value, key):
    """A member or an element; NOTHING where there is none."""
    if isinstance(value, dict):
        return value.get(key, NOTHING)
    if isinstance(value, list) and key.isdigit() and int(key) < len(value):
        return value[int(key)]
    return NOTHING


def at(value, pointer):
    for key in tokens(pointer):
        value = child(value, key)
    return value


def changed(value, parts, operation, news=None):
    """The value with a change at a place; all other parts are the very same."""
    if not parts:
        return news
    key, *rest = parts
    old = child(value, key)
    if rest or operation != "add":
        if old is NOTHING:
            raise ValueError(f"there is nothing at /{'/'.join(parts)}")
    if not isinstance(value, (dict, list)):
        raise ValueError(f"there is nothing at /{'/'.join(parts)}")
    result = copy.copy(value)
    place = key if isinstance(value, dict) else len(value) if key == "-" else int(key)
    if rest:
        result[place] = changed(old, rest, operation, news)
    elif operation == "remove":
        del result[place]
    elif operation == "add" and isinstance(result, list):
        result.insert(place, news)
    else:
        result[place] = news
    return result


def patched(value, operations):
    for operation in operations:
        op, path = operation["op"], tokens(operation["path"])
        news = operation.get("value")
        if op in ("move", "copy"):
            news = at(value, operation["from"])
            if op == "move":
                value = changed(value, tokens(operation["from"]), "remove")
            op = "add"
        if op in ("add", "remove", "replace"):
            value = changed(value, path, op, news)
    return value


def label_of(action):
    """What is shown as the name of an action that has none."""
    name = action.get("type", action.get("label")) if isinstance(action, dict) else action
    return name if isinstance(name, str) else "(no type)"


# Sessions


class Session:
    def __init__(self, path):
        try:
            with open(path, "rb") as file:
                lines = file.read().split(b"\n")
        except OSError as error:
            raise Refusal("unreadable", f"{path} cannot be read ({error.strerror})")
        self.header = self.parsed(lines[0])
        if not isinstance(self.header, dict) or not isinstance(self.header.get("retcon"), str):
            raise Refusal("unreadable", f"{path} is no session file: its first line is no header")
        if self.header["retcon"].split(".")[0] != "1":
            raise Refusal(
                "unreadable",
                f"{path} has format {self.header['retcon']}, and this host reads format 1",
            )
        self.first = self.header.get("first", 0)
        self.lines = []
        for index, line in enumerate(lines[1:], 2):
            number = re.match(rb'\{"step":(\d+)[,}]', line)
            if not number:
                continue
            place = int(number[1]) - self.first - 1
            is_torn = index == len(lines) and self.parsed(line) is None
            if len(self.lines) <= place <= len(self.lines) + 65_536 and not is_torn:
                self.lines += [None] * (place - len(self.lines)) + [line]
        self.last = self.first + len(self.lines)
        self.knows_causes = self.header.get("causes") != "unknown"

    @staticmethod
    def parsed(line):
        try:
            return json.loads(line)
        except (ValueError, TypeError):
            return None

    def set_in(self, line):
        """The part of the state that the user of a fork set in a step; None where none was set."""
        part = line.get("set")
        origin = self.header.get("origin", {}).get("format", "")
        is_own = origin == "trim" or origin.startswith("branch ")
        if part is None and is_own and self.header["retcon"] == "1.0" and line.get("label") == SET:
            # In format 1.0 Retcon's own files said so by the label alone.
            part = line.get("action")
        is_part = isinstance(part, dict) and isinstance(part.get("pointer"), str) and "value" in part
        return part if is_part else None

    def line(self, number):
        """The line of a step; None where it is missing or damaged."""
        return self.parsed(self.lines[number - self.first - 1])


class Kept:
    """A bounded number of values by their steps, evenly spread."""

    def __init__(self):
        self.values = {}
        self.every = 1

    def add(self, number, value):
        if number % self.every:
            return
        self.values[number] = value
        while len(self.values) > KEPT:
            self.every *= 2
            self.values = {key: kept for key, kept in self.values.items() if key % self.every == 0}

    def last(self, number, otherwise):
        key = max((key for key in self.values if key <= number), default=None)
        return otherwise if key is None else (key, self.values[key])


class Recording:
    """The steps of the recording."""

    script = None

    def __init__(self, session):
        self.session = session
        self.first, self.last = session.first, session.last
        self.kept, self.states = Kept(), Kept()
        self.near = None
        self.start = None

    def entry(self, number):
        line = self.session.line(number)
        if line is None:
            return None
        action = line.get("action")
        entry = {
            "number": number, "label": line.get("label", label_of(action)), "action": action,
            "cause": line.get("cause", "user"), "descendsFrom": number, "remarks": [],
            "values": line.get("standing", ["recorded"])[0],
        }
        if "time" in line:
            entry["time"] = line["time"]
        for key in ("skipped", "error"):
            if key in line:
                entry[key] = line[key]
        part = self.session.set_in(line)
        if part is not None and entry["cause"] == "user":
            entry["set"] = part
        return entry

    def known(self, number):
        """The recorded state after a step; NOTHING where there is none."""
        start = self.session.header.get("state", NOTHING)
        step, (base, is_told) = self.states.last(number, (self.first, (start, True)))
        while step < number:
            step += 1
            line = self.session.line(step)
            is_told = True
            if line is None:
                base, is_told = NOTHING, False
            elif "state" in line:
                base = line["state"]
            elif "patch" in line and base is not NOTHING:
                base = patched(base, line["patch"])
            else:
                is_told = False
            self.states.add(step, (base, is_told))
        return base if is_told else NOTHING


class Fork:
    """The steps of a branch: which actions it runs follows from its script alone."""

    def __init__(self, parent, script, knows_causes):
        self.parent, self.script, self.knows_causes = parent, script, knows_causes
        self.first, self.leaves_at = parent.first, script["leavesAt"]
        self.kept = Kept()
        self.near = self.start = None
        self.entries, self.left_out, self.remarks = [], [], []
        self.doubt, self.is_edited, self.is_run = "recorded", False, False
        self.check("leaves at", self.leaves_at, parent.first)
        self.skipped, self.replaced, self.moved, self.later = set(), {}, set(), {}
        for edit in script.get("edits", []):
            self.sort(edit)
        before = parent.entry(self.leaves_at) if self.leaves_at > parent.first else None
        self.clock = before.get("time") if before else None
        if script.get("rest") == "nothing":
            for place in sorted(self.later):
                self.come(place)
        else:
            self.come(self.leaves_at)
            for number in range(self.leaves_at + 1, parent.last + 1):
                if number in self.moved:
                    self.is_edited = True
                else:
                    self.follow(number)
                self.come(number)
        self.last = self.leaves_at + len(self.entries)

    def check(self, words, number, first):
        if not isinstance(number, int) or not first <= number <= self.parent.last:
            raise Refusal(
                "noSuchStep",
                f"an edit {words} step {number}, and the branch it leaves has the steps "
                f"{first} to {self.parent.last}",
            )

    def sort(self, edit):
        kind = edit.get("edit")
        if "step" in edit:
            self.check("is about", edit["step"], self.leaves_at + (kind != "set"))
        if "after" in edit:
            self.check("comes after", edit["after"], self.leaves_at)
        if kind == "skip":
            self.skipped.add(edit["step"])
        elif kind == "replace":
            self.replaced[edit["step"]] = edit["action"]
        elif kind == "insert":
            self.later.setdefault(edit["after"], []).append(edit)
        elif kind == "set":
            self.later.setdefault(edit["step"], []).append(edit)
        elif kind == "move":
            for edits in self.later.values():
                # A step is at one place: where it was moved last.
                edits[:] = [e for e in edits if (e["edit"], e.get("step")) != ("move", edit["step"])]
            self.moved.add(edit["step"])
            self.later.setdefault(edit["after"], []).append(edit)
        elif kind == "read":
            self.remarks.append(
                f"the read “{edit['key']}” of step {edit['step']} was not changed: "
                "this host sees no reads")
        elif kind == "answer":
            self.remarks.append(
                f"the answer for effect {edit['effect']} was not used: this host sees no effects")
        else:
            raise Refusal("unknownRequest", f"the edit “{kind}” is not known")

    def come(self, place):
        for edit in self.later.get(place, []):
            if edit["edit"] == "move":
                self.is_edited = True
                self.follow(edit["step"])
                continue
            is_set = edit["edit"] == "set"
            entry = {"cause": "user", "values": "edited", "remarks": []}
            if is_set:
                entry["label"] = SET
                entry["action"] = entry["set"] = {"pointer": edit["pointer"], "value": edit["value"]}
                entry["remarks"] = [f"{edit['pointer'] or 'the state'} was set by hand"]
            else:
                entry["label"], entry["action"] = label_of(edit["action"]), edit["action"]
            self.add(entry)
            self.is_edited = True
            if is_set:
                self.rise("edited")

    def rise(self, values):
        self.doubt = max(self.doubt, values, key=RANKS.index)

    def follow(self, number):
        entry = self.parent.entry(number)
        if number in self.skipped:
            label = entry["label"] if entry else "?"
            self.left_out.append({"step": number, "label": label, "reason": "it was skipped"})
            self.is_edited = True
            return
        if entry is None:
            self.add({"label": "?", "action": None, "cause": "user", "values": "recorded",
                      "remarks": [], "isMissing": True})
            return
        told = {**entry, "descendsFrom": number, "remarks": []}
        if entry.get("skipped"):
            told["remarks"] = ["it was skipped when it was recorded"]
        if number in self.replaced:
            action = self.replaced[number]
            told.update(action=action, label=label_of(action), values="edited", remarks=[])
            for key in ("set", "skipped", "error"):
                told.pop(key, None)
            self.is_edited = True
        elif self.is_edited and not self.knows_causes:
            told["values"] = "assumed"
            told["remarks"].append("the file does not tell who sent it: after an edit nobody knows "
                                   "whether it was still sent")
        self.add(told)
        if told["values"] == "assumed":
            self.rise("assumed")

    def add(self, entry):
        time = entry.get("time", self.clock)
        if time is not None:
            self.clock = entry["time"] = max(time, self.clock or 0)
        entry["values"] = max(entry["values"], self.doubt, key=RANKS.index)
        entry["number"] = self.leaves_at + len(self.entries) + 1
        self.entries.append(entry)

    def entry(self, number):
        if number <= self.leaves_at:
            return self.parent.entry(number)
        return self.entries[number - self.leaves_at - 1]

    def cut(self, number):
        """It ended before this step."""
        del self.entries[max(0, number - self.leaves_at - 1):]
        self.last = self.leaves_at + len(self.entries)


# Running


def stack_line(error, file):
    """What Python says of an error, and where in the user's code."""
    words = "".join(traceback.format_exception_only(type(error), error)).strip().split("\n")[-1]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    if not frames:
        return words
    return f"{words} at {frames[-1].name} ({frames[-1].filename}:{frames[-1].lineno})"


class Engine:
    def __init__(self, reducer, file, control):
        self.reducer, self.file, self.control = reducer, file, control
        self.main = None
        self.forks = {}

    def load(self, path, first_state, is_given):
        self.forks = {}
        self.main = None
        session = Session(path)
        report = {"answer": "loaded", "steps": session.last - session.first, "grade": "fine"}
        if session.header.get("can", "replay") != "replay":
            because = session.header.get("because", "it is for browsing only")
            finding = {"step": session.first, "type": "", "path": "",
                       "problem": f"the log says: {because}"}
            return {**report, "grade": "impossible", "findings": [finding]}
        if None in session.lines:
            finding = {"step": session.first + session.lines.index(None) + 1, "type": "",
                       "path": "", "problem": "the log is damaged here"}
            report.update(grade="risky", findings=[finding])
        if "state" in session.header:
            # One whose states were computed has the one that is given already.
            if is_given and "states" not in session.header.get("origin", {}):
                raise Refusal("other", "the session brings its own first state: leave out --state")
            state = session.header["state"]
        elif first_state is not None:
            state = first_state
        else:
            try:
                state, _ = self.reduce(None, {"type": "@@INIT"})
            except Exception as error:
                words = stack_line(error, self.file)
                raise Refusal("undecodable", f"the reducer gives no first state: {words}")
            if state is None:
                words = "it returns None. Set initial_state beside it, or give --state FILE"
                raise Refusal("undecodable", f"the reducer gives no first state: {words}")
        self.main = Recording(session)
        self.main.start = {"state": state}
        return report

    def reduce(self, state, action):
        """The state after a step, and whether the reducer changed the one before in place.

        It gets copies: states that are kept stay what they were.
        """
        given = copy.deepcopy(state)
        after = self.reducer(given, copy.deepcopy(action))
        # As JSON has it: a tuple is a list, and what JSON has no word for is an error of this step.
        shown = json.loads(json.dumps(after))
        return shown, not same(given, state)

    def advance(self, before, entry):
        """The moment after the next step: its state, and whether an error interrupts it."""
        self.control.step = entry["number"]
        if self.control.is_cancelled():
            raise Refusal("cancelled", "the request was cancelled")
        if entry.get("isMissing"):
            raise BranchEnd("undecodable", "the session does not tell this step")
        state = before["state"]
        if before.get("isBroken"):
            return {"state": state, "isBroken": True, "error": INTERRUPTED}
        if entry.get("skipped"):
            return {"state": state}
        if "set" in entry:
            try:
                place, value = entry["set"]["pointer"], entry["set"]["value"]
                return {"state": changed(state, tokens(place), "replace", value)}
            except ValueError as error:
                raise Refusal(
                    "other", f"step {entry['number']} cannot set a part of the state: {error}")
        try:
            after, is_mutated = self.reduce(state, entry["action"])
            return {"state": after, "isMutated": is_mutated}
        except (Exception, SystemExit) as error:
            words = stack_line(error, self.file)
            if entry.get("error") not in (None, INTERRUPTED):
                return {"state": state, "isBroken": True, "error": words}  # as it was recorded
            raise BranchEnd("crashed", words)

    def keep(self, line, number, moment):
        line.kept.add(number, moment)
        line.near = (number, moment)

    def moment(self, line, number):
        """What happened just after a step of a line, from the nearest state that is kept."""
        if line.script and number < line.leaves_at:
            return self.moment(line.parent, number)
        start = (line.leaves_at, self.start(line)) if line.script else (line.first, line.start)
        step, moment = line.kept.last(number, start)
        if line.near and step < line.near[0] <= number:
            step, moment = line.near
        line.near = (step, moment)
        while step < number:
            step += 1
            entry = line.entry(step) or {"number": step, "isMissing": True}
            moment = self.advance(moment, entry)
            self.keep(line, step, moment)
        return moment

    def start(self, fork):
        """What a fork starts from: the recorded state where the re-run comes to another one."""
        if fork.start:
            return fork.start
        known = self.known(fork.parent, fork.leaves_at)
        try:
            fork.start = self.moment(fork.parent, fork.leaves_at)
        except BranchEnd:
            if known is NOTHING:
                raise
        if known is not NOTHING and not (fork.start and same(fork.start["state"], known)):
            fork.start = {"state": known}
            fork.remarks.append(
                "run again, the recording does not come to the state of step "
                f"{fork.leaves_at}: the branch starts from the recorded one")
        return fork.start

    def known(self, line, number):
        if not line.script:
            return line.known(number)
        if number <= line.leaves_at:
            return self.known(line.parent, number)
        return self.moment(line, number)["state"] if number <= line.last else NOTHING

    def line(self, branch, is_whole=True):
        if not self.main:
            raise Refusal("noSession", "no session is loaded that can be run again")
        line = self.main
        for index, named in enumerate(branch):
            key = json.dumps([part["script"] for part in branch[: index + 1]])
            if key not in self.forks:
                self.forks[key] = Fork(line, named["script"], self.main.session.knows_causes)
                while len(self.forks) > 8:
                    del self.forks[next(iter(self.forks))]
            line = self.forks.get(key) or line
            # A branch that leaves it cannot leave where it never came.
            if (is_whole or index < len(branch) - 1) and not line.is_run:
                self.walk(line)
        return line

    def walk(self, line, first=None, until=None, on_step=None):
        """Runs a line to its end, or as far as it is wanted."""
        start = line.leaves_at if line.script else line.first
        ends = line.last if until is None else min(line.last, until)
        number = min(max(first, start + 1) - 1, ends) if first is not None else ends
        report = {"lastStep": start, "ending": "complete"}
        try:
            moment = self.moment(line, number)
            # The debugger knows the recorded state there, and applies the first patch to it.
            parent = line.parent if line.script else line
            is_recorded = number == start or not line.script
            shown = self.known(parent, number) if is_recorded else NOTHING
            shown = moment["state"] if shown is NOTHING else shown
            report["lastStep"] = number
            while number < ends:
                number += 1
                entry = line.entry(number) or {"number": number, "isMissing": True}
                moment = self.advance(moment, entry)
                self.keep(line, number, moment)
                if on_step:
                    on_step(entry, moment, parent, shown)
                shown = moment["state"]
                report["lastStep"] = number
                if number % 256 == 0:
                    self.control.progress(number - start, line.last - start)
        except BranchEnd as end:
            ended = (line.near[0] if line.near else start) + 1
            report.update(lastStep=ended - 1, ending=end.ending, endingStep=ended, reason=str(end))
            if line.script:
                line.cut(ended)
        if line.script and ends == line.last:
            line.is_run = True
        return report

    def run(self, request, tell):
        line = self.line(request.get("branch", []), is_whole=False)

        def on_step(entry, moment, parent, shown):
            descent = entry.get("descendsFrom")
            recorded = NOTHING if descent is None else self.known(parent, descent)
            told = {"step": entry["number"]}
            told |= {key: entry[key] for key in
                     ("time", "label", "action", "cause", "set", "skipped", "descendsFrom") if key in entry}
            if "error" in moment:
                told["error"] = moment["error"]
            if "set" in entry or recorded is NOTHING:
                outcome = "new"
            else:
                outcome = "equal" if same(moment["state"], recorded) else "different"
            told["standing"] = [entry["values"], outcome]
            told["patch"] = difference(shown, moment["state"])
            told["remarks"] = list(entry["remarks"])
            if moment.get("isMutated"):
                told["remarks"].append(
                    "the reducer changes the state that it is given in place: it was given a copy")
            tell(told)

        first = request.get("from")
        report = self.walk(line, first, request.get("until"), None if first is None else on_step)
        if line.script:
            report.update(leftOut=line.left_out, remarks=line.remarks)
        return {"answer": "ran", "report": report}

    def state(self, request):
        line, step = self.line(request.get("branch", [])), request.get("step")
        if not isinstance(step, int) or not line.first <= step <= line.last:
            raise Refusal(
                "noSuchStep", f"there is no step {step}, the steps are {line.first} to {line.last}")
        try:
            return {"answer": "state", "state": self.moment(line, step)["state"]}
        except BranchEnd as end:
            raise Refusal("other", f"the branch ends before step {step}: {end}")

    def verify(self, request):
        line = self.line([])
        options = request.get("options", {})
        limit, checks_twice = options.get("limit", 1), options.get("checksDeterminism", True)
        report = {"steps": 0, "divergences": []}
        moment = line.start
        steps = set()

        def find(entry, kind, **more):
            steps.add(entry["number"])
            found = {"step": entry["number"], "label": entry.get("label", "?"), "kind": kind, **more}
            report["divergences"].append({k: v for k, v in found.items() if v is not NOTHING})

        for number in range(line.first + 1, line.last + 1):
            entry = line.entry(number) or {"number": number, "isMissing": True}
            before = moment
            try:
                moment = self.advance(before, entry)
            except BranchEnd as end:
                kind = "crash" if end.ending == "crashed" else "missing step"
                find(entry, kind, hint=str(end))
                report["partial"] = True
                break
            after = moment["state"]
            if checks_twice and not any(entry.get(k) for k in ("skipped", "set", "error")):
                again, _ = self.reduce(before["state"], entry["action"])
                for found in difference(after, again)[:1]:
                    find(entry, "nondeterministic", path=found["path"], recorded=at(after, found["path"]),
                         rerun=at(again, found["path"]),
                         hint="a date, an id or a random number may be read inside the reducer")
            recorded = line.known(number)
            if recorded is not NOTHING and not same(after, recorded):
                for found in difference(recorded, after)[:20]:
                    place = found["path"]
                    find(entry, "different state", path=place, recorded=at(recorded, place),
                         rerun=at(after, place))
                moment = {**moment, "state": recorded}  # every finding is one of its own step
            report["steps"] += 1
            if number % 256 == 0:
                self.control.progress(number - line.first, line.last - line.first)
            if len(steps) >= limit:
                if number < line.last:
                    report["partial"] = True
                break
        return {"answer": "verified", "report": report}


# The user's file


def opened(file, name, state_file):
    """The reducer of a file, and the first state where the file has one."""
    spec = importlib.util.spec_from_file_location("reducer_of_retcon", file)
    if not os.path.exists(file) or spec is None:
        raise Refusal("other", f"there is no file {file} in Python")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Refusal("other", f"{file} cannot be loaded: {stack_line(error, file)}")
    reducer = getattr(module, name or "reducer", None)
    if not callable(reducer):
        raise Refusal("other", f"{file} has no function “{name or 'reducer'}”")
    state = getattr(module, "initial_state", None)
    if state_file:
        try:
            with open(state_file, encoding="utf-8") as text:
                state = json.load(text)
        except (OSError, ValueError) as error:
            raise Refusal("other", f"{state_file} is no state: {error}")
    return reducer, state


# The talk


class Host:
    """One thread listens and answers at once what it can; the other runs the reducer."""

    def __init__(self, file, name, state_file):
        # Whatever the user's code prints goes to standard error.
        self.output = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.lock = threading.Lock()
        self.requests = queue.Queue()
        self.cancelled = set()
        self.waiting = set()
        self.step = 0
        self.id = 0
        self.file, self.name, self.state_file = file, name, state_file

    def say(self, id, content):
        with self.lock:
            self.output.write(json.dumps({"id": id, **content}, ensure_ascii=False, allow_nan=False))
            self.output.write("\n")
            self.output.flush()

    def progress(self, done, of):
        self.say(self.id, {"news": "progress", "done": done, "of": of})

    def is_cancelled(self):
        return self.id in self.cancelled

    def work(self):
        engine = failure = None
        try:
            reducer, state = opened(self.file, self.name, self.state_file)
            engine = Engine(reducer, self.file, self)
        except Refusal as refusal:
            failure = refusal
        while True:
            request = self.requests.get()
            self.id = request["id"]
            try:
                if failure:
                    raise failure
                if self.is_cancelled():
                    raise Refusal("cancelled", "the request was cancelled")
                if request["ask"] == "load":
                    content = engine.load(request["path"], state, bool(self.state_file))
                elif request["ask"] == "run":
                    content = engine.run(
                        request, lambda told: self.say(self.id, {"news": "step", "step": told}))
                elif request["ask"] == "state":
                    content = engine.state(request)
                else:
                    content = engine.verify(request)
            except Refusal as refusal:
                content = {"refusal": refusal.kind, "message": str(refusal)}
            except BaseException as error:
                content = {"refusal": "other", "message": stack_line(error, self.file)}
            self.step = 0
            self.waiting.discard(self.id)
            self.say(self.id, content)

    def hear(self, line):
        try:
            request = json.loads(line)
            ask, id = request["ask"], request["id"]
        except (ValueError, KeyError, TypeError):
            return self.say(0, {"refusal": "unknownRequest", "message": "a line that is no request"})
        if ask == "greet":
            name = os.path.basename(self.file) + (f"#{self.name}" if self.name else "")
            self.say(id, {"answer": "greeting", "version": VERSION, "name": name,
                          "seesEffects": False})
        elif ask == "whereabouts":
            self.say(id, {"answer": "whereabouts", **({"step": self.step} if self.step else {})})
        elif ask == "cancel":
            if request.get("request") in self.waiting:
                self.cancelled.add(request["request"])
        elif ask == "quit":
            os._exit(0)
        elif ask in ("load", "run", "state", "verify"):
            self.waiting.add(id)
            self.requests.put(request)
        else:
            self.say(id, {"refusal": "unknownRequest", "message": f"this host does not know “{ask}”"})

    def serve(self):
        threading.Thread(target=self.work, daemon=True).start()
        for line in sys.stdin.buffer:
            if line.strip():
                self.hear(line)
        os._exit(0)


def main():
    words = sys.argv[1:]
    if len(words) not in (1, 3) or words[1:2] not in ([], ["--state"]):
        sys.exit("usage: python3 retcon_host.py FILE.py[#NAME] [--state FILE]")
    file, _, name = (words[0], "", "") if os.path.exists(words[0]) else words[0].partition("#")
    Host(file, name, words[2] if len(words) == 3 else None).serve()


if __name__ == "__main__":
    main()
