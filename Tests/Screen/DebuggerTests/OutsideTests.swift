import RecordingSupport
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import Debugger

/// A JavaScript app recorded with `world`: two requests that overlap, and a socket.
@Suite("What if something else had come from outside")
struct OutsideTests {
  private static func answer(_ path: String, _ key: String) -> Value {
    [
      "type": .string("GET \(path) 200"),
      "retcon": [
        "answer": .string(key), "asks": ["GET", .string(path)], "status": 200, "body": "{}",
      ],
    ]
  }

  private static func heard(_ words: String) -> Value {
    [
      "type": "socket wss://a.test message",
      "retcon": ["hear": "s1.3", "event": "message", "data": .string(words)],
    ]
  }

  private static let recording: MemoryRecording = {
    let actions: [(Value, Cause)] = [
      (.null, .user), (["type": "opened"], .user), (["type": "found"], .user),
      (answer("/a", "s1.1"), .effect(1)), (answer("/b", "s2.1"), .effect(2)),
      (["type": "shown"], .output(of: 4)), (["type": "typed"], .user), (heard("1"), .effect(3)),
      (heard("2"), .effect(3)),
    ]
    let steps = actions.enumerated().map { number, told in
      Step(
        number: number, label: told.0["type"]?.string ?? "init", action: told.0, cause: told.1)
    }
    let starts = [(1, 1, "GET /a"), (2, 2, "GET /b"), (3, 1, "socket wss://a.test")].map {
      EffectEvent(
        effect: EffectID($0.0), step: $0.1, time: nil,
        kind: .started(
          EffectOrigin(step: $0.1, name: $0.2, file: "javascript", line: 0, ordinal: $0.0)))
    }
    let ends = [(1, 3), (2, 5)].map {
      EffectEvent(effect: EffectID($0.0), step: $0.1, time: nil, kind: .finished)
    }
    return MemoryRecording(
      name: "shop.retcon", steps: steps, states: steps.map { _ in [:] }, events: starts + ends)
  }()

  private func app(at step: Int, _ keys: String) async -> DebuggerApp {
    await .hosted(Self.recording, at: step, keys)
  }

  private func edits(at step: Int, _ keys: String) async -> [Edit] {
    await app(at: step, keys).state.branch.script?.edits ?? []
  }

  @Test("f e fails a request, f l answers it late, and f w after the next one")
  func requests() async {
    #expect(
      await edits(at: 3, "fe") == [
        .replace(
          step: 3,
          action: [
            "type": "GET /a failed",
            "retcon": [
              "answer": "s1.1", "asks": ["GET", "/a"], "error": "TypeError: Failed to fetch",
            ],
          ])
      ])
    #expect(await edits(at: 3, "fl") == [.move(step: 3, after: 6)])
    #expect(await edits(at: 3, "fw") == [.move(step: 3, after: 5)])
    let menu = await app(at: 3, "f").frame.text
    #expect(menu.contains("GET /a 200 comes after 4 GET /b 200"), "\(menu)")
    #expect(!menu.contains("lose the socket"))
  }

  @Test("f d loses a socket for 3 s, and what came through it does not come")
  func socket() async {
    let close: Value = [
      "type": "socket wss://a.test close",
      "retcon": [
        "hear": "s1.3", "event": "close", "code": 1006, "reason": "", "wasClean": false,
        "lost": 3,
      ],
    ]
    #expect(await edits(at: 7, "fd") == [.replace(step: 7, action: close), .skip(step: 8)])
    let menu = await app(at: 7, "f").frame.text
    #expect(!menu.contains("answer it late"), "\(menu)")
  }
}
