"""Runs a session again with the graph of today, as a test that Retcon wrote."""

import json
import retcon_recorder as retcon
import sys
from agents import Agent
from world import Reducing, Running, Stopped, prepare

__all__ = ["Replay"]


class Replay:
    """The steps of a session, each from its recorded state."""

    def __init__(self, graph, file):
        self.agent = Agent(graph)
        self.steps, self.reads = retcon.steps_of(file)

    def difference(self):
        """The first difference from the recording, in words, or None."""
        before = None
        for number, step in self.steps.items():
            words = before and (self.differs_in_nodes(step)
                                or self.differs_in_edges(step, before["state"]))
            if words:
                return f"step {number}, {step['label']}, {words}"
            before = step
        return None

    def differs_in_nodes(self, step):
        """Runs the nodes of a super-step with the answers that they got."""
        if step["begun"] is None or step.get("standing", ["recorded"])[0] != "recorded":
            return None  # a step of the user, or an inserted one
        rest = list(self.reads.get(step["cause"]["effect"], []))
        told = self.agent.resume({"work": self.agent.effect(step["begun"])["work"]})
        while "sends" not in told:
            if "error" in told:
                return told["error"]
            answer, asked = {}, told.get("asks")
            if asked:
                answer = next((read for read in rest if is_same(read, asked)), None)
                if answer is None:
                    return "\n".join(["asks what it did not ask", words_of(asked), *(
                        "recorded: " + words_of({**read, "key": read["read"]})
                        for read in rest[:1])])
                rest.remove(answer)
            told = self.agent.resume(answer)
        rest = [read for read in rest if not read["read"].startswith(retcon.DRAWN)]
        if rest:
            return "no longer asks\n" + words_of({**rest[0], "key": rest[0]["read"]})
        return differing("writes", step["action"], told["sends"][0])

    def differs_in_edges(self, step, before):
        """Runs reducers and edges."""
        if "set" in step:
            return None
        now = Running.now = Reducing(step.get("reads", []), before["__graph"]["step"])
        try:
            after, _ = self.agent.reduce(before, step["action"])
        except Stopped:
            return f"has an edge that {now.refused or 'asks ' + words_of(now.open)}"
        except Exception as error:
            return f"fails: {type(error).__name__}: {error}"
        finally:
            Running.now = None
        return differing("comes to", step["state"], after)


def is_same(read, asked):
    return read["read"] == asked["key"] and read.get("arguments", []) == asked["arguments"]


def words_of(asked):
    return f"{asked['key']} {json.dumps(asked.get('arguments', []), ensure_ascii=False)}"


def differing(verb, recorded, today):
    changes = retcon.difference(recorded, today)
    return changes and "\n".join([f"{verb} something else"] + [
        f"{change['op']} {change['path']} {json.dumps(change.get('value'), ensure_ascii=False)}"
        for change in changes])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: python3 retcon_agent.py agent.py#graph SESSION")
    prepare()
    words = Replay(retcon.loaded(sys.argv[1]), sys.argv[2]).difference()
    sys.exit(words and f"{sys.argv[2]}: {words}")


if __name__ == "__main__":
    main()
