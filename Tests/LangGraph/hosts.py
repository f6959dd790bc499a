"""A python3 for `retcon --reducer` that has loaded LangGraph already.

`with warm_python() as folder` gives a folder for the front of PATH. Its python3 hands its streams
to one server, which forks: a host starts in milliseconds, and each still has a process of its own.
"""

import contextlib
import json
import os
import runpy
import signal
import socket
import stat
import subprocess
import sys
import tempfile

CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
told = json.dumps([sys.argv[1:], os.getcwd()]).encode()
socket.send_fds(server, [len(told).to_bytes(4, "big") + told], [0, 1, 2])
os.close(0)
os._exit(int(server.makefile().read() or 1))
"""
LONGEST = 60  # seconds of a host


@contextlib.contextmanager
def warm_python():
    with tempfile.TemporaryDirectory() as folder:
        address, client = os.path.join(folder, "socket"), os.path.join(folder, "python3")
        with open(client, "w", encoding="utf-8") as out:
            out.write(CLIENT.format(python=sys.executable, address=address))
        os.chmod(client, stat.S_IRWXU)
        server = subprocess.Popen([sys.executable, __file__, address], stdout=subprocess.PIPE)
        server.stdout.readline()
        try:
            yield folder
        finally:
            server.terminate()
            server.wait()


def received(connection):
    told, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while len(told) < 4 + int.from_bytes(told[:4], "big"):
        told += connection.recv(1 << 16)
    return json.loads(told[4:]), streams


def run(connection):
    (words, folder), streams = received(connection)
    if "RETCON_HOST" in os.environ:  # the host as it is in the sources, without a build
        words[0] = os.environ["RETCON_HOST"]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(folder)
    signal.alarm(LONGEST)
    sys.argv, status = words, 0
    sys.path[0] = os.path.dirname(words[0])
    try:
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 0 if exit.code is None else 1
    except BaseException:
        status = 1
        sys.excepthook(*sys.exc_info())
    sys.stdout.flush()
    connection.sendall(str(status).encode())
    os._exit(status)


def serve(address):
    import langgraph.checkpoint.memory  # noqa: F401
    import langgraph.graph  # noqa: F401
    import langgraph.prebuilt  # noqa: F401
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen()
    print("ready", flush=True)
    while True:
        connection, _ = server.accept()
        if os.fork() == 0:
            server.close()
            run(connection)
        connection.close()


if __name__ == "__main__":
    serve(sys.argv[1])
