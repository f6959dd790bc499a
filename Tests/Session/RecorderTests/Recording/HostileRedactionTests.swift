import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// Secrets in every place that a recorder writes, in every form that JSON has for them.
@Suite("Redaction of what is hidden well") struct HostileRedactionTests {
  /// A line end, a quote, and characters beyond ASCII: it is written with escapes.
  private static let secret = "pass\"word\n\u{1}é\u{212A}"
  private static let number = 987_654_321

  struct State: Codable, Sendable {
    /// The secret is a key.
    var byName: [String: Int] = [:]
    var text = ""
    var nested: [String: [String: String]] = [:]
    var number = 0
  }

  enum Action: Codable, Sendable {
    case typed(String)
    case counted([String: Int])
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// No longer text with the secret inside is let through, no key, and no number.
  private static let predicate: @Sendable (Redaction.Place, Value) -> Bool = { _, value in
    switch value {
    case .string(let text): text.contains(secret)
    case .number: value == .number(Number(number))
    default: false
    }
  }

  private static func encoding() -> RecordingEncoding<State, Action> {
    var encoding = RecordingEncoding<State, Action>.automatic
    encoding.label = { action in
      if case .typed(let text) = action { "typed.\(text)" } else { "counted" }
    }
    return encoding
  }

  @Test(
    "No byte of a secret is in the file, wherever it stands and however it is written",
    arguments: [false, true])
  func hidden(isWriteAhead: Bool) async throws {
    let folder = try TemporaryFolder()
    let secret = Self.secret
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.writing.keyframes = .every(2)
    options.redaction = Redaction(predicate: Self.predicate)
    let recorder = SessionRecorder<State, Action>(
      to: folder("r.retcon"), options: options, encoding: Self.encoding())
    let tape = recorder.tape
    var state = State()
    state.byName = ["of \(secret)": 1]
    recorder.start(with: state)
    for step in 1...6 {
      recorder.step(step.isMultiple(of: 2) ? .counted([secret: 1]) : .typed("\(secret)\(step)")) {
        _ = tape.value("key \(secret)") { [secret: secret] }
        _ = try? tape.value("fails") { () throws(Failure) -> Int in
          throw Failure(description: "no \(secret)")
        }
        state.byName["\(step) \(secret)"] = Self.number
        state.text = "before \(secret) after"
        state.nested["a"] = ["\(secret)\(step)": secret]
        state.number = step.isMultiple(of: 3) ? Self.number : step
        return state
      }
    }
    var origin = EffectOrigin(step: 1, name: "fetch \(secret)", file: "\(secret).swift", line: 1)
    origin.cancelID = secret
    recorder.effectChanged(1, .started(origin))
    await recorder.effect(1) { _ = tape.value("outside \(secret)") { secret } }
    recorder.effectChanged(1, .failed("message \(secret)"))
    recorder.signpost("note \(secret)", [secret: secret])
    recorder.finish()

    let text = folder.text("r.retcon")
    for piece in ["pass", "word", "\\u0001", "é", "\u{212A}", "987654321"] {
      #expect(!text.contains(piece), "\(piece) in \(text)")
    }
    let session = try SessionReader(path: folder("r.retcon"))
    #expect(session.steps == 0...6)
    #expect(try session.step(1).label == "<redacted>")
    #expect(try session.step(2).label == "counted")
    #expect(try session.state(after: 2)["text"] == "<redacted>")
    #expect(try session.state(after: 2)["number"] == 2)
    try session.examine()
    #expect(session.notices == [])
  }

  @Test("Members that are redacted by their keys and paths leave nothing behind in patches")
  func patches() throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.redaction = Redaction(paths: ["/nested/*"], keys: ["text"])
    let recorder = SessionRecorder<State, Int>(to: folder("p.retcon"), options: options)
    var state = State()
    recorder.start(with: state)
    for step in 1...20 {
      recorder.step(step) {
        state.text = "SECRET \(step)"
        state.nested = ["a": ["SECRET": "SECRET \(step)"], "b": ["SECRET \(step)": "x"]]
        if step.isMultiple(of: 4) { state.nested["SECRET-free \(step / 100)"] = ["SECRET": "x"] }
        return state
      }
    }
    recorder.finish()
    let text = folder.text("p.retcon").replacing("SECRET-free 0", with: "")
    #expect(!text.contains("SECRET"))
    let session = try SessionReader(path: folder("p.retcon"))
    #expect(
      try session.state(after: 3) == [
        "byName": [:], "text": "<redacted>",
        "nested": ["a": "<redacted>", "b": "<redacted>"], "number": 0,
      ])
  }

  @Test("Troubles that are told to the app hold no value of the app's state")
  func troubles() throws {
    struct Odd: Error, CustomStringConvertible { let description: String }
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.redaction = Redaction(predicate: Self.predicate)
    options.report = { _ in }
    let encoding = RecordingEncoding<Int, Int>(
      makeStateEncoder: { { _ in throw Odd(description: Self.secret) } },
      encodeAction: { _ in throw Odd(description: "action \(Self.secret)") }, label: { _ in "a" })
    let recorder = SessionRecorder(to: folder("t.retcon"), options: options, encoding: encoding)
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    recorder.finish()
    #expect(!folder.text("t.retcon").contains("pass"))
  }
}
