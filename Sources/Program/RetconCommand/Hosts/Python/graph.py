"""A graph of LangGraph as values: its state, its super-steps, and what its nodes return."""

import operator

from values import UUID, Codec, undicted

__all__ = ["Names", "ordered", "written_state", "written_output", "made_output", "super_step",
           "halted", "resumed"]


class Names:
    """Ids of messages that are new each time, as numbers in the order of the state."""

    def __init__(self, last=0):
        self.last, self.known = last, {}

    def in_state(self, id):
        if not UUID.search(id):
            return id
        if id not in self.known:
            self.last += 1
            self.known[id] = f"#{self.last}"
        return self.known[id]

    def in_action(self):
        own = {}

        def name(id):
            if id in self.known or not UUID.search(id):
                return self.known.get(id, id)
            return own.setdefault(id, f"+{len(own) + 1}")
        return name


def ordered(tasks):
    """Tasks in the order in which LangGraph applies their writes: sent ones, then by name."""
    return sorted(tasks, key=lambda task: (task.path[0] != "__pregel_push", task.path[1]))


def label(nodes):
    counts = {node: nodes.count(node) for node in nodes}
    return " + ".join(node + (f" ×{count}" if count > 1 else "")
                      for node, count in counts.items())


PLAIN = {str, int, float, bool, type(None)}


def written_list(content, known, codec):
    """A list as JSON. Parts that it holds already, and that cannot have changed, are not written
    again."""
    parts, told, is_plain = known
    if not (is_plain and len(parts) <= len(content) and all(map(operator.is_, parts, content))):
        told, is_plain = [], True
    new = content[len(told):]
    is_plain = is_plain and PLAIN.issuperset(map(type, new))
    return list(content), told + [codec.encode(part) for part in new], is_plain


def written_state(channels, names, redact, known=None, **graph):
    """The values of a graph's channels; under __graph what else decides how it goes on."""
    codec, values, hidden = Codec(names.in_state, redact), {}, {}
    for key in sorted(channels):
        channel = channels[key]
        if not channel.is_available() and not getattr(channel, "seen", None):
            continue
        kind = type(channel).__name__
        content = channel.get() if kind in ("DeltaChannel", "UntrackedValue") \
            else channel.checkpoint()
        own = hidden if key.startswith(("branch:", "join:", "__")) else values
        if type(content) is list and known is not None:
            known[key] = written_list(content, known.get(key, ([], [], True)), codec)
            own[key] = known[key][1]
        else:
            own[key] = codec.encode(content)
    graph = {key: part for key, part in graph.items() if part is not None}
    return {**values, "__graph": {**graph, "named": names.last, "hidden": hidden}}


def written_output(output, codec):
    """The result of a node: channels that it writes, and where it goes."""
    if output is None:
        return {}
    if type(output) is dict:
        return {"writes": undicted(codec.encode(output))}
    if type(output).__name__ == "Command" and output.graph is None and output.resume is None \
            and (output.update is None or type(output.update) is dict):
        told = {} if output.update is None else {"writes": undicted(codec.encode(output.update))}
        goto = output.goto if isinstance(output.goto, (list, tuple)) else [output.goto]
        return {**told, "goto": [codec.encode(place) for place in goto]}
    return {"value": codec.encode(output)}


def made_output(told, codec):
    if "value" in told:
        return codec.decode(told["value"])
    writes = {key: codec.decode(part) for key, part in told["writes"].items()} \
        if "writes" in told else None
    if "goto" not in told:
        return writes
    from langgraph.types import Command
    return Command(update=writes, goto=[codec.decode(place) for place in told["goto"]])


def super_step(entries):
    """The action of a super-step, whose only node needs no list."""
    if len(entries) == 1:
        node, rest = entries[0]["node"], {k: v for k, v in entries[0].items() if k != "node"}
        return {"type": node, **rest}
    return {"type": label([entry["node"] for entry in entries]), "tasks": entries}


def halted(before, after):
    """The tasks of a super-step that waits: earlier answers of the user stay."""
    before = before if before and len(before) == len(after) else [{}] * len(after)
    return [{**new, **({"resume": old["resume"]} if old.get("resume") and "asks" in new else {})}
            for old, new in zip(before, after)]


def resumed(tasks, action):
    """The same with the user's answer: to the first that asks, or by their numbers."""
    tasks, answers = [dict(task) for task in tasks], action.get("answers")
    if answers is None:
        first = next((i for i, task in enumerate(tasks) if "asks" in task), None)
        answers = [] if first is None else [[first, action.get("value")]]
    for index, value in answers:
        tasks[index]["resume"] = tasks[index].get("resume", []) + [value]
    return [{key: part for key, part in task.items() if key not in ("asks", "error")}
            for task in tasks]
