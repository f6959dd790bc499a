import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("The debugger records itself", .needs(.tmux))
struct ItselfTests {
  @Test("what was typed is run again by the debugger's own reducer: verified, forked, looked at")
  func story() throws {
    let folder = try TemporaryFolder()
    let shell = try Retcon.shell(columns: 120, rows: 40)
    func run(_ line: String, until text: String) throws {
      try shell.type("clear; \(Retcon.path) \(line)\n")
      try shell.wait(for: text)
    }
    try shell.type("cd '\(folder.path)'; clear\n")
    try run("demo wishes -o - > w.retcon; echo $((40 + 2))", until: "42")
    try run("w.retcon@0 --record-self self.retcon", until: "main   0/28")
    try shell.type("jjm")
    try shell.wait(for: "main   2/28")
    try shell.type("6G\t:marks\n")
    try shell.wait(for: "┌ marks ")
    // Out of the list, out of the pane, out of the program.
    try shell.type("qqq")
    try shell.wait(for: "retcon: the debugger itself is in ")
    try run("verify self.retcon", until: "steps were run again, all as recorded.")
    try run("fork self.retcon@3 --skip --name unmarked", until: "unmarked")
    try run("minimize self.retcon --until \"state.seen.overlay == 'marks'\"", until: "are enough")
    // Its host needs no name. The state holds the recorded screen.
    try run("self.retcon@3", until: "Retcon ●")
    try shell.type("2q")
    try shell.wait(until: "the state holds the screen") { screen in
      screen.contains("seen.marks[0]: \"2\"") && screen.contains("▾ seen")
    }
    try shell.type("q")
    try shell.wait(until: "the shell is back") { $0.hasPrefix("ready>") || $0.contains("\nready>") }
  }
}
