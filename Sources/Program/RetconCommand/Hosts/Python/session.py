"""A session in a file."""

import atexit
import copy
import datetime
import json
import os
import secrets
import sys
import threading
import time

from values import Codec, difference

__all__ = ["Recorder", "in_utc", "steps_of"]


monotonic = time.monotonic  # the real one: the clock of nodes is on the tape
in_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def in_utc(date):
    utc = date.astimezone(datetime.timezone.utc)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Recorder:
    """A session in a file. A failure to write ends the recording, never the program."""

    def __init__(self, file, name=None, redact=()):
        self.file, self.redact, self.codec = file, list(redact), Codec(redact=redact)
        self.name = name or os.path.splitext(os.path.basename(file))[0]
        self.lock, self.output, self.state = threading.RLock(), None, None
        self.number, self.effects, self.since_keyframe = 0, 0, 0
        self.began = monotonic()

    def time(self):
        return round(monotonic() - self.began, 6)

    def start(self, state, encoded=False, **more):
        with self.lock:
            now = datetime.datetime.now(datetime.timezone.utc)
            self.state = state if encoded else self.codec.encode(state)
            header = {"retcon": "1.1", "session": secrets.token_hex(8), "app": {"name": self.name},
                      "started": in_utc(now),
                      "redacted": [f"key {key} (asked for)" for key in self.redact], **more}
            self.began = monotonic()
            try:
                # Half a surrogate pair becomes an escape of JSON.
                self.output = open(self.file, "w", encoding="utf-8", errors="backslashreplace")
                atexit.register(self.end)
            except OSError as error:
                print(f"retcon: {self.file} is not recorded: {error}", file=sys.stderr)
            self.line({**{k: v for k, v in header.items() if v}, "state": self.state})

    def line(self, told, flushes=True):
        if self.output is None:
            return 0
        try:
            text = in_json(told)
            self.output.write(text + "\n")
            if flushes and "read" not in told and told.get("event") != "finished":
                self.output.flush()
            return len(text)
        except (OSError, ValueError) as error:
            print(f"retcon: the recording of {self.file} has ended: {error}", file=sys.stderr)
            self.output = None
            return 0

    def step(self, action, state, cause="unknown", encoded=False, flushes=True, **more):
        with self.lock:
            if not encoded:
                action, state = self.codec.encode(action), self.codec.encode(state)
            self.number += 1
            kind = action.get("type") if isinstance(action, dict) else None
            told = {"step": self.number, "keyframe": True, "time": self.time(),
                    "label": kind if isinstance(kind, str) else "(no type)", "action": action,
                    "cause": cause, **more, "patch": difference(self.state, state)}
            self.state = state
            # Whole states take at most a quarter of the file, 16 steps apart.
            self.since_keyframe += 1
            if self.since_keyframe >= 16 and self.room > self.size_of_state:
                self.size_of_state = self.line({**told, "state": state}, flushes)
                self.room, self.since_keyframe = self.room - 4 * self.size_of_state, 0
            else:
                del told["keyframe"]
                self.room += self.line(told, flushes)
            return self.number

    room, size_of_state = 0, 0

    def started(self, name, **more):
        with self.lock:
            self.effects += 1
            self.line({"effect": self.effects, "event": "started", "after": self.number,
                       "time": self.time(), "from": self.number, "ordinal": 1, "name": name,
                       **more})
            return self.effects

    def ended(self, effect, event="finished", **more):
        with self.lock:
            self.line({"effect": effect, "event": event, "after": self.number,
                       "time": self.time(), **more})

    def end(self):
        with self.lock:
            self.line({"end": self.number, "time": self.time()})
            self.output = None


def steps_of(file):
    """The steps of a session by number, with the state after each and the one in which its effect
    began; and the reads of effects. The first one is where the session begins."""
    steps, reads, begun, state = {}, {}, {}, None
    with open(file, encoding="utf-8") as lines:
        for told in map(json.loads, lines):
            if "read" in told:
                reads.setdefault(told.get("effect"), []).append(told)
            elif told.get("event") == "started":
                begun[told["effect"]] = state
            elif "retcon" in told or "step" in told:
                if "state" in told:
                    state = told["state"]
                elif "patch" in told:
                    state = patched(copy.deepcopy(state), told["patch"])
                cause = told.get("cause")
                effect = cause.get("effect") if isinstance(cause, dict) else None
                number = told.get("step", told.get("first", 0))
                steps[number] = {**told, "state": state, "begun": begun.get(effect)}
    return steps, reads


def patched(state, patch):
    """RFC 6902 operations, applied in place."""
    for change in patch:
        value = change.get("value")
        if change["op"] in ("move", "copy"):
            place, key = found(state, change["from"])
            value = copy.deepcopy(place[key])
            if change["op"] == "move":
                del place[key]
        if change["path"] == "":
            state = value
            continue
        place, key = found(state, change["path"])
        if change["op"] == "remove":
            del place[key]
        elif isinstance(place, list) and change["op"] != "replace":
            place.insert(key, value)
        else:
            place[key] = value
    return state


def found(place, path):
    keys = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    for key in keys[:-1]:
        place = place[int(key)] if isinstance(place, list) else place[key]
    if isinstance(place, dict):
        return place, keys[-1]
    return place, len(place) if keys[-1] == "-" else int(keys[-1])
