import Platform
import StoreCore
import Testing

/// Properties that hold for every effect while several threads use the store at once.
@Suite("Many threads at one store")
struct StressTests {
  /// Keeps the events of each effect.
  final class EffectTally: StoreHooks {
    typealias State = [String]
    typealias Action = String

    let events = Locked<[Int: [String]]>([:])

    func aroundReduce(
      _ action: String, in step: StoreStep, before: [String], reduce: () -> [String]
    ) {
      _ = reduce()
    }

    func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
      await body()
    }

    func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
      let word =
        switch change {
        case .started: "started"
        case .emitted: "emitted"
        case .finished, .failed: "ended"
        case .cancelled, .stopped: "cancelled"
        }
      events.withLock { $0[effect.number, default: []].append(word) }
    }
  }

  /// Starts work of several kinds, and cancels some of it.
  private static func effect(of action: String) -> Effect<String> {
    switch action.first {
    case "r":
      return .run { send in
        for word in ["x", "y"] {
          await Task.yield()
          await send(word)
        }
      }
      .cancellable(id: action, cancelInFlight: action.hasSuffix("1"))
    case "c": return .cancel(id: "r" + action.dropFirst())
    case "s": return .merge(.send("r" + action.dropFirst()), .send("x"))
    case "k":
      return .concatenate(.send("x"), .run { await $0("r" + action.dropFirst()) }, .send("y"))
    default: return .none
    }
  }

  @Test("every effect starts once, ends once, and says nothing before, between or after")
  func effects() async {
    let tally = EffectTally()
    let store = traceStore(hooks: tally) {
      $0.effectExecutor = nil
      $0.issueReporter = IssueReporter { _ in }
    } effects: {
      Self.effect(of: $0)
    }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<6 {
        group.addTask {
          let tasks = Locked<[StoreTask]>([])
          await ThreadProbe.ofNewThread {
            var random = SeededRandomNumberGenerator(seed: UInt64(sender))
            for _ in 0..<150 {
              let kind = ["r", "r", "s", "k", "c"].randomElement(using: &random) ?? "r"
              let task = store.send("\(kind)\(Int.random(in: 0..<4, using: &random))")
              if Int.random(in: 0..<4, using: &random) == 0 { task.cancel() }
              if Int.random(in: 0..<8, using: &random) == 0 { store.observe { _ in }.cancel() }
              tasks.withLock { $0.append(task) }
            }
          }
          for task in tasks.withLock({ $0 }) { await task.finish() }
        }
      }
    }
    let events = tally.events.withLock { $0 }
    #expect(events.count > 100)
    let wrong = events.filter { _, words in
      words.first != "started" || !["ended", "cancelled"].contains(words.last)
        || words.dropFirst().dropLast().contains { $0 != "emitted" }
    }
    #expect(wrong.isEmpty)
  }

  @Test("a store that is released while others use its tasks ends every effect")
  func release() async {
    let tally = EffectTally()
    let tasks: [StoreTask] = {
      let store = traceStore(hooks: tally) {
        $0.effectExecutor = nil
      } effects: { action in
        action == "go"
          ? .run { _ in while !Task.isCancelled { await Task.yield() } } : .none
      }
      return (0..<20).map { _ in store.send("go") }
    }()
    await withTaskGroup(of: Void.self) { group in
      for task in tasks {
        group.addTask {
          task.cancel()
          await task.finish()
        }
      }
    }
    let words = tally.events.withLock { $0 }
    #expect(words.count == 20)
    #expect(words.values.allSatisfy { $0 == ["started", "cancelled"] })
  }
}
