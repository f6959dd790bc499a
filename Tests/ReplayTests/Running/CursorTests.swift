import Platform
import SessionFile
import SessionWords
import Testing
import ValueTree

@testable import Replay

/// How often a source is asked for its steps.
@Suite struct CursorTests {
  @Test("two who go through a source side by side read each step once, also where one looks ahead")
  func sideBySide() throws {
    let source = CountedSource(stepCount: 1_000)
    let shared = ReadBlocks()
    var branch = SourceCursor(source)
    var line = SourceCursor(source)
    (branch.shared, line.shared) = (shared, shared)
    for step in source.steps.dropFirst() {
      #expect(try branch.slot(step).step.number == step)
      guard step.isMultiple(of: 7) else { continue }
      #expect(try line.beginning(ofTurnAfter: step - 1) == step - 1)
      for number in step - 6...step {
        #expect(try line.told(at: number).change?.from == number - 1)
      }
    }
    #expect(source.counts.filter { $0.key > 127 && $0.value > 1 }.isEmpty)
  }

  /// Counts how often it is asked for each step.
  private final class CountedSource: ReplaySource {
    let steps: ClosedRange<Int>
    private let asked = Locked<[Int: Int]>([:])

    init(stepCount: Int) { steps = 0...stepCount }

    var counts: [Int: Int] { asked.withLock { $0 } }
    var tape: [String] { [] }
    var inFlightAtStart: [EffectInFlight] { [] }
    var startDate: Double { 0 }

    func step(_ number: Int) throws -> Step {
      asked.withLock { $0[number, default: 0] += 1 }
      return Step(number: number, label: "Int", action: .null)
    }
    func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] { [] }
    func state(after step: Int) throws -> Value? { .null }
    func patch(at step: Int) throws -> Value? { [] }
    func isKeyframe(_ step: Int) -> Bool { false }
  }
}
