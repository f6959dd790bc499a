import Essentials
import Platform
import Recorder
import StoreCore
import StoreRecording

enum RecordingRows {
  static let topic = Topic(name: "Recording") { folder in
    let cart = ValueSample.List(count: 10_000)
    return [
      Row(
        "what recording adds to send, sustained", bar: .atMost(1e-6),
        sustained(folder, Mail(), Mail.State(), Mail.Action.answered), samples: 7),
      Row(
        "what recording adds to send at 1,000 a second, median", bar: .atMost(5e-6),
        paced(folder, Mail(), Mail.State(), Mail.Action.answered), samples: 5),
      Row(
        "the same where each action asks and every fourth starts an effect, sustained",
        bar: .atMost(1e-6),
        sustained(folder, Till(), Till.State(), Till.action, isCrowded: true), samples: 7),
      Row(
        "the same where each action asks, at 1,000 a second, median", bar: .atMost(5e-6),
        paced(folder, Till(), Till.State(), Till.action), samples: 5),
      Row(
        "send in write-ahead mode", bar: .watched("the caller pays for encoding and writing"),
        .measured { try writeAhead(folder) }, samples: 5),
      Row(
        "recording worker, one leaf of 855 KB changed per action", bar: .fasterAtLeast(20),
        .measured { try worker(folder, cart) },
        against: .timed("JSONEncoder, the whole state") {
          blackHole(try JSONEncoder().encode(cart))
        }, samples: 5),
    ] + (try TightLoop.rows(folder))
  }

  private typealias Mail = ForkSearchRows.Mail

  /// Compared with the same app without a recorder. If effects and the worker need more cores than
  /// exist, the sending thread's time counts.
  private static func sustained<App: Reducer>(
    _ folder: BenchFolder, _ app: App, _ start: App.State,
    _ action: @escaping (Int) -> App.Action, isCrowded: Bool = false
  ) -> Work where App.State: Codable & Sendable, App.Action: Codable & Sendable {
    func seconds(isRecorded: Bool) -> Double {
      let times = Sent(app, start, isRecorded ? folder : nil).secondsToSend(20_000, action)
      return isCrowded ? times.ofThread : times.all
    }
    return .measured {
      // The machine's speed varies more than the difference, so alternate, and take the fastest.
      var fastest = (plain: Double.infinity, recorded: Double.infinity)
      for _ in 0..<5 {
        fastest.plain = min(fastest.plain, seconds(isRecorded: false))
        fastest.recorded = min(fastest.recorded, seconds(isRecorded: true))
      }
      return fastest.recorded - fastest.plain
    }
  }

  /// Compared with the same app without a recorder, alternating after a few actions, so that other
  /// load affects both.
  private static func paced<App: Reducer>(
    _ folder: BenchFolder, _ app: App, _ start: App.State,
    _ action: @escaping (Int) -> App.Action
  ) -> Work where App.State: Codable & Sendable, App.Action: Codable & Sendable {
    .measured {
      let (recorded, plain) = (Sent(app, start, folder), Sent(app, start, nil))
      var times: (recorded: [Double], plain: [Double]) = ([], [])
      func secondsToSend(_ number: Int, to store: Store<App.State, App.Action>) -> Double {
        usleep(1_000)
        let action = action(number)
        let watch = Stopwatch()
        store.send(action)
        return watch.seconds
      }
      for block in 0..<40 {
        let numbers = block * 25..<(block + 1) * 25
        times.recorded += numbers.map { secondsToSend($0, to: recorded.store) }
        times.plain += numbers.map { secondsToSend($0, to: plain.store) }
      }
      recorded.recorder?.finish()
      return median(times.recorded) - median(times.plain)
    }
  }

  private struct Sent<State: Codable & Sendable, Action: Codable & Sendable> {
    let store: Store<State, Action>
    var recorder: StoreRecorder<State, Action>?

    init(
      _ app: some Reducer<State, Action>, _ start: State, _ folder: BenchFolder?,
      isWriteAhead: Bool = false
    ) {
      var options = RecordingOptions()
      options.isWriteAhead = isWriteAhead
      options.report = { _ in }
      let recorder = folder.map {
        StoreRecorder<State, Action>(to: $0("count.retcon"), options: options)
      }
      self.recorder = recorder
      store = Store(initialState: start, hooks: recorder) {
        app
      } withDependencies: {
        if let recorder { $0.prices.putOnTape(recorder.tape) }
      }
    }

    func secondsToSend(
      _ count: Int, _ action: (Int) -> Action
    ) -> (all: Double, ofThread: Double) {
      let (watch, ofThread) = (Stopwatch(), ThreadWatch())
      for number in 0..<count { store.send(action(number)) }
      let times = (watch.seconds / Double(count), ofThread.seconds / Double(count))
      recorder?.finish()
      return times
    }
  }

  private static func writeAhead(_ folder: BenchFolder) throws -> Double {
    Sent(Mail(), Mail.State(), folder, isWriteAhead: true)
      .secondsToSend(2_000, Mail.Action.answered).all
  }

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
