import Testing

@testable import RetconCommand

@Suite("Marks and forks that cannot be read")
struct UnreadableSidecarTests {
  @Test("every command says so, and one that writes says where the file is now")
  func said() async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    let sidecar = try runner.write("hello", as: "counter.retcon.sidecar")
    let notice =
      "retcon: \(sidecar): the marks and forks cannot be used: "
      + "expected a value, found h: line 1, column 1 (byte 0). The session is unchanged. "
      + "Mend this file, or Retcon renames it when you keep a mark or a fork.\n"
    for words in [
      ["branches", file], ["mark", file], ["state", file],
      ["trim", file, "--range", "1..2", "-o", "$/short.retcon"],
    ] {
      let answer = await runner.run(words)
      #expect(answer.messages.hasPrefix(notice), "\(answer)")
    }
    #expect(try runner.text(of: sidecar) == "hello")
    let marked = await runner.run("mark", file + "@1", "note")
    #expect(marked.status == .yes)
    #expect(
      marked.messages == notice
        + "\(sidecar) cannot be used and is now \(sidecar).unreadable-1; mend it and rename it back "
        + "to have its marks and forks again\n")
    #expect(try runner.text(of: sidecar + ".unreadable-1") == "hello")
    #expect(await runner.run("mark", file) == .init(status: .yes, data: "1  note\n"))
  }
}
