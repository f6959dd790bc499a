"""Compares forks of recorded agents with the real graph: oracle.py RETCON [RUNS] [GRAPH …]

Each run changes one step of a recording: what a node returned, what a model or tool answered to it,
what the user said, or whether the user said it. Retcon forks. The real graph runs with the same
change and the same models, and is recorded, too. A step that Retcon knows and the graph did not do
is a lie; a step in doubt that the graph did the same is needless doubt.
"""

import asyncio
import copy
import json
import os
import random
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

import graphs  # noqa: E402
import hosts  # noqa: E402
import retcon_recorder as retcon  # noqa: E402
from agent import compiled  # noqa: E402
from langgraph.types import Command  # noqa: E402

MOST = 400  # super-steps of an agent that does not end
KEPT = {"id", "role", "for", "name", "type", "node", "chunk", "halts"}


class Halt(BaseException):
    """Ends a run between two super-steps."""


failures = set()  # of the real graphs


async def streamed(graph, given, config):
    async for _ in graph.astream(given, config, stream_mode=["messages", "updates"]):
        pass


def drive(name, file, at=None, action=None, drawn=None, update=None, said=None):
    """Runs the whole script of a graph, with another action at one step, with other answers from
    this step on, or with an update of the state after it. None skips the step."""
    random.seed(name)
    graphs.attempts.clear()
    graph = retcon.record(compiled(name), file=file)
    config = {"configurable": {"thread_id": "1"}}
    after_tick, begin = retcon.GraphThread.after_tick, retcon.Asker.begin
    ticked, failed = retcon.GraphThread.ticked, []

    def halting(thread, loop, goes):
        ticked(thread, loop, goes)
        if update and goes and thread.number == at or thread.number > MOST:
            raise Halt

    def invoke(given):
        try:
            if name == "streaming":
                asyncio.run(streamed(graph, given, config))
            else:
                graph.invoke(given, config)
        except Halt:
            pass
        except Exception as error:
            failures.add(f"{type(error).__name__}: {error}")
        if update and retcon.recorded[id(graph.nodes)][3]["1"].number - at in (0, 1):
            graph.update_state(config, retcon.made_output(update, retcon.Codec()), update["as"])
            if graph.get_state(config).next:
                update.clear()
                invoke(None)
            update.clear()

    def begun(asker, key, arguments):
        asked = begin(asker, key, arguments)
        known = (drawn or {}).get(json.dumps([key, arguments]))
        if said and asker.thread.number + 1 >= at:
            known = said.get(json.dumps([key, arguments]), known)
        if known is not None:  # the clock says what it said at this place
            asked.answered(known)
            asked.is_known, asked.answer = True, lambda: known
        return asked

    def changed(thread, loop):
        started = [task.name for task in loop.tasks.values()] != ["__start__"]
        is_typed = action is not None and update is None and said is None
        if is_typed and started and thread.number + 1 == at:
            try:
                put(thread, loop, action)
            except Exception as error:  # an edge fails on it, and so ends the run
                failures.add(f"{type(error).__name__}: {error}")
                failed.append(error)
                raise Halt from error
        after_tick(thread, loop)

    retcon.GraphThread.after_tick, retcon.Asker.begin = changed, begun
    retcon.GraphThread.ticked = halting
    try:
        for given in graphs.GRAPHS[name]()[1]:
            threads = retcon.recorded[id(graph.nodes)][3]
            number = threads["1"].number if threads else 0
            if number + 1 == at and update is None and said is None:
                if action is None:
                    at = None
                    continue
                codec = retcon.Codec()
                given = Command(resume=codec.decode(action["value"])) if "value" in action \
                    else codec.decode(action["input"])
            invoke(given)
            if failed:
                break
    finally:
        retcon.GraphThread.after_tick, retcon.Asker.begin = after_tick, begin
        retcon.GraphThread.ticked = ticked
    return read(file)


def draws(file):
    """The values of the clock and the random numbers, by node and super-step."""
    with open(file, encoding="utf-8") as lines:
        told = [json.loads(line) for line in lines]
    return {json.dumps([t["read"], t["arguments"]]): t["value"] for t in told
            if t.get("read", "").startswith(retcon.DRAWN)}


def put(thread, loop, action):
    """Nodes return what the action says."""
    real = {number: id for id, number in thread.names.known.items()}

    def with_ids(told):
        if isinstance(told, list):
            return [with_ids(part) for part in told]
        if isinstance(told, dict):
            return {key: real.get(part, part) if key == "id" and isinstance(part, str)
                    else with_ids(part) for key, part in told.items()}
        return told

    action = with_ids(action)
    entries = action.get("tasks") or [{**action, "node": action["type"]}]
    for task, entry in zip(retcon.ordered(loop.tasks.values()), entries):
        task.writes.clear()
        for writer in task.writers:
            writer.invoke(retcon.made_output(entry, retcon.Codec()), task.config)


def read(file):
    return retcon.steps_of(file)[0]


