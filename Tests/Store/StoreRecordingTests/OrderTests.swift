import Platform
import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

@Suite("The order of a recorded store") struct OrderTests {
  /// Counts what it is sent; every 50th action sends another one at once.
  private struct Tally: Reducer {
    struct State: Codable, Hashable, Sendable {
      var count = 0
      var last = 0
    }

    enum Action: Codable, Hashable, Sendable {
      case sent(Int)
      case answered(Int)
    }

    /// Reducers run one after the other: this is the order of the store itself.
    let order: Locked<[Action]>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      order.withLock { $0.append(action) }
      state.count += 1
      guard case .sent(let number) = action else { return .none }
      state.last = number
      return number.isMultiple(of: 50) ? .send(.answered(number)) : .none
    }
  }

  /// `RETCON_LONG` sends 100,000.
  private static let each = environmentVariable("RETCON_LONG") == nil ? 2_500 : 12_500

  @Test("Eight threads and their actions: the log has the order in which the store reduced them")
  func order() async throws {
    let folder = try TemporaryFolder()
    let order = Locked<[Tally.Action]>([])
    var options = RecordingOptions.steady
    options.writing.keyframes = .every(1_000)
    options.backPressure = .wait(beyond: 10_000)
    let recording = StoreRecorder<Tally.State, Tally.Action>(
      to: folder("order.retcon"), options: options)
    let store = Store(initialState: Tally.State(), hooks: recording) { Tally(order: order) }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<Self.each { store.send(.sent(thread * Self.each + number)) }
        }
      }
    }
    let statistics = recording.finish()
    let count = Self.each * 8 + Self.each * 8 / 50
    #expect(statistics.isComplete)
    #expect(statistics.steps == count)

    let reduced = order.withLock { $0 }
    #expect(reduced.count == count)
    let session = try SessionReader(path: folder("order.retcon"))
    #expect(session.stepCount == count)
    #expect(session.isFinished)
    var expected: [Step] = []
    var state = Tally.State()
    for (index, action) in reduced.enumerated() {
      var step = Step(number: index + 1, time: .zero, label: "answered", action: .null)
      step.action = try ValueEncoder().encode(action)
      step.cause = .output(of: index)
      state.count += 1
      if case .sent(let number) = action {
        state.last = number
        step.label = "sent"
        step.cause = .user
      }
      expected.append(step)
      guard index.isMultiple(of: 9_973) || index == reduced.count - 1 else { continue }
      #expect(try session.state(after: index + 1) == ValueEncoder().encode(state))
    }
    let logged = try (1...reduced.count).map { try session.step($0) }
    #expect(logged == expected)
    #expect(session.notices == [])
  }
}
