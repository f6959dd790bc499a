"""Exports what the checkpointer of each agent has, and compares it with the agent's recording."""

import contextlib
import copy
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import graphs  # noqa: E402
import retcon_recorder as retcon  # noqa: E402
from agent import compiled  # noqa: E402


def ran(graph, name):
    """The graph after its script, with the same clock and the same random numbers each time."""
    graphs.attempts.clear()
    random.seed(name)
    for given in graphs.GRAPHS[name]()[1]:
        with contextlib.suppress(ConnectionError):
            graph.invoke(copy.deepcopy(given), {"configurable": {"thread_id": "1"}})
    return graph


def told(file):
    """Labels and channels. Parts that a checkpointer lacks are not compared."""
    steps = retcon.steps_of(file)[0]
    assert list(steps) == list(range(len(steps))), steps.keys()
    assert [step["time"] for step in list(steps.values())[1:]] == sorted(
        step["time"] for step in list(steps.values())[1:])
    return [(step.get("label"), sorted(step["state"])) for step in steps.values()]


def main():
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("handing_over", "loop", "nested", "parallel", "retrying", "sending"):
            file, other = os.path.join(folder, "a.retcon"), os.path.join(folder, "b.retcon")
            retcon.export(ran(compiled(name), name), "1", file)
            ran(retcon.record(compiled(name), file=other), name)
            exported, recorded = told(file), told(other)
            assert exported == recorded, f"{name}:\n{exported}\n{recorded}"
            count += len(exported)
    print(f"{count} exported steps are as recorded")


if __name__ == "__main__":
    main()
