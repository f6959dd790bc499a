import ComposableArchitecture
import Platform
import SessionLog
import Testing

@testable import ComposableRecording

@Suite("The end of a run") struct RunEndTests {
  private struct Failure: Error {}

  // The main actor is no thread on Linux, so this occupies it for a turn.
  @Test("Is told after the turn of the store in which it falls", arguments: [false, true])
  @MainActor func turn(throwing: Bool) async {
    let ends = ToldEnds()
    let run = ObservedEffects(AdapterRecorder(ends)).begin("run", #fileID, #line)
    let send = Send<Int>(send: { _ in })
    let isOver = Locked(false)
    let body = Task.detached {
      try await run.perform(
        send,
        { _ in
          isOver.withLock { $0 = true }
          if throwing { throw Failure() }
        }, nil)
    }
    while !isOver.withLock(\.self) { sched_yield() }
    for _ in 0..<10_000 { sched_yield() }
    #expect(ends.count.withLock(\.self) == 0)
    _ = await body.result
    #expect(ends.count.withLock(\.self) == 1)
  }
}

private final class ToldEnds: EffectRecorder {
  let count = Locked(0)

  func effectChanged(_: Int, _: EffectEvent.Kind, fromOutside _: Bool) {
    count.withLock { $0 += 1 }
  }

  func effect<Result>(
    isolation _: isolated (any Actor)?, _: Int, body: () async throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}
