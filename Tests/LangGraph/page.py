"""Runs the commands of docs/agent-sessions.md: page.py RETCON PAGE"""

import os
import re
import subprocess
import sys
import tempfile

TIME = re.compile(r"^(\d+) +\d\S*", re.M)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)


def main():
    program, file = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(file, encoding="utf-8") as page:
        page = page.read()
    failures = [] if len(page.split()) <= 600 else ["the page has more than 600 words"]

    def run(command, status=0, shown=None):
        ran = subprocess.run(
            command.replace("retcon ", f"{program} ", 1) if command.startswith("retcon ")
            else command, shell=True, cwd=folder, capture_output=True, text=True)
        right = ran.returncode == status
        if shown is not None:
            right = right and TIME.sub(r"\1", ran.stdout.strip()) == TIME.sub(r"\1", shown.strip())
        print(f"{'ok   ' if right else 'WRONG'} {command}")
        if not right:
            failures.append(command)
            print(ran.stdout + ran.stderr)

    with tempfile.TemporaryDirectory() as folder:
        agent = blocks(page, "python")[0]
        with open(os.path.join(folder, "agent.py"), "w", encoding="utf-8") as out:
            out.write(agent)
        shell = "".join(blocks(page, "sh")).splitlines()
        run(next(line for line in shell if "recorder" in line))
        commands = re.split(r"^\$ ", blocks(page, "console")[0], flags=re.M)[1:]
        for command, _, shown in (command.partition("\n") for command in commands):
            run(command, 1 if " fork " in command else 0, shown if shown.strip() else None)
        for command in shell:
            if command.startswith("retcon fork"):
                run(command, 1)
        verify = next(line for line in shell if line.startswith("retcon verify"))
        run(verify)
        os.mkdir(os.path.join(folder, "tests"))
        run(re.search(r"`(retcon test [^`]*)`", page)[1].replace("\n", " "))
        pytest = f"{sys.executable} -m pytest -q tests/test_agent.py"
        run(pytest)
        for old, new in [("Keep or delete?", "Delete or keep?"),
                         ('"keep": "__end__"', '"keep": "clean"'),
                         ('"age": age.invoke', '"age": "about " + age.invoke')]:
            if old not in agent:
                failures.append(old)
            with open(os.path.join(folder, "agent.py"), "w", encoding="utf-8") as out:
                out.write(agent.replace(old, new))
            run(verify, 1)
            run(pytest, 1)
    sys.exit(", ".join(failures) or 0)


main()
