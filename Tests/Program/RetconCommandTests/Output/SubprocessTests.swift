import Testing

@testable import RetconCommand

@Suite("Programs that are run to their end")
struct SubprocessTests {
  @Test("the exit status comes back; a signal counts 128 more")
  func statuses() throws {
    #expect(try Subprocess.run("/bin/sh", ["-c", "exit 3"]) == 3)
    #expect(try Subprocess.run("sh", ["-c", "kill -9 $$"]) == 137)
  }

  @Test("a text is its whole input, and what it writes goes nowhere")
  func input() throws {
    let text = String(repeating: "eleven text", count: 20_000)
    #expect(
      try Subprocess.run(
        "/bin/sh", ["-c", "echo noise; echo noise >&2; test $(wc -c) -eq $1", "sh", "220000"],
        input: text) == 0)
  }

  @Test("a program that is not there is named")
  func missing() {
    #expect {
      try Subprocess.run("/nowhere/retcon-no-such-program", [], input: "x")
    } throws: { error in
      (error as? UsageError)?.what
        == "cannot start /nowhere/retcon-no-such-program: No such file or directory"
    }
  }
}
