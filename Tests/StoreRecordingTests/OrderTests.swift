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

  @Test("Eight threads, 100,000 actions: the log has the order in which the store reduced them")
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
          for number in 0..<12_500 { store.send(.sent(thread * 12_500 + number)) }
        }
      }
    }
    let statistics = recording.finish()
    #expect(statistics.isComplete)
    #expect(statistics.steps == 102_000)

    let reduced = order.withLock { $0 }
    #expect(reduced.count == 102_000)
    let session = try SessionReader(path: folder("order.retcon"))
    #expect(session.stepCount == 102_000)
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
