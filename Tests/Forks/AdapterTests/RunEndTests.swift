import ComposableArchitecture
import Platform
import SessionLog
import Testing

@testable import ComposableRecording

@Suite("The end of a run") struct RunEndTests {
  private struct Failure: Error {}

  @Test("Is told between the turns of the store", arguments: [false, true])
  func turn(throwing: Bool) async {
    let ends = ToldEnds()
    let run = ObservedEffects(AdapterRecorder(ends)).begin("run", #fileID, #line)
    let send = await Send<Int>(send: { _ in })
    let body = Task.detached {
      try await run.perform(send, { _ in if throwing { throw Failure() } }, nil)
    }
    _ = await body.result
    #expect(ends.count.withLock(\.self) == 1)
  }
}

private final class ToldEnds: EffectRecorder {
  let count = Locked(0)

  func effectChanged(_: EffectID, _: EffectEvent.Kind, fromOutside _: Bool) {
    // The turns are on the main actor. Only the runtime can tell, and it ends the tests if not.
    MainActor.preconditionIsolated()
    count.withLock { $0 += 1 }
  }

  func effect<Result>(
    isolation _: isolated (any Actor)?, _: EffectID, body: () async throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}
