import Debugger
import RecordingSupport
import SessionWords
import Synchronization
import Testing
import TextCanvas
import TimeTravel
import ValueTree

/// A log is untrusted: whatever its fields hold, nothing but text reaches the screen.
@Suite("Hostile text")
struct HostileTextTests {
  private static let evil = "a\u{1B}]0;pwned\u{07}\u{9B}2J\u{202E}b\u{200B}\r\n\t\u{7F}"

  private static let session: OpenSession = {
    let evil = Self.evil
    let value: Value = .object([evil: .string(evil), "list": [.string(evil)]])
    let steps = [
      Step(number: 0, time: .zero, label: "init", action: .null),
      Step(
        number: 1, time: .seconds(1), label: evil, action: value, cause: .effect(1),
        reads: [Read(key: evil, value: value)], error: evil),
    ]
    let origin = EffectOrigin(step: 0, name: evil, file: evil, line: 1)
    var recording = MemoryRecording(
      name: evil, app: evil, steps: steps, states: [[:], value],
      events: [
        EffectEvent(effect: 1, step: 0, kind: .started(origin)),
        EffectEvent(effect: 1, step: 1, kind: .failed(evil)),
      ], effectReads: [1: [Read(key: evil, value: value)]])
    recording.summary.notices = [evil]
    return OpenSession(recording, host: FakeHost(recording: recording))
  }()

  @Test("a command to copy holds nothing of the session that a shell would run")
  func command() async {
    let recording = MemoryRecording(
      name: "a b$(reboot).retcon", app: "T; rm -rf ~ #",
      steps: [Step(number: 0, label: "init", action: .null)], states: [[:]])
    let canvas = await DebuggerApp.print(
      OpenSession(recording), size: Size(width: 100, height: 30), position: Position(step: 0),
      events: [.key(.character("f")), .key(.character("i"))])
    #expect(
      canvas.text.contains("  retcon 'a b$(reboot).retcon' --host .build/debug/AppHost "))
    #expect(!canvas.text.contains("rm -rf"))
  }

  @Test("is made visible in every pane, list and line", arguments: 0..<13)
  func everywhere(view: Int) async {
    let keys: [InputEvent] =
      switch view {
      case 0..<5: [.key(.alt(Character("\(view + 1)"))), .key(.enter)]
      case 5: [.key(.character("f")), .key(.character("i"))]
      case 6: [.key(.character("m")), .key(.character("'"))]
      case 7: [.key(.character("/")), .paste(Self.evil), .key(.enter)]
      case 8: [.key(.character(":")), .paste(Self.evil)]
      case 9: [.key(.character(":")), .paste("notices"), .key(.enter)]
      case 10: [.key(.character("k")), .key(.character("a"))]
      case 11: [.key(.alt("5")), .key(.enter), .key(.character("j")), .key(.character("="))]
      default:
        [.key(.character("=")), .key(.enter), .key(.character("B")), .key(.character("M"))]
          + [.paste(Self.evil), .key(.enter)]
      }
    let canvas = await DebuggerApp.print(
      Self.session, size: Size(width: 120, height: 40), position: Position(step: 1),
      events: keys)
    let hidden = canvas.text.unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.properties.generalCategory == .control
          || scalar.properties.generalCategory == .format)
    }
    #expect(hidden.isEmpty)
    #expect(canvas.text.contains("a␛]0;pwned␇‹U+009B›"))
  }

  @Test("is copied as visible text")
  func copied() async {
    let copied = Mutex<String?>(nil)
    let app = DebuggerApp(
      session: Self.session, size: Size(width: 80, height: 24), position: Position(step: 1),
      output: { output in
        if case .copy(let text) = output { copied.withLock { $0 = text } }
      }, onChange: {})
    await app.start().finish()
    await app.handle(.key(.character("y"))).finish()
    await app.handle(.key(.character("k"))).finish()
    #expect(copied.withLock { $0 } == "a␛]0;pwned␇‹U+009B›2J‹U+202E›b‹U+200B›␍\n\t␡")
  }
}
