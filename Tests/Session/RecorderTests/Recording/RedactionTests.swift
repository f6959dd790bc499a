import Recorder
import SessionFile
import SessionWords
import TestSupport
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

  /// One of the ways to say what must not be written, alone, or all of them.
  enum Way: CaseIterable {
    case paths, keys, predicate, all

    var redaction: Redaction {
      let paths = ["/user/name", "/drafts/*/text"]
      let keys = ["password", "token"]
      let predicate: @Sendable (Redaction.Place, Value) -> Bool = { _, value in
        if case .string(let text) = value { text.contains("SECRET") } else { false }
      }
      return switch self {
      case .paths: Redaction(paths: paths)
      case .keys: Redaction(keys: keys)
      case .predicate: Redaction(predicate: predicate)
      case .all: Redaction(paths: paths, keys: keys, predicate: predicate)
      }
    }

    /// Which of the secrets it lets through.
    var visible: [String] {
      switch self {
      case .paths:
        ["password", "typed", "token", "read", "detail", "effect", "message", "signpost"]
      case .keys: ["name", "draft", "detail", "message"]
      case .predicate, .all: []
      }
    }

    var descriptions: [String] {
      switch self {
      case .paths: ["/user/name", "/drafts/*/text"]
      case .keys: ["key password", "key token"]
      case .predicate: ["by a predicate of the app"]
      case .all:
        [
          "/user/name", "/drafts/*/text", "key password", "key token", "by a predicate of the app",
        ]
      }
    }

    var lastUser: Value {
      switch self {
      case .paths: ["name": "<redacted>", "password": "SECRET-password", "age": 41]
      case .keys: ["name": "SECRET-name 9", "password": "<redacted>", "age": 41]
      case .predicate, .all: ["name": "<redacted>", "password": "<redacted>", "age": 41]
      }
    }

    var lastDraft: Value {
      ["title": "t9", "text": self == .keys ? "SECRET-draft" : "<redacted>"]
    }
  }

  private static let secrets = [
    "name", "draft", "password", "typed", "token", "read", "detail", "effect", "message",
    "signpost",
  ]

  @Test(
    "No byte of a redacted value is in the file, and nothing else is taken out",
    arguments: Way.allCases, [false, true])
  func nothingLeaks(way: Way, isWriteAhead: Bool) async throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.writing.keyframes = .every(2)
    options.redaction = way.redaction
    let recorder = SessionRecorder<State, Action>(to: folder("r.retcon"), options: options)
    let tape = recorder.tape
    var state = State()
    recorder.start(with: state)
    for number in 1...9 {
      recorder.step(.typed(password: "SECRET-typed \(number)")) {
        _ = tape.value("token") { "SECRET-token" }
        _ = tape.value("profile") { ["password": "SECRET-read", "plain": "open"] }
        _ = try? tape.value("fails") { () throws(Failure) -> Int in throw Failure() }
        state.user.name = "SECRET-name \(number)"
        state.drafts.append(Draft(title: "t\(number)", text: "SECRET-draft"))
        state.count += 1
        return state
      }
    }
    await recorder.effect(1) { _ = tape.value("token") { "SECRET-effect" } }
    recorder.effectChanged(1, .failed("SECRET-message"))
    recorder.signpost("plain note", ["password": "SECRET-signpost"])
    recorder.signpost("token", "SECRET-signpost")
    recorder.finish()

    let text = folder.text("r.retcon")
    #expect(Self.secrets.filter { text.contains("SECRET-\($0)") } == way.visible)
    #expect(text.contains("plain note"))
    #expect(text.contains("\"plain\":\"open\""))
    let session = try SessionReader(path: folder("r.retcon"))
    #expect(session.header.redacted == way.descriptions.map { $0 + " (asked for)" })
    let last = try session.state(after: 9)
    #expect(last["user"] == way.lastUser)
    #expect(last["drafts"]?[8] == way.lastDraft)
    #expect(last["count"] == 9)
    try session.examine()
    // No start of the effect was recorded.
    #expect(session.notices.allSatisfy { $0.finding == .unknownEffect(1) })
  }
}
