"""Records an agent of LangGraph, or any store, for Retcon. One file without packages.

    from retcon_recorder import record
    graph = record(graph, file="agent.retcon", redact=["password"])   # a compiled graph

Each super-step is a step, each answer of a model or tool a read of its effect. Another thread has
a file of its own: agent-THREAD.retcon. A store of your own: recorder = Recorder("cart.retcon"),
recorder.start(state) once, recorder.step(action, state) for each action. Needs Python 3.9; tried
with langgraph 1.2 and langchain-core 1.8. Other values than JSON has are written as {"$…": …}.
    python3 retcon_recorder.py export agent.py#graph THREAD -o agent.retcon
writes what a checkpointer has: states and results of nodes, without the answers of models.
"""

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math
import operator
import os
import re
import sys
import uuid

__all__ = ["Codec", "difference", "hidden", "named", "undicted"]

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\+\d+$")
ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant"}
SETTINGS = ("model", "model_name", "temperature", "top_p", "max_tokens", "tools", "tool_choice",
            "stop", "response_format", "functions", "function_call", "n", "seed")
SCALARS = {datetime.datetime: "datetime", datetime.date: "date", datetime.time: "time",
           decimal.Decimal: "decimal", uuid.UUID: "uuid"}


class Unwritable(ValueError):
    """A value that JSON cannot give back."""


class Codec:
    """Values as JSON and back. `names` gives a message's id as it is written, or None."""

    def __init__(self, names=lambda id: id, redact=()):
        self.names, self.redact = names, frozenset(redact)

    def encode(self, value):
        kind = type(value)
        if value is None or kind in (str, bool, int):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"$float": repr(value)}
        if kind is dict:
            return self._object(value)
        if kind is list:
            return [self.encode(part) for part in value]
        if kind is tuple:
            return {"$tuple": [self.encode(part) for part in value]}
        if kind in (set, frozenset):
            parts = [self.encode(part) for part in value]
            return {"$" + kind.__name__: sorted(parts, key=lambda part: json.dumps(part))}
        if kind in SCALARS:
            said = str(value) if kind in (decimal.Decimal, uuid.UUID) else value.isoformat()
            return {"$" + SCALARS[kind]: said}
        if kind is bytes:
            return {"$bytes": base64.b64encode(value).decode()}
        if hasattr(value, "response_metadata") and hasattr(value, "type"):
            return self.message(value)
        module = kind.__module__
        if module == "__main__":  # another process loads it by its name
            module = os.path.splitext(os.path.basename(sys.modules[module].__file__))[0]
        name = f"{module}:{kind.__qualname__}"
        if isinstance(value, enum.Enum):
            return {"$enum": name, "value": self.encode(value.value)}
        if name == "langgraph.types:Send":
            return {"$send": value.node, "arg": self.encode(value.arg)}
        if dataclasses.is_dataclass(value):
            parts = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
            return {"$class": name, "fields": self._object(parts)}
        if hasattr(kind, "model_fields"):
            set_ = {key: getattr(value, key) for key in kind.model_fields}
            return {"$class": name, "fields": self._object({**set_, **(value.model_extra or {})})}
        if isinstance(value, (str, int, dict, list)):  # a subclass says no more than its base
            base = next(base for base in (str, int, dict, list) if isinstance(value, base))
            return self.encode(base(value))
        return {"$unknown": name}

    def _object(self, value):
        if not all(type(key) is str for key in value):
            return {"$map": [[self.encode(k), self.encode(v)] for k, v in value.items()]}
        told = {key: "<redacted>" if key in self.redact else self.encode(part)
                for key, part in value.items()}
        needs_mark = is_message(told) or any(key.startswith("$") for key in told)
        return {"$dict": told} if needs_mark else told

    def message(self, m):
        """Role, text and tool calls, as people read them; the rest only where there is any."""
        told = {"role": ROLES.get(m.type, m.type)}
        if getattr(m, "role", None):
            told["as"] = m.role
        said = "text" if isinstance(m.content, str) else "blocks"
        told[said] = self.encode(m.content)
        calls = getattr(m, "tool_calls", None)
        if calls:
            told["tools"] = [{"name": c["name"], "args": self.encode(c["args"]), "id": c["id"]}
                             for c in calls]
        extra = {"name": m.name, "for": getattr(m, "tool_call_id", None),
                 "status": {"success": None}.get(getattr(m, "status", None), "error")
                 if m.type == "tool" else None,
                 "artifact": getattr(m, "artifact", None), "usage": usage_of(m),
                 "wrong": getattr(m, "invalid_tool_calls", None),
                 "more": m.additional_kwargs, "metadata": m.response_metadata,
                 "chunk": getattr(m, "chunk_position", None) or m.type == "AIMessageChunk"}
        told.update((k, self.encode(part)) for k, part in extra.items() if part)
        name = m.id and self.names(m.id)
        return {**told, "id": name} if name else told

    def decode(self, told):
        if isinstance(told, list):
            return [self.decode(part) for part in told]
        if not isinstance(told, dict):
            return told
        if is_message(told):
            return self.made_message(told)
        mark = next(iter(told), "")
        if not mark.startswith("$"):
            return {key: self.decode(part) for key, part in told.items()}
        content = told[mark]
        if mark == "$dict":
            return {key: self.decode(part) for key, part in content.items()}
        if mark in ("$tuple", "$set", "$frozenset"):
            make = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}[mark]
            return make(self.decode(part) for part in content)
        if mark == "$map":
            return {self.decode(key): self.decode(part) for key, part in content}
        if mark == "$float":
            return float(content)
        if mark == "$bytes":
            return base64.b64decode(content)
        if mark in ("$decimal", "$uuid"):
            return {"$decimal": decimal.Decimal, "$uuid": uuid.UUID}[mark](content)
        if mark in ("$datetime", "$date", "$time"):
            return getattr(datetime, mark[1:]).fromisoformat(content)
        if mark == "$send":
            from langgraph.types import Send
            return Send(content, self.decode(told["arg"]))
        if mark == "$enum":
            return known_class(content, enum.Enum)(self.decode(told["value"]))
        if mark == "$class":
            kind = known_class(content)
            parts = {key: self.decode(part) for key, part in undicted(told["fields"]).items()}
            if dataclasses.is_dataclass(kind):
                return kind(**parts)
            if hasattr(kind, "model_construct"):
                return kind.model_construct(**parts)
        raise Unwritable(f"the recording has no {content} that could be made again")

    def made_message(self, told):
        from langchain_core import messages as made
        role = told["role"]
        more = {"additional_kwargs": self.decode(told.get("more", {})), "id": told.get("id"),
                "response_metadata": self.decode(told.get("metadata", {})),
                "name": told.get("name")}
        content = self.decode(told["text"] if "text" in told else told["blocks"])
        if role == "remove":
            return made.RemoveMessage(id=told["id"])
        if role == "assistant":
            make = made.AIMessageChunk if told.get("chunk") else made.AIMessage
            more["tool_calls"] = [{**self.decode(call), "type": "tool_call"}
                                  for call in told.get("tools", [])]
            more["invalid_tool_calls"] = self.decode(told.get("wrong", []))
            more["usage_metadata"] = self.decode(told.get("usage"))
            if told.get("chunk") in ("last", "first"):
                more["chunk_position"] = told["chunk"]
            return make(content=content, **more)
        if role == "tool":
            return made.ToolMessage(
                content=content, tool_call_id=told.get("for", ""), **more,
                artifact=self.decode(told.get("artifact")), status=told.get("status", "success"))
        if role == "function":
            return made.FunctionMessage(content=content, **more)
        if role == "chat":
            return made.ChatMessage(content=content, role=told.get("as", ""), **more)
        kinds = {"user": made.HumanMessage, "system": made.SystemMessage}
        if role not in kinds:
            raise Unwritable(f"there is no message of the role {role}")
        return kinds[role](content=content, **more)


