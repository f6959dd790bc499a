#!/usr/bin/env python3
"""Serves a reducer in Python to Retcon: python3 retcon_host.py FILE.py[#NAME] [--state FILE]

FILE.py holds a function `reducer` (or NAME) that takes a state and an action, both as JSON has
them, and returns the next state. With the state None it returns the first one, unless the session,
--state or a global `initial_state` has it. Needs Python 3.8 and no packages. The requests are in
docs/hosts.md.
"""

import copy
import importlib.util
import json
import os
import pathlib
import sys
import traceback


LONGEST_STATE, LONGEST_ANSWER = 64 << 20, 16 << 20  # bytes: of text, and 16 for each value


def size(value, known):
    """How long a value is as JSON, roughly, with what it shares at each place."""
    if not isinstance(value, (dict, list, tuple)):
        return 16 + (len(value) if isinstance(value, str) else 0)
    if id(value) not in known:
        known[id(value)] = 16  # a circle is an error later
        parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        known[id(value)] = 16 + sum(size(part, known) for part in parts)
    return known[id(value)]


def changed_at(one, other, place=""):
    """Where two values differ, else None. True and 1 are equal in Python, and not in JSON."""
    if type(one) is not type(other):
        return place
    if isinstance(one, dict) and one.keys() == other.keys():
        parts = [(one[key], other[key], key.replace("~", "~0").replace("/", "~1")) for key in one]
    elif isinstance(one, list) and len(one) == len(other):
        parts = [(*pair, index) for index, pair in enumerate(zip(one, other))]
    else:
        return None if one == other else place
    found = (changed_at(left, right, f"{place}/{key}") for left, right, key in parts)
    return next((place for place in found if place is not None), None)


def stack_line(error):
    """Python's words for an error, and its place in the user's code."""
    # The first line of a syntax error is its place.
    parts = traceback.format_exception_only(type(error), error)
    words = parts[-1 if isinstance(error, SyntaxError) else 0].strip().split("\n")[0]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    return words + "".join(f" at {f.name} ({f.filename}:{f.lineno})" for f in frames[-1:])


def agent_host():
    """The host of graphs, beside this file. It refuses what reaches outside."""
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    import retcon_agent
    if not retcon_agent.retcon.is_hosted:
        retcon_agent.prepare()
    return retcon_agent


def is_graph(value):
    """Whether it is a compiled graph of LangGraph."""
    return hasattr(value, "trigger_to_nodes") and hasattr(value, "channels")


def opened(file, name, state_file):
    """The reducer of a file, and the first state where the file has one."""
    if not os.path.exists(file) or not file.endswith(".py"):
        raise ValueError(f"there is no file {file} in Python")
    has_graph = "langgraph" in pathlib.Path(file).read_text("utf-8")
    stem = os.path.splitext(os.path.basename(file))[0]
    known_as = stem if has_graph and stem not in sys.modules else "reducer_of_retcon"
    spec = importlib.util.spec_from_file_location(known_as, file)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    sys.modules[spec.name] = module
    if has_graph:
        agent_host()
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file} cannot be loaded: {stack_line(error)}")
    reducer = getattr(module, name or "reducer", None)
    if is_graph(reducer):
        return reducer, None
    if not callable(reducer):
        raise ValueError(f"{file} has no function “{name or 'reducer'}”")
    if not state_file:
        return reducer, getattr(module, "initial_state", None)
    try:
        return reducer, json.loads(pathlib.Path(state_file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{state_file} is no state: {error}")


def reduce(reducer, file, first, states, request):
    if "from" not in request and first is not None:
        states[request["as"]] = first
        return {"states": [first]}
    state = states.get(request.get("from"))
    answer, told = {"states": [], "changed": []}, 0
    for action in request["actions"]:
        if told > LONGEST_ANSWER:
            break  # the rest is asked for again
        given = copy.deepcopy(state)  # a reducer may change what it is given
        try:
            after = reducer(given, action)
            after_size = size(after, {})
            if after_size > LONGEST_STATE:
                words = "the state is too large: more than 4 million values or 64 MB of text"
                return {**answer, "error": words}
            # As JSON: a tuple is a list, and a value that JSON lacks is an error of this step.
            after = json.loads(json.dumps(after, allow_nan=False))
            if after is None and state is None:
                words = "it returns None. Set initial_state beside it, or give --state FILE"
                raise ValueError(words)
        except (Exception, SystemExit) as error:
            return {**answer, "error": stack_line(error)}
        answer["changed"].append(changed_at(given, state))
        states[request["as"] + len(answer["states"])] = state = after
        answer["states"].append(after)
        told += after_size
    return answer


def main():
    words = sys.argv[1:]
    if len(words) not in (1, 3) or words[1:2] not in ([], ["--state"]):
        sys.exit("usage: python3 retcon_host.py FILE.py[#NAME] [--state FILE]")
    file, _, name = (words[0], "", "") if os.path.exists(words[0]) else words[0].partition("#")
    # The output of the user's code goes to standard error.
    output, failure, states = os.fdopen(os.dup(1), "w", encoding="utf-8"), None, {}
    os.dup2(2, 1)
    try:
        reducer, first = opened(file, name, words[2] if len(words) == 3 else None)
    except ValueError as error:
        failure = str(error)
    if not failure and is_graph(reducer):
        shown = os.path.basename(file) + (f"#{name}" if name else "")
        return agent_host().serve(
            reducer, {"answer": "greeting", "name": shown, "thin": True},
            lambda told: print(json.dumps(told, ensure_ascii=False), file=output, flush=True))
    for line in sys.stdin:
        request = json.loads(line)
        ask = request["ask"]
        if ask == "greet":
            shown = os.path.basename(file) + (f"#{name}" if name else "")
            answer = {"answer": "greeting", "version": [2, 0], "name": shown, "thin": True,
                      "hasState": len(words) == 3}
        elif ask == "quit":
            break
        elif ask == "forget":
            for number in request["states"]:
                states.pop(number, None)
            continue
        elif failure:
            answer = {"error": failure}
        elif ask == "put" and "state" in request:
            states[request["as"]], answer = request["state"], {}
        elif ask == "reduce":
            answer = reduce(reducer, file, first, states, request)
        elif ask == "state":
            answer = {"state": states.get(request["of"])}
        else:
            answer = {"error": f"this host does not know “{ask}”"}
        line = json.dumps({"id": request["id"], **answer}, ensure_ascii=False)
        print(line, file=output, flush=True)


if __name__ == "__main__":
    main()
