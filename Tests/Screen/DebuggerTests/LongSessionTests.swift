import RecordingSupport
import SessionWords
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

/// A million steps that are made when something reads them.
private struct LongRecording: Recording {
  var summary = RecordingSummary(name: "long.retcon", steps: 0...1_000_000)

  func step(_ number: Int) throws -> Step {
    Step(
      number: number, time: .milliseconds(number * 40), label: number % 7 == 0 ? "tick" : "moved",
      action: ["moved": ["by": .number(Number(number))]])
  }

  func state(after number: Int) throws -> Value? { ["count": .number(Number(number))] }
  func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan] { [] }
  func events(after step: Int) throws -> [EffectEvent] { [] }
  func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan] { [] }
  func reads(ofEffect effect: EffectID) throws -> [OutsideRead] { [] }
}

@Suite("A session of a million steps")
struct LongSessionTests {
  @Test("is opened at once and shows its end one key later")
  func end() async {
    let canvas = await DebuggerApp.print(
      OpenSession(LongRecording()), size: Size(width: 80, height: 24),
      events: [.key(.character("G"))])
    let lines = canvas.text.split(separator: "\n")
    #expect(lines[0].hasPrefix(" long.retcon   main   1,000,000/1,000,000   11:06:40.000"))
    #expect(lines[21].hasPrefix("│▸1000000  +40ms   moved {by: … │"))
  }

  @Test("a key does the same little work wherever one is, with a million hits known")
  func work() async throws {
    let session = OpenSession(LongRecording())
    var state = DebuggerState(
      session: LongRecording().summary, size: Size(width: 120, height: 40))
    _ = DebuggerFeature.turn(of: .input(.key(.character("/"))), on: &state)
    _ = DebuggerFeature.turn(of: .input(.paste("moved")), on: &state)
    _ = DebuggerFeature.turn(of: .input(.key(.enter)), on: &state)
    for start in stride(from: 0, to: 1_000_000, by: 1_000) {
      let batch = SearchBatch(
        hits: Array(start..<start + 1_000), searched: start + 1_000, total: 1_000_001)
      _ = DebuggerFeature.turn(of: .searches(.found(.asked, batch)), on: &state)
    }
    _ = DebuggerFeature.turn(of: .searches(.ended(.asked, failure: nil)), on: &state)
    #expect(state.searches.asked?.count == 1_000_000)
    let keys: [(Key, Int)] = [
      (.character("G"), 1_000_000), (.character("n"), 0), (.character("N"), 999_999),
      (.character("g"), 0), (.control("d"), 16), (.character("j"), 17),
    ]
    for (key, step) in keys {
      let work = DebuggerFeature.turn(of: .input(.key(key)), on: &state)
      #expect(state.here.step == step)
      #expect(work.count <= 2)
      for effect in work where effect.name == "read steps" {
        #expect(try await effect.answers(session).count <= 2)
      }
    }
  }
}
