"""Makes each edit of docs/agent-sessions.md in a recorded agent: edits.py RETCON"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import retcon_recorder as retcon

here = os.path.dirname(os.path.abspath(__file__))
program, failures = os.path.abspath(sys.argv[1]), []
GRAPH = ["--reducer", "clerk.py#graph"]


def check(title, is_right, words=""):
    print(f"{'ok   ' if is_right else 'WRONG'} {title}")
    if not is_right:
        failures.append(title)
        print(words)


def run(*words):
    ran = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def fork(title, place, *edit, **expected):
    """Makes a fork, and compares parts of its last state. A value set by hand is assumed."""
    file = os.path.join(folder, "fork.retcon")
    if os.path.exists(file):
        os.remove(file)
    status, words = run("fork", f"clerk.retcon@{place}", *edit, "-o", "fork.retcon", *GRAPH)
    steps = retcon.steps_of(file)[0] if os.path.exists(file) else {0: {"state": {}}}
    last = steps[max(steps)]
    trust = {"recorded", "edited", "assumed" if edit[0] == "--set" else "edited"}
    is_known = all(step.get("standing", ["recorded"])[0] in trust for step in steps.values())
    found = {key: last["state"].get(key) for key in expected}
    check(title, status < 2 and is_known and found == expected, f"{words}\n{found}")
    return words


def calls():
    with open(os.path.join(folder, "calls.txt"), encoding="utf-8") as lines:
        return lines.read().split()


def change(old, new):
    file = os.path.join(folder, "clerk.py")
    with open(file, encoding="utf-8") as text:
        changed = text.read().replace(old, new)
    with open(file, "w", encoding="utf-8") as out:
        out.write(changed)


def edits():
    fork("another answer of a tool", 5, "--read", "age=3 days", age="3 days", verdict="keep")
    fork("the same in the step before", 4, "--script", "reply.json", verdict="keep")
    fork("another answer of a model", 6, "--read",
         'model={"role":"assistant","text":"keep"}', verdict="keep", log=["greet", "look"] * 2)
    fork("another message", 4, "--replace", json.dumps({
        "type": "input", "input": {"messages": [{"role": "user", "text": "notes.txt"}]}}),
         verdict="keep")
    fork("a message in the state", 4, "--set", 'messages[1].text="notes.txt"', age="3 days",
         verdict="keep")
    fork("a value of the state", 5, "--set", "age=3 days", verdict="keep")
    fork("what a node returned", 5, "--replace", json.dumps({
        "type": "greet + look", "tasks": [{"node": "greet", "writes": {"log": ["hello"]}}, {
            "node": "look", "writes": {"age": "3 days", "log": []}}]}),
         verdict="keep", log=["greet", "look", "hello"])
    fork("another answer of the user", 8, "--replace", '{"type":"resume","value":"no"}',
         log=["greet", "look"] * 2 + ["no"])
    fork("the state, as update_state does", 7, "--send",
         '{"type":"update","as":"clean","writes":{"log":["by hand"]}}',
         log=["greet", "look"] * 2 + ["by hand"])
    fork("the order of two parallel nodes", 5, "--replace", json.dumps({
        "type": "look + greet", "tasks": [
            {"node": "look", "writes": {"age": "400 days", "log": ["look"]}},
            {"node": "greet", "writes": {"log": ["greet"]}}]}),
         log=["greet", "look"] * 2 + ["yes", "gone"])  # LangGraph has an order of its own


def sources():
    change("Keep or delete?", "Delete or keep?")
    status, words = run("fork", "clerk.retcon@5", "--set", "age=400 days ", *GRAPH)
    asks = 'waits for model("Delete or keep?'
    check("another prompt asks another question", asks in words, words)
    status, words = run("fork", "clerk.retcon@4", "--script", "none.json", *GRAPH)
    check("also where nothing else is changed", asks in words, words)
    change("Delete or keep?", "Keep or delete?")
    change('{"log": ["greet"]}', '{"log": ["hello"]}')
    fork("another node", 4, "--script", "none.json",
         log=["hello", "look"] * 2 + ["yes", "gone"])
    change('{"log": ["hello"]}', '{"log": ["greet"]}')


def answers():
    edit = ["--set", "age=90 days"]
    status, words = run("fork", "clerk.retcon@5", *edit, "--name", "f", *GRAPH)
    check("a new question leaves the fork open", "… open from step 7" in words, words)
    before = calls()
    status, words = run("fork", "clerk.retcon@f/6", "--answer", "judge ask", *GRAPH)
    check("nobody asks for real without --live, and the price is told",
          status == 2 and "20 out" in words and calls() == before, words)
    status, words = run("fork", "clerk.retcon@f/6", "--answer", "judge nearest", *GRAPH)
    check("the answer to the nearest question", "keep" in words and calls() == before, words)
    run("fork", "clerk.retcon@5", "--read", "age=90 days", "--name", "g", *GRAPH)
    status, words = run("fork", "clerk.retcon@g/5", "--answer", "judge ask", "--live", *GRAPH)
    check("a live answer comes from another process",
          "keep" in words and calls() == [*before, "1"], words + str(calls()))
    tool = {"name": "fork", "arguments": {
        "file": "clerk.retcon", "branch": "f", "step": 6, "answer": "judge ask", "live": True}}
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {
            "name": "test", "version": "1"}}},
             {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": tool}]
    ran = subprocess.run([program, "mcp", "clerk.retcon", *GRAPH], cwd=folder, text=True,
                         input="".join(json.dumps(line) + "\n" for line in lines),
                         capture_output=True)
    check("never through mcp", calls() == [*before, "1"] and '"id":2' in ran.stdout
          and ('"isError":true' in ran.stdout or '"error"' in ran.stdout), ran.stdout + ran.stderr)


with tempfile.TemporaryDirectory() as folder:
    shutil.copy(os.path.join(here, "clerk.py"), folder)
    subprocess.run([sys.executable, "clerk.py"], cwd=folder, check=True)
    with open(os.path.join(folder, "none.json"), "w", encoding="utf-8") as out:
        out.write("[]")
    with open(os.path.join(folder, "reply.json"), "w", encoding="utf-8") as out:
        json.dump({"parent": "main", "leavesAt": 4, "rest": "rerun", "edits": [{
            "edit": "reply", "key": "age", "arguments": [{"file": "taxes.pdf"}],
            "value": "3 days"}]}, out)
    print(run("steps", "clerk.retcon")[1])
    edits()
    sources()
    answers()
sys.exit(1 if failures else 0)
