import ComposableArchitecture
import Platform
import SessionLog
import Testing

@testable import ComposableRecording

@Suite("The end of a run") struct RunEndTests {
  private struct Failure: Error {}

  @Test(
    "Is told on the thread of the store, so it does not fall into one of its turns",
    arguments: [false, true])
  @MainActor func thread(throwing: Bool) async {
    let told = ToldThreads()
    let run = ObservedEffects(AdapterRecorder(told)).begin("run", #fileID, #line)
    let body = Task.detached {
      let send = await Send<Int>(send: { _ in })
      try await run.perform(send, { _ in if throwing { throw Failure() } }, nil)
    }
    _ = await body.result
    #expect(told.threads.withLock { $0 } == [ThreadID.current])
  }
}

private final class ToldThreads: EffectRecorder {
  let threads = Locked<[UInt]>([])

  func effectChanged(_: Int, _: EffectEvent.Kind, fromOutside _: Bool) {
    threads.withLock { $0.append(ThreadID.current) }
  }

  func effect<Result>(
    isolation _: isolated (any Actor)?, _: Int, body: () async throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}
