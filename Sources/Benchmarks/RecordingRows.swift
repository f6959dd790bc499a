import Platform
import Recorder
import StoreCore
import StoreRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What recording costs: on the thread that sends, and on the worker.
enum RecordingRows {
  static let topic = Topic(name: "Recording") {
    let folder = try BenchFolder()
    let cart = LargeCart(items: 9_000)
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
    let (store, recorder) = store(folder, isRecorded: isRecorded)
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<20_000 { store.send(.added(number)) }
    let seconds = (clock.now - start).inSeconds / 20_000
    recorder?.finish()
    return seconds
  }

  private static func paced(_ folder: BenchFolder, isRecorded: Bool) throws -> Double {
    let (store, recorder) = store(folder, isRecorded: isRecorded)
    let clock = ContinuousClock()
    var times: [Double] = []
    for number in 0..<300 {
      usleep(1_000)
      let start = clock.now
      store.send(.added(number))
      times.append((clock.now - start).inSeconds)
    }
    recorder?.finish()
    return times.sorted()[150]
  }

  private static func writeAhead(_ folder: BenchFolder) throws -> Double {
    let (store, recorder) = store(folder, isRecorded: true, isWriteAhead: true)
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<2_000 { store.send(.added(number)) }
    let seconds = (clock.now - start).inSeconds / 2_000
    recorder?.finish()
    return seconds
  }

  /// The time until all is on its way to the disk, for each action.
  private static func worker(_ folder: BenchFolder, _ start: LargeCart) throws -> Double {
    var cart = start
    var options = RecordingOptions()
    options.backPressure = .wait(beyond: 4)
    options.snapshots = .copied
    let recorder = SessionRecorder<LargeCart, Int>(to: folder("cart.retcon"), options: options)
    recorder.start(with: cart)
    recorder.step(0) { cart }
    recorder.flush()
    let clock = ContinuousClock()
    let begin = clock.now
    for number in 1...200 {
      recorder.step(number) {
        cart.items[number * 37 % cart.items.count].quantity += 1
        return cart
      }
    }
    recorder.flush()
    let seconds = (clock.now - begin).inSeconds / 200
    recorder.finish()
    return seconds
  }
}

/// A state whose JSON has about 95 bytes for each item.
private struct LargeCart: Codable, Sendable {
  struct Item: Codable, Sendable {
    var id: Int
    var title: String
    var note: String
    var quantity: Int
    var price: Double
  }

  var items: [Item]
  var name = "Ann"

  init(items count: Int) {
    items = (0..<count).map {
      Item(
        id: $0, title: "Item number \($0)", note: "as people write", quantity: $0 % 7,
        price: Double($0) * 1.25)
    }
  }
}
