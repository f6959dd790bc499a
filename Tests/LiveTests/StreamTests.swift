import Platform
import SessionFile
import StoreCore
import StoreRecording
import TestSupport
import Testing

@testable import Live
@testable import Recorder

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
}
