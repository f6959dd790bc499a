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
}
