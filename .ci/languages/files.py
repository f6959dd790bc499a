"""The files that the rules of other languages hold, and the language of each."""
import subprocess
from pathlib import Path

KINDS = {".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript", ".py": "Python",
         ".html": "HTML", ".css": "CSS", ".c": "C", ".h": "C"}


def listed():
    """Yields each file and its language; of a file in another language, only in .ci."""
    names = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True)
    for path in map(Path, filter(None, names.stdout.split("\0"))):
        if path.is_file() and (path.suffix in KINDS or path.parts[0] == ".ci"):
            text = path.read_text()
            yield path, language(path, text), text


def language(path, text):
    first = text.split("\n", 1)[0] if text.startswith("#!") else ""
    if "python" in first:
        return "Python"
    return KINDS.get(path.suffix, "shell" if first.endswith("sh") else None)
