import SessionLog
import Testing
import ValueTree

@Suite("Redaction") struct RedactionTests {
  struct State: Codable, Sendable {
    var user = User()
    var drafts: [Draft] = []
    var count = 0
  }
  struct User: Codable, Sendable {
    var name = "SECRET-name"
    var password = "SECRET-password"
    var age = 41
  }
  struct Draft: Codable, Sendable {
    var title: String
    var text: String
  }
  enum Action: Codable, Sendable {
    case typed(password: String)
    case drafted(text: String)
    case counted
  }
  struct Failure: Error, Codable { var detail = "SECRET-detail" }

  @Test("No byte of a redacted value is in the file", arguments: [false, true])
  func nothingLeaks(isWriteAhead: Bool) async throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.writing.keyframes = .every(2)
    options.redaction = Redaction(
      paths: ["/user/name", "/drafts/*/text"], keys: ["password", "token"]
    ) { _, value in
      if case .string(let text) = value { text.contains("SECRET") } else { false }
    }
    let recorder = SessionRecorder<State, Action>(to: folder("r.retcon"), options: options)
    let tape = recorder.tape
    var state = State()
    recorder.start(with: state)
    for number in 1...9 {
      recorder.step(.typed(password: "SECRET-\(number)")) {
        _ = tape.value("token") { "SECRET-token" }
        _ = tape.value("profile") { ["password": "SECRET-read", "plain": "open"] }
        _ = try? tape.value("fails") { () throws(Failure) -> Int in throw Failure() }
        state.user.name = "SECRET-\(number)"
        state.drafts.append(Draft(title: "t\(number)", text: "SECRET-draft"))
        state.count += 1
        return state
      }
    }
    await recorder.effect(1) { _ = tape.value("token") { "SECRET-effect" } }
    recorder.effectChanged(1, .failed("SECRET-message"))
    recorder.signpost("plain note", ["password": "SECRET-signpost"])
    recorder.finish()

    let text = folder.text("r.retcon")
    #expect(!text.contains("SECRET"))
    #expect(text.contains("plain note"))
    #expect(text.contains("\"plain\":\"open\""))
    let session = try SessionReader(path: folder("r.retcon"))
    #expect(
      session.header.redacted == [
        "/user/name", "/drafts/*/text", "key password", "key token", "by a predicate of the app",
      ])
    let last = try session.state(after: 9)
    #expect(
      last["user"] == ["name": "<redacted>", "password": "<redacted>", "age": 41])
    #expect(last["drafts"]?[8] == ["title": "t9", "text": "<redacted>"])
    #expect(last["count"] == 9)
    try session.examine()
    #expect(session.notices == [])
  }
}
