import Platform
import TestSupport
import Testing

@testable import HostProtocol

@Suite struct HostCommandTests {
  @Test(
    "a typed line becomes a program and its arguments without a shell",
    arguments: [
      ("node host.mjs app.mjs", HostCommand("node", ["host.mjs", "app.mjs"])),
      ("  './my host'  \"a 'b'\" c\\ d ", HostCommand("./my host", ["a 'b'", "c d"])),
      ("host '' $HOME `id` *", HostCommand("host", ["", "$HOME", "`id`", "*"])),
    ])
  func words(_ line: String, _ command: HostCommand) {
    #expect(HostCommand(words: line) == command)
    #expect(HostCommand(words: command.text) == command)
  }

  @Test("shown to be copied, no word means anything to a shell")
  func shown() {
    #expect(
      HostCommand("./my-host", ["a;b", "$HOME", "it's", "", "x=1"]).text
        == #"./my-host 'a;b' '$HOME' 'it'\''s' '' x=1"#)
  }

  @Test("a line without a program, or with an open quote, is none", arguments: ["", "  ", "a 'b"])
  func noWords(_ line: String) {
    #expect(HostCommand(words: line) == nil)
  }

  @Test(
    "what only a shell understands is named, where it stands outside of quotes",
    arguments: [
      ("swift run Host | tee log", "“|” needs a shell, and none is started"),
      ("make && ./Host", "“&&” needs a shell, and none is started"),
      ("./Host &", "“&” needs a shell, and none is started"),
      ("~/bin/Host", "“~” needs a shell, and none is started"),
      ("./Host 2> log", "“>” needs a shell, and none is started"),
      ("./Host $HOME/a", "“$” needs a shell, and none is started"),
      ("./Host `pwd`", "“`” needs a shell, and none is started"),
      ("FOO=1 ./Host", "“FOO=…” needs a shell, and none is started"),
    ])
  func shellWords(_ line: String, _ hint: String) {
    #expect(HostCommand.shellHint(in: line) == hint)
  }

  @Test(
    "what a program understands by itself has no hint",
    arguments: [
      "./Host --path=a", "./Host 'a|b' \"c && d\"", #"./Host a\|b"#, "./Host a~b", "./Host 5$",
      "./a=b/Host",
    ])
  func noShellWords(_ line: String) {
    #expect(HostCommand.shellHint(in: line) == nil)
  }

  @Test("a script whose interpreter is not there is told so, and by which name")
  func interpreter() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("#!/no/such/python3 -u\nprint(1)\n", to: "host.py")
    chmod(script, 0o755)
    let error = await #expect(throws: HostFailure.self) {
      try await HostConnection(HostCommand(script)).start()
    }
    #expect(
      error?.sentence.contains(
        "the interpreter that its first line names, /no/such/python3, is not there") == true)
    let missing = await #expect(throws: HostFailure.self) {
      try await HostConnection(HostCommand(folder("none"))).start()
    }
    #expect(missing?.sentence.contains("No such file or directory") == true)
  }
}
