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

  @Test("what is read ahead is what would have been read, and nothing is read twice")
  func readAhead() throws {
    for _ in 0..<20 {
      let source = CountedSource(stepCount: 1_000, isReadAhead: true)
      var cursor = SourceCursor(source)
      cursor.shared = ReadBlocks()
      for step in source.steps.dropFirst() {
        #expect(try cursor.slot(step).step.number == step)
        #expect(try cursor.told(at: step).change?.from == step - 1)
      }
      #expect(source.counts == Dictionary(uniqueKeysWithValues: source.steps.map { ($0, 1) }))
    }
  }

  @Test("what cannot be read ahead is an error for who comes there, and for nobody before")
  func unreadable() throws {
    let source = CountedSource(stepCount: 1_000, isReadAhead: true, unreadable: 600)
    var cursor = SourceCursor(source)
    cursor.shared = ReadBlocks()
    for step in 1..<512 { #expect(try cursor.slot(step).step.number == step) }
    #expect(throws: ReplayError.self) { try cursor.slot(512) }
  }

  @Test("a whole state in a line counts, and not what patches make on the way")
  func wholeState() throws {
    let source = CountedSource(stepCount: 10, wholeState: 4)
    for (last, isEqual) in [(3, true), (6, false)] {
      var cursor = SourceCursor(source)
      _ = try cursor.slot(1)
      var states = StateTracker(branch: 0, source: 0, step: 0)
      states.advance(to: 0)
      #expect(try states.isEqual(toStateAfter: last, of: &cursor) == isEqual)
    }
  }

  /// Counts how often it is asked for each step.
  private final class CountedSource: ReplaySource {
    let steps: ClosedRange<Int>
    /// The line of this step says that the state is 1 from here on; all patches are empty.
    private let wholeState: Int
    let isReadAhead: Bool
    private let unreadable: Int?
    private let asked = Locked<[Int: Int]>([:])

    init(
      stepCount: Int, wholeState: Int = .max, isReadAhead: Bool = false, unreadable: Int? = nil
    ) {
      steps = 0...stepCount
      self.wholeState = wholeState
      self.isReadAhead = isReadAhead
      self.unreadable = unreadable
    }

    var counts: [Int: Int] { asked.withLock { $0 } }
    var tape: [String] { [] }
    var inFlightAtStart: [EffectInFlight] { [] }
    var startDate: Double { 0 }

    func step(_ number: Int) throws -> Step {
      asked.withLock { $0[number, default: 0] += 1 }
      if number == unreadable { throw ReplayError.noSuchStep(number, available: steps) }
      return Step(number: number, label: "Int", action: .null)
    }
    func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] { [] }
    func state(after step: Int) throws -> Value? { step < wholeState ? 0 : 1 }
    func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
      try numbers.map { StoredStep(try step($0), patch: [], holdsState: $0 == wholeState) }
    }
    func patch(at step: Int) throws -> Value? { [] }
    func isKeyframe(_ step: Int) -> Bool { false }
  }
}
