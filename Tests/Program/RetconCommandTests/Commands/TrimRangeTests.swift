import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger
@testable import RetconCommand

@Suite("A range of steps, on the command line and in the debugger")
struct TrimRangeTests {
  /// Some steps of which reducers sent a few.
  private func record(to path: String, _ random: inout SeededGenerator) throws {
    let writer = try SessionWriter(path: path, header: SessionHeader(state: 0))
    for number in 1...30 {
      let isSent = number > 1 && Int.random(in: 0..<4, using: &random) == 0
      try writer.append(
        Step(
          number: number, label: "step \(number)", action: "a",
          cause: isSent ? .output(of: number - 1) : .user),
        state: .number(.init(number)))
    }
    try writer.finish()
  }

  private func type(_ keys: String, into app: DebuggerApp) async {
    for key in keys {
      let key: Key = key == "⏎" ? .enter : key == "⎋" ? .escape : .character(key)
      await app.handle(.key(key)).finish()
    }
  }

  @Test("holds the same steps, and exactly these")
  func same() async throws {
    var random = SeededGenerator(seed: 8)
    let runner = try CommandRunner()
    let path = runner.folder + "/whole.retcon"
    try record(to: path, &random)
    let session = OpenSession(SessionRecording(try SessionReader(path: path)))
    let app = DebuggerApp(
      session: session, size: Size(width: 160, height: 24), output: { _ in }, onChange: {})
    await app.start().finish()
    for round in 0..<12 {
      let first = Int.random(in: 1...30, using: &random)
      let last = Int.random(in: first...30, using: &random)
      let files = ["command", "typed", "chosen"].map { "\(runner.folder)/\($0)\(round).retcon" }
      let answer = await runner.run("trim", path, "--range", "\(first)..\(last)", "-o", files[0])
      #expect(answer.status == .yes, "\(answer)")
      await type(":trim \(first)-\(last) \(files[1])⏎", into: app)
      let words = "Steps \(first) to \(last) are in \(files[1])"
      #expect(app.state.message?.text.hasPrefix(words) == true, "\(app.state.message?.text ?? "")")
      await type(":\(first)⏎V:\(last)⏎s\(files[2])⏎⎋", into: app)
      let labels = try files.map { file in
        let trim = try SessionReader(path: file)
        return try trim.steps.dropFirst().map { try trim.step($0).label }
      }
      let expected = (first...last).map { "step \($0)" }
      #expect(labels == [expected, expected, expected], "round \(round)")
      #expect(try runner.text(of: files[0]) == runner.text(of: files[1]))
      #expect(try runner.text(of: files[0]) == runner.text(of: files[2]))
    }
  }
}
