import Essentials
import Platform
import Recorder
import StoreCore
import StoreRecording

/// What recording costs: on the thread that sends, and on the worker.
enum RecordingRows {
  static let topic = Topic(name: "Recording") {
    let folder = try BenchFolder()
    let cart = ValueSample.List(count: 10_000)
    return [
      Row(
        "what recording adds to send, sustained", bar: .atMost(1e-6),
        .measured("send recorded − send", unit: .seconds) {
          try sustained(folder, isRecorded: true) - sustained(folder, isRecorded: false)
        }, samples: 7),
      Row(
        "what recording adds to send at 1,000 a second, median", bar: .atMost(5e-6),
        .measured("send recorded − send", unit: .seconds) {
          try paced(folder, isRecorded: true) - paced(folder, isRecorded: false)
        }, samples: 5),
      Row(
        "send in write-ahead mode",
        bar: .watched("the caller pays for encoding and writing"),
        .measured("send", unit: .seconds) { try writeAhead(folder) }, samples: 5),
      Row(
        "recording worker, one leaf of 855 KB changed per action", bar: .fasterAtLeast(20),
        .measured("a recorded action", unit: .seconds) { try worker(folder, cart) },
        against: .timed("JSONEncoder, the whole state") {
          keep(try JSONEncoder().encode(cart))
        }, samples: 5),
    ]
  }

  private struct Count: Reducer {
    struct State: Codable, Sendable { var count = 0 }
    enum Action: Codable, Sendable { case added(Int) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .added(let number):
        state.count &+= number
        return .none
      }
    }
  }

  private static func store(
    _ folder: BenchFolder, isRecorded: Bool, isWriteAhead: Bool = false
  ) -> (Store<Count.State, Count.Action>, StoreRecorder<Count.State, Count.Action>?) {
    guard isRecorded else { return (Store(initialState: Count.State()) { Count() }, nil) }
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.report = { _ in }
    let recorder = StoreRecorder<Count.State, Count.Action>(
      to: folder("count.retcon"), options: options)
    return (Store(initialState: Count.State(), hooks: recorder) { Count() }, recorder)
  }

  private static func sustained(_ folder: BenchFolder, isRecorded: Bool) throws -> Double {
    secondsToSend(20_000, store(folder, isRecorded: isRecorded))
  }

  /// The time of one of so many actions, sent without a pause.
  private static func secondsToSend(
    _ count: Int,
    _ made: (
      store: Store<Count.State, Count.Action>, recorder: StoreRecorder<Count.State, Count.Action>?
    )
  ) -> Double {
    let watch = Stopwatch()
    for number in 0..<count { made.store.send(.added(number)) }
    let seconds = watch.seconds / Double(count)
    made.recorder?.finish()
    return seconds
  }

  private static func paced(_ folder: BenchFolder, isRecorded: Bool) throws -> Double {
    let (store, recorder) = store(folder, isRecorded: isRecorded)
    var times: [Double] = []
    for number in 0..<300 {
      usleep(1_000)
      let watch = Stopwatch()
      store.send(.added(number))
      times.append(watch.seconds)
    }
    recorder?.finish()
    return times.sorted()[150]
  }

  private static func writeAhead(_ folder: BenchFolder) throws -> Double {
    secondsToSend(2_000, store(folder, isRecorded: true, isWriteAhead: true))
  }

  /// The time until all is on its way to the disk, for each action.
  private static func worker(_ folder: BenchFolder, _ start: ValueSample.List) throws -> Double {
    var cart = start
    var options = RecordingOptions()
    options.backPressure = .wait(beyond: 4)
    options.snapshots = .copied
    let recorder = SessionRecorder<ValueSample.List, Int>(
      to: folder("cart.retcon"), options: options)
    recorder.start(with: cart)
    recorder.step(0) { cart }
    recorder.flush()
    let watch = Stopwatch()
    for number in 1...200 {
      recorder.step(number) {
        cart.items[number * 37 % cart.items.count].quantity += 1
        return cart
      }
    }
    recorder.flush()
    let seconds = watch.seconds / 200
    recorder.finish()
    return seconds
  }
}
