import ComposableArchitecture
import ComposableRecording
import Platform
import Replay
import SessionLog
import TestSupport
import Testing

@Suite("What sent an action of the Composable Architecture", .serialized)
struct CausesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @MainActor private func record(_ actions: [Causes.Action]) async throws -> SessionReader {
    let recorder = SessionRecorder<Causes.State, Causes.Action>(
      to: folder("causes.retcon"), knowsCauses: true)
    let store = Store(initialState: Causes.State()) { Causes().recorded(by: recorder) }
    var waiting: [StoreTask] = []
    for action in actions {
      let task = store.send(action)
      waiting.append(task)
      if [.wait, .waitInside, .open].contains(action) {
        while !CancelIDs.contains(Causes.CancelID.wait) { await Task.yield() }
      } else {
        await task.finish()
      }
    }
    for task in waiting { await task.finish() }
    #expect(recorder.finish().isComplete)
    return try SessionReader(path: folder("causes.retcon"))
  }

  /// Each step and its cause, and whether the session comes out the same again.
  private func told(_ actions: Causes.Action...) async throws -> [String] {
    let session = try await record(actions)
    let report = try await ReplaySetup(Hosted(Causes())).verify(session)
    if !report.isEqual { Issue.record("\(report.text(title: "causes"))") }
    let names = try session.effectEvents(in: session.steps).reduce(into: [EffectID: String]()) {
      if case .started(let origin) = $1.kind { $0[$1.effect] = origin.name ?? "publisher" }
    }
    return try session.steps.dropFirst().map { number in
      let step = try session.step(number)
      return switch step.cause {
      case .user, .outside, .unknown: "\(number) \(step.label)"
      case .effect(let effect): "\(number) \(step.label) ← \(names[effect] ?? "?")"
      case .output(let sender): "\(number) \(step.label) ← \(sender)"
      }
    }
  }

  @Test("what a reducer sends while an effect's action is reduced, the reducer sent")
  func delegates() async throws {
    #expect(
      try await told(.load) == ["1 load", "2 loaded ← load", "3 delegate ← 2", "4 heard ← 3"])
    let merged = try await told(.both)
    #expect(
      Set(merged).isSuperset(of: ["1 both", "2 loaded ← 1", "3 delegate ← 2", "4 heard ← 3"]))
    #expect(merged.contains("5 one ← both"))
    #expect(merged.contains("6 after ← 5"))
    #expect(merged.contains { $0.hasSuffix("after ← after one") })
    #expect(merged.contains { $0.hasSuffix("other ← both") })
  }

  @Test("what is behind a run in a chain is sent when the run is over")
  func chains() async throws {
    #expect(
      try await told(.chain, .load) == [
        "1 chain", "2 chained ← chain", "3 last ← 1", "4 last ← 1", "5 end ← end", "6 load",
        "7 loaded ← load", "8 delegate ← 7", "9 heard ← 8",
      ])
    let group = try await told(.group)
    #expect(group.prefix(2) == ["1 group", "2 piped ← 1"])
    #expect(Set(group[2...3].map { $0.dropFirst(2) }) == ["first ← first", "second ← second"])
    #expect(group[4...] == ["5 done ← 1", "6 delegate ← 1", "7 heard ← 6"])
  }

  @Test("a publisher is an effect")
  func publishers() async throws {
    #expect(
      try await told(.combine) == [
        "1 combine", "2 combined ← publisher", "3 end ← combined",
      ])
    #expect(
      try await told(.stream, .load) == [
        "1 stream", "2 delegate ← publisher", "3 heard ← 2", "4 load", "5 loaded ← load",
        "6 delegate ← 5", "7 heard ← 6",
      ])
  }

  @Test("a publisher may come before what the reducer sends beside it, or after")
  func publishersBesideSends() async throws {
    #expect(
      try await told(.mixed, .stop) == [
        "1 mixed", "2 stream ← publisher", "3 loaded ← 1", "4 delegate ← publisher",
        "5 delegate ← 3", "6 heard ← 4", "7 heard ← 5", "8 stop",
      ])
    #expect(
      try await told(.mixedLast).dropFirst() == [
        "2 loaded ← 1", "3 chained ← publisher", "4 last ← 1", "5 delegate ← 2", "6 heard ← 5",
      ])
    let open = try await told(.open, .stop)
    #expect(open.prefix(3) == ["1 open", "2 combined ← publisher", "3 done ← 1"])
    #expect(open.contains { $0.hasSuffix("first ← 1") })
  }

  @Test("a chain that is cancelled sends what it sent then")
  func cancelledChains() async throws {
    #expect(
      try await told(.wait, .stop, .stream) == [
        "1 wait", "2 stop", "3 stream", "4 delegate ← publisher", "5 heard ← 4",
      ])
    #expect(try await told(.waitInside, .stop) == ["1 waitInside", "2 stop", "3 last ← 1"])
  }

  @Test("a child is dismissed by the effect that asked for it")
  func dismissal() async throws {
    let recorder = SessionRecorder<Causes.State, Causes.Action>(
      to: folder("child.retcon"), knowsCauses: true)
    let store = await Store(initialState: Causes.State()) { Causes().recorded(by: recorder) }
    await store.send(.child)
    await store.send(.leave).finish()
    #expect(recorder.finish().isComplete)
    let session = try SessionReader(path: folder("child.retcon"))
    let causes = try session.steps.dropFirst().map { try session.step($0).cause }
    #expect(causes == [.user, .user, .effect(1), .output(of: 3)])
    #expect(try await ReplaySetup(Hosted(Causes())).verify(session).isEqual)
  }

  @Test("sessions that run again at the same time do not cancel each other's effects")
  func sideBySide() async throws {
    let actions: [Causes.Action] = [.wait, .load, .stop, .wait, .both, .stop]
    let session = try await record(Array(repeating: actions, count: 10).flatMap(\.self))
    let problems = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 1...6 {
        group.addTask {
          let report = try await ReplaySetup(Hosted(Causes())).verify(session)
          return report.isEqual ? nil : report.text(title: "causes")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(problems == Array(repeating: nil, count: 6))
  }
}