def leaves(told, path=()):
    if isinstance(told, dict):
        for key, part in told.items() if told.get("role") != "remove" else ():
            if key not in KEPT:
                yield from leaves(part, path + (key,))
    elif isinstance(told, list):
        for index, part in enumerate(told):
            yield from leaves(part, path + (index,))
    elif isinstance(told, (str, int)) and not isinstance(told, bool):
        yield path, told


def mutated(steps, number, dice):
    """Another action in place of one, or None to skip it."""
    action = copy.deepcopy(steps[number]["action"])
    if steps[number]["cause"] == "user" and dice.random() < 0.3:
        return None
    if dice.random() < 0.2 and reordered(action, dice):
        return action
    places = [(path, part) for path, part in leaves(action) if path[0] not in ("type", "limit")]
    if not places:
        return action
    path, old = dice.choice(places)
    place = action
    for key in path[:-1]:
        place = place[key]
    if "goto" in path:
        nodes = [each for step in steps.values() for each in step.get("action", {}).get("goto", [])]
        place[path[-1]] = dice.choice(nodes)
    elif isinstance(old, int):
        place[path[-1]] = old + dice.choice([-1, 1, 7])
    else:
        others = [part for step in steps.values()
                  for other, part in leaves(step.get("action", {}))
                  if isinstance(part, str) and other[-1] == path[-1] and part != old]
        place[path[-1]] = dice.choice(others + [old + " indeed", dice.choice(graphs.WORDS)])
    return action


def reordered(told, dice):
    """Takes a part out of a list, doubles one, or turns the list around. Whether there was one."""
    lists = [part for part in every(told) if isinstance(part, list) and part]
    chosen = [part for part in lists if not any(isinstance(each, dict) and "node" in each
                                                for each in part)]
    if not chosen:
        return False
    part, kind = dice.choice(chosen), dice.randrange(3)
    if kind == 0:
        part.pop(dice.randrange(len(part)))
    elif kind == 1:
        part.append(without_ids(copy.deepcopy(dice.choice(part))))
    else:
        part.reverse()
    return True


def every(told):
    yield told
    for part in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        yield from every(part)


def typed(action):
    kind = "--send" if action and action["type"] == "update" else "--replace"
    return ["--skip"] if action is None else [kind, json.dumps(action)]


def fork(program, name, file, number, action, folder):
    out = os.path.join(folder, "fork.retcon")
    if os.path.exists(out):
        os.remove(out)
    script = os.path.join(folder, "script.json")
    if action and "reply" in action:
        with open(script, "w", encoding="utf-8") as text:
            json.dump({"parent": "main", "leavesAt": number - 1, "rest": "rerun", "edits": [
                {"edit": "reply", **action["reply"]}]}, text)
        edit = ["--script", script]
        number -= 1
    else:
        edit = typed(action)
    ran = subprocess.run(
        [program, "fork", f"{file}@{number}", *edit, "-o", out, "--reducer",
         f"{here}/agent.py#{name}"],
        capture_output=True, text=True)
    if ran.returncode > 1 or not os.path.exists(out):
        return None, ran.stdout + ran.stderr
    return read(out), ran.stdout + ran.stderr


def updates(steps, dice):
    """An update of the state as a node, after some step, with what this node once wrote."""
    nodes = [step["action"] for step in steps.values() if "writes" in step.get("action", {})]
    number = dice.choice([n for n, step in steps.items() if step["state"]["__graph"]["next"]
                          and "stopped" not in step["state"]["__graph"]])
    action = copy.deepcopy(dice.choice(nodes))
    update = {"type": "update", "as": action.pop("type"), **without_ids(action)}
    update.pop("goto", None)
    return number, update


def replies(file, steps, dice):
    """Another answer to a question of the nodes of some step, or None."""
    senders = {step["cause"]["effect"]: n for n, step in steps.items()
               if isinstance(step.get("cause"), dict)}
    asked = [(senders[effect], read) for effect, own in retcon.steps_of(file)[1].items()
             for read in own if effect in senders and "value" in read
             and not read["read"].startswith(retcon.DRAWN)]
    if not asked:
        return None
    number, read = dice.choice(asked)
    values = [other["value"] for _, other in asked if other["read"] == read["read"]]
    return number, {"reply": {"key": read["read"], "arguments": read["arguments"],
                              "value": dice.choice(values)}}


def without_ids(told):
    if isinstance(told, list):
        return [without_ids(part) for part in told if "remove" not in str(part)[:20]]
    if isinstance(told, dict):
        return {key: without_ids(part) for key, part in told.items()
                if not (key == "id" and str(part)[:1] in "#+")}
    return told


def aligned(live, number):
    """The graph's steps as the fork has them: the update is one step, and nothing stopped it."""
    kept = [step for n, step in sorted(live.items()) if n > number
            and step["action"].get("type") not in ("cancelled", "continue")]
    return {number + 1 + index: step for index, step in enumerate(kept)}


