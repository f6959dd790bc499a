import Platform
import SessionFile
import StoreCore
import StoreRecording
import TestSupport
import Testing

@testable import Live
@testable import Recorder
@testable import Sockets

@Suite("listen: a recorder in Swift")
struct StreamTests {
  private struct Counter: Reducer {
    struct State: Codable, Sendable, Equatable { var n = 0 }
    enum Action: Codable, Sendable, Equatable { case up }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.n += 1
      return .none
    }
  }

  private func store(
    _ destination: RecordingDestination, _ told: Told? = nil
  ) -> (Store<Counter.State, Counter.Action>, StoreRecorder<Counter.State, Counter.Action>) {
    var options = RecordingOptions(app: .init("Phone"))
    options.report = { told?.add($0.sentence) }
    let recorder = StoreRecorder<Counter.State, Counter.Action>(to: destination, options: options)
    let store = Store(initialState: Counter.State(), hooks: recorder) { Counter() }
    return (store, recorder)
  }

  @Test func aStoreStreamsIntoTheTerminal() throws {
    let support = try ListenSupport()
    let destination = RecordingDestination.debugger("127.0.0.1", port: support.port)
    let (store, recorder) = store(destination)
    for _ in 1...2_000 { store.send(.up) }
    recorder.finish()
    let reader = try support.session()
    #expect(reader.header.app?.name == "Phone" && reader.stepCount == 2_000)
    #expect(try reader.state(after: 2_000) == ["n": 2_000])
    #expect(access(destination.path, F_OK) != 0)
  }

  @Test func whatWasRecordedBeforeTheTerminalListensArrives() throws {
    // A port that is free, and then taken again.
    let free = try ListenSupport()
    free.listener.end()
    let (store, recorder) = store(.debugger("127.0.0.1", port: free.port))
    for _ in 1...10 { store.send(.up) }
    let support = try ListenSupport()
    try support.wait {
      (try? support.listener.open(host: "127.0.0.1", port: free.port)) != nil
    }
    store.send(.up)
    try support.wait { support.recorder.summaries.first?.steps == 11 }
    recorder.finish()
    #expect(try support.session().state(after: 11) == ["n": 11])
  }

  @Test func aConnectionOutsideThisMachineSaysThatItIsNotEncrypted() {
    let told = Told()
    let (store, recorder) = store(.debugger("127.0.0.2", port: 1, code: "k7md2xq9"), told)
    store.send(.up)
    recorder.finish()
    #expect(told.all.first?.contains("goes to 127.0.0.2:1, and is not encrypted") == true)
  }

  /// A terminal that answers a recorder as `answers` says, and then leaves.
  private func terminal(_ answers: [Int]) throws -> ListeningSocket {
    let listening = try ListeningSocket(host: "127.0.0.1", port: 0)
    _ = try SystemThread.start {
      while let socket = listening.accept() {
        let connection = HTTPConnection(socket)
        guard let head = try? connection.head(until: .now + .seconds(20)),
          let webSocket = try? WebSocket.accept(head, on: connection)
        else { continue }
        for have in answers {
          guard (try? webSocket.receive(until: .now + .seconds(20))) != nil else { break }
          try? webSocket.send(#"{"have":\#(have)}"#)
        }
        webSocket.endNow()
      }
    }
    return listening
  }

  /// The terminal is absent, leaves before it has anything, or claims more than there is.
  @Test(arguments: [nil, [0], [1 << 50]] as [[Int]?])
  func whatIsNotAcknowledgedStaysInTheFile(_ answers: [Int]?) throws {
    let listening = try answers.map(terminal)
    defer { listening?.end() }
    let port = listening?.port ?? 1
    let (told, place) = (Told(), RecordingDestination.debugger("127.0.0.1", port: port))
    let (store, recorder) = store(place, told)
    defer { unlink(place.path) }
    for _ in 1...100 { store.send(.up) }
    let statistics = recorder.finish()
    let words = "is not all at 127.0.0.1:\(port); the whole of it stays in \(place.path)"
    #expect(told.all.count { $0.contains(words) } == 1, "\(told.all)")
    #expect(statistics.troubles.map(\.sentence) == [told.all.last] && statistics.isComplete)
    let reader = try SessionReader(path: place.path)
    #expect(try reader.isFinished && reader.state(after: 100) == ["n": 100])
  }
}
