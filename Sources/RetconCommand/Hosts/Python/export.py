"""Steps of a graph from the checkpoints that it left."""

import argparse
import importlib.util
import os
import sys

from graph import Names
from session import Recorder
from values import Codec

__all__ = ["export", "loaded"]


def export(graph, thread, file):
    """Writes a thread's checkpoints as a session to look at. It has no answers of models."""
    config = {"configurable": {"thread_id": thread}}
    history = list(graph.get_state_history(config))[::-1]
    if not history:
        raise ValueError(f"the checkpointer has no thread {thread}")
    recorder, names, before = Recorder(file), Names(), None
    codec = Codec(names.in_state)
    for snapshot in history:
        state = {**codec.encode(snapshot.values), "__graph": {"next": list(snapshot.next)}}
        if before is None:
            recorder.start(state, encoded=True, can="browse",
                           because="it was made from checkpoints, which lack answers of models")
        else:
            results = [{"node": task.name, "writes": codec.encode(task.result)}
                       for task in before.tasks]
            kind = snapshot.metadata.get("source", "loop")
            action = {"type": " + ".join(before.next) or kind, "source": kind, "tasks": results}
            recorder.step(action, state, encoded=True)
        before = snapshot
    recorder.end()
    return recorder.number


def loaded(words):
    """The graph that agent.py#graph names."""
    file, _, name = words.partition("#")
    stem = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(stem, file)
    module = sys.modules[stem] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec.loader.exec_module(module)
    return getattr(module, name or "graph")


def main():
    options = argparse.ArgumentParser(prog="retcon_recorder.py")
    options.add_argument("command", choices=["export"])
    options.add_argument("graph", help="agent.py#graph: a graph with its checkpointer")
    options.add_argument("thread")
    options.add_argument("-o", "--output", default="agent.retcon")
    given = options.parse_args()
    steps = export(loaded(given.graph), given.thread, given.output)
    print(f"{given.output}: {steps} steps")


if __name__ == "__main__":
    main()