def is_message(told):
    return isinstance(told.get("role"), str) and ("text" in told or "blocks" in told)


def hidden(told, keys):
    """The same without the hidden parts."""
    if isinstance(told, dict):
        return {key: "<redacted>" if key in keys else hidden(part, keys)
                for key, part in told.items()}
    return [hidden(part, keys) for part in told] if isinstance(told, list) else told


def named(told, names):
    """The same with other ids of messages."""
    if isinstance(told, list):
        return [named(part, names) for part in told]
    if not isinstance(told, dict):
        return told
    if "$dict" in told:
        return {"$dict": {key: named(part, names) for key, part in told["$dict"].items()}}
    own = {key: named(part, names) for key, part in told.items()}
    return {**own, "id": names(told["id"])} if is_message(told) and "id" in told else own


def undicted(told):
    return told.get("$dict", told)


def usage_of(message):
    usage = getattr(message, "usage_metadata", None)
    return dict(usage) if usage else None


def known_class(name, base=object):
    """A class that the program itself has loaded: a recording loads nothing."""
    module, _, path = name.partition(":")
    kind = sys.modules.get(module)
    for part in path.split("."):
        kind = getattr(kind, part, None)
    plain = isinstance(kind, type) and issubclass(kind, base)
    if not plain or not (base is not object or dataclasses.is_dataclass(kind)
                         or hasattr(kind, "model_fields")):
        raise Unwritable(f"there is no class {name} any more")
    return kind


def difference(one, other, place="", found=None):
    """RFC 6902 operations from one value to another."""
    found = [] if found is None else found
    if one is other:
        return found
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one:
            at = place + "/" + key.replace("~", "~0").replace("/", "~1")
            if key in other:
                difference(one[key], other[key], at, found)
            else:
                found.append({"op": "remove", "path": at})
        for key in other:
            if key not in one:
                at = place + "/" + key.replace("~", "~0").replace("/", "~1")
                found.append({"op": "add", "path": at, "value": other[key]})
    elif isinstance(one, list) and isinstance(other, list):
        if not all(map(operator.is_, one, other)):
            for index in range(min(len(one), len(other))):
                difference(one[index], other[index], f"{place}/{index}", found)
        for index in range(len(one) - 1, len(other) - 1, -1):
            found.append({"op": "remove", "path": f"{place}/{index}"})
        for part in other[len(one):]:
            found.append({"op": "add", "path": f"{place}/-", "value": part})
    elif type(one) is not type(other) or one != other:
        found.append({"op": "replace", "path": place, "value": other})
    return found
