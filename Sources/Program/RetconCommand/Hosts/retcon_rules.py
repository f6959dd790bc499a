#!/usr/bin/env python3
"""Calls rules and selectors in Python for Retcon: python3 retcon_rules.py FILE.py

A rule takes a state, and of previous, action, step, sent and memory what it names. It returns True,
False or a text that says why not. Needs Python 3.8 and no packages.
"""

import copy
import importlib.util
import inspect
import json
import os
import signal
import sys
import time
import traceback
import types

LONG = 0.3  # seconds after which the rest is asked for again


class Late(BaseException):
    """The time of a call is over."""


def refused(*_, **__):
    raise TypeError("a rule cannot change the state")


CHANGES = ("__setitem__ __delitem__ __iadd__ __imul__ __ior__ append clear extend insert pop"
           " popitem remove reverse setdefault sort update").split()
Object = type("Object", (dict,), {name: refused for name in CHANGES})
List = type("List", (list,), {name: refused for name in CHANGES})
for kind in (Object, List):
    kind.__deepcopy__ = lambda self, _: self  # nothing in it changes


def frozen(value):
    if type(value) is dict:
        return Object((key, frozen(part)) for key, part in value.items())
    return List(map(frozen, value)) if type(value) is list else value


def keys_of(pointer):
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def changed(value, keys, change):
    """The value with a change at a place; all other parts are the very same."""
    key, rest = keys[0], keys[1:]
    copied = dict(value) if isinstance(value, dict) else list(value)
    if isinstance(value, list):
        key = len(value) if key == "-" else int(key)
    if rest:
        copied[key] = changed(value[key], rest, change)
    else:
        change(copied, key)
    return (Object if isinstance(value, dict) else List)(copied)


def patched(state, operations):
    def put(holder, key, value):
        holder[key] = value

    def add(holder, key, value):
        holder.insert(key, value) if isinstance(holder, list) else put(holder, key, value)

    def at(place):
        part = state
        for key in keys_of(place):
            part = part[int(key) if isinstance(part, list) else key]
        return part

    for operation in operations:
        op, keys = operation["op"], keys_of(operation["path"])
        value = at(operation["from"]) if "from" in operation else frozen(operation.get("value"))
        if op == "move":
            state = changed(state, keys_of(operation["from"]), lambda holder, key: holder.pop(key))
        if op == "test":
            continue
        if not keys:
            state = value
        elif op == "remove":
            state = changed(state, keys, lambda holder, key: holder.pop(key))
        else:
            deed = put if op == "replace" else add
            state = changed(state, keys, lambda holder, key: deed(holder, key, value))
    return state


def stack_line(error):
    words = traceback.format_exception_only(type(error), error)[-1].strip().split("\n")[0]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    return words + "".join(f" at {f.name} ({f.filename}:{f.lineno})" for f in frames[-1:])


def functions_of(file):
    spec = importlib.util.spec_from_file_location("rules_of_retcon", file)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file} cannot be loaded: {stack_line(error)}")
    return {name: value for name, value in vars(module).items()
            if inspect.isfunction(value) and not name.startswith("_")}


def judge(functions, tracks, request):
    missing = [name for name in request["names"] if name not in functions]
    if missing:
        raise ValueError(f"it has no function {missing[0]}: {', '.join(functions) or 'none'}")
    base = tracks[request["from"]] if "from" in request else types.SimpleNamespace(
        base=None, state=None, sent={}, memory=[{} for _ in request["names"]])
    track = types.SimpleNamespace(
        base=base, state=base.state, sent={}, memory=copy.deepcopy(base.memory))
    calls = [functions[name] for name in request["names"]]
    taken = [set(inspect.signature(call).parameters) for call in calls]
    count, others, threw, place, start = 0, [], [], 0, time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, request["patience"] + LONG)
    try:
        for step in request["steps"]:
            previous = track.state
            if "state" in step or "unknown" in step:
                track.state = frozen(step.get("state"))
            elif step["patch"]:
                track.state = patched(track.state, step["patch"])
            if step.get("keeps"):
                track.sent[step["step"]] = {
                    "step": step["step"], "action": step["action"], "state": track.state}
            holder = track
            while holder and step.get("sender") not in holder.sent:
                holder = holder.base
            found = []
            for place, call in enumerate(calls):
                given = {"previous": previous, "action": step["action"], "step": step["step"],
                         "sent": holder.sent[step["sender"]] if holder else None,
                         "memory": track.memory[place]}
                try:
                    value = None if "unknown" in step else call(
                        track.state, **{key: given[key] for key in given if key in taken[place]})
                    found.append(json.loads(json.dumps(value, allow_nan=False)))
                except AssertionError as error:
                    found.append(str(error) or "an assertion failed")
                except (Exception, SystemExit) as error:
                    found.append(None)
                    threw.append([count, place, stack_line(error)])
            if any(value is not True for value in found):
                others.append([count, found])
            count += 1
            if time.monotonic() - start > LONG:
                break
    except Late:
        return {"count": count, "others": others, "threw": threw, "late": place}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    tracks[request["as"]] = track
    return {"count": count, "others": others, "threw": threw}


def late(*_):
    raise Late


def main():
    file, output, failure = sys.argv[1], os.fdopen(os.dup(1), "w", encoding="utf-8"), None
    os.dup2(2, 1)  # whatever the user's code prints goes to standard error
    signal.signal(signal.SIGALRM, late)
    tracks, functions = {}, {}
    try:
        functions = functions_of(file)
    except ValueError as error:
        failure = str(error)
    for line in sys.stdin:
        request = json.loads(line)
        if request["ask"] == "forget":
            for number in request["states"]:
                tracks.pop(number, None)
            continue
        try:
            if failure:
                raise ValueError(failure)
            answer = {"exports": sorted(functions)} if request["ask"] == "rules" else judge(
                functions, tracks, request)
        except Exception as error:
            answer = {"error": str(error)}
        line = json.dumps({"id": request["id"], **answer}, ensure_ascii=False)
        print(line, file=output, flush=True)


if __name__ == "__main__":
    main()