def normal(told, codec=None):
    """An action as a recorder writes it: new messages have numbers in their order, and an empty
    list of tools is left out. A person may type it in another way, and means the same."""
    codec = codec or retcon.Codec(retcon.Names().in_action())
    if isinstance(told, list):
        return [normal(part, codec) for part in told]
    if not isinstance(told, dict):
        return told
    return {key: normal(part, codec) if key == "tasks" else
            codec.encode(codec.decode(part)) if key in ("writes", "value", "goto", "input")
            else part for key, part in told.items()}


def plain(step, is_typed=False):
    action = normal(step["action"]) if is_typed else step["action"]
    action = {key: part for key, part in action.items() if key != "limit"}
    state = {**step["state"], "__graph": {k: v for k, v in step["state"]["__graph"].items()
                                          if k not in ("stop", "step", "named")}}
    return action, state


def without_stop(state):
    graph = state["__graph"]
    return {**state, "__graph": {key: part for key, part in graph.items()
                                 if (key, part) != ("stopped", "stopped")}}


def compare(told, number, forked, live, words, update=None, said=None):
    """Lies, needless and needed doubts, known steps."""
    counts = {"known": 0, "lies": 0, "needless": 0, "doubt": 0}
    last = max(forked)
    if update and not live:
        return {"apart": 1}  # nothing ran after the update, so nothing was recorded
    for step in range(number, last + 1):
        mine, real = forked.get(step), live.get(step)
        if mine is None or "action" not in mine:
            continue
        is_known = mine.get("standing", ["recorded"])[0] in ("recorded", "edited")
        is_same = real is not None and plain(
            mine, step == number and not said) == plain(real)
        if update and step == number and real is not None:
            # The graph records a state instead of an action, and that its user has stopped it.
            is_same = plain(mine)[1] == without_stop(plain(real)[1])
        if is_known and "waiting" in mine["state"]["__graph"]:
            return {"apart": 1}  # the user of the script waits for the graph
        if is_known:
            counts["known"] += 1
            if not is_same:
                counts["lies"] += 1
                print(f"  LIE {told} at step {step}: {mine['label']}, "
                      f"{real and retcon.difference([*plain(mine)], [*plain(real)])}"[:1500])
                break
        else:
            counts["doubt"] += 1
            counts["needless"] += is_same
    graph = forked[last]["state"]["__graph"]
    is_open = graph["next"] and "stopped" not in graph
    if not is_open and last < max(live, default=0) and not counts["lies"]:
        counts["lies"] += 1
        print(f"  LIE {told}: the fork ends at {last}, and the graph at {max(live)}: {words[:600]}")
    return counts


def damaged(action):
    """With SABOTAGE=yes, the real graph's node writes less than the fork's: that must be a lie."""
    if "SABOTAGE" not in os.environ or not action or len(action.get("writes", {})) < 2:
        return action
    return {**action, "writes": dict([*action["writes"].items()][:-1])}


def crashed(told, words):
    """An edge or a reducer failed in the fork. So it must in the real graph."""
    if any(failure in words for failure in failures):
        return {"crashed": 1}
    print(f"  LIE {told} was no fork: {words[:800]}, {failures}")
    return {"lies": 1}


def main():
    program, runs = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["8"])[0])
    names, total = sys.argv[3:] or list(graphs.GRAPHS), {}
    with tempfile.TemporaryDirectory() as folder, hosts.warm_python() as python:
        os.environ["PATH"] = python + os.pathsep + os.environ["PATH"]
        for name in names:
            file = os.path.join(folder, f"{name}.retcon")
            steps, dice, sums = drive(name, file), random.Random(f"{name} edits"), {}
            users = [n for n, step in steps.items() if step.get("cause")]
            for run in range(runs):
                number = dice.choice(users)
                action, update = mutated(steps, number, dice), None
                said, other = None, replies(file, steps, dice) if run % 4 == 1 else None
                if other:
                    (number, action), told = other, other[1]["reply"]
                    said = {json.dumps([told["key"], told["arguments"]]): told["value"]}
                elif run % 4 == 3:
                    number, update = updates(steps, dice)
                    action = update
                elif steps[number]["action"].get("halts") or action == steps[number]["action"] \
                        or action is None and steps[number]["cause"] != "user":
                    continue
                forked, words = fork(program, name, file, number, action, folder)
                told = f"{name}@{number} {json.dumps(action)[:300]}"
                failures.clear()
                live = drive(name, os.path.join(folder, "live.retcon"), number, damaged(action),
                             draws(file), update and dict(update), said)
                if update:
                    live, number = aligned(live, number), number + 1
                counts = crashed(told, words) if forked is None else compare(
                    told, number, forked, live, words, update, said)
                for key, count in counts.items():
                    sums[key] = sums.get(key, 0) + count
                    total[key] = total.get(key, 0) + count
            print(f"{name}: {sums}", flush=True)
    print(f"all: {total}")
    sys.exit(1 if total.get("lies") else 0)


if __name__ == "__main__":
    main()
