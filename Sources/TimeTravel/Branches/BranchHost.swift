import HostProtocol
import SessionWords
import ValueTree

/// What forks need of the process that holds the user's reducer.
package protocol BranchHost: Sendable {
  /// The name to show.
  var name: String { get }
  /// Runs a branch and tells its own steps, in order, as they are done. Returns when the branch
  /// has ended, however it did; stops early when the task is cancelled.
  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport
  /// The state after a step of a branch.
  func state(after step: Int, of branch: BranchPath) async throws -> Value
  /// Steps of a branch as source for a test.
  func source(of steps: ClosedRange<Int>, on branch: BranchPath) async throws -> StepSource
  /// Whether the types of the app can hold a value; nothing runs.
  func verdict(on check: ValueCheck) async throws -> ValueVerdict
  /// An action of each kind that the app has.
  func exampleActions() async throws -> [Value]
  /// Runs an effect of a branch for real, or asks only what it waits for.
  func runLive(_ request: LiveRequest) async throws -> LiveRun
  /// Another number is another build of it.
  var build: Int { get }
  /// Ends the host and starts it again.
  func startAgain() async
  /// Starts the host again where it has ended, so that nobody has to wait for it later.
  func revive() async
}

extension BranchHost {
  package var build: Int { 0 }
  package func verdict(on check: ValueCheck) async throws -> ValueVerdict { .unknown }
  package func exampleActions() async throws -> [Value] { [] }
  package func startAgain() async {}
  package func runLive(_ request: LiveRequest) async throws -> LiveRun {
    throw Trouble("\(name) asks nothing for real")
  }
  package func revive() async {}
  package func source(
    of steps: ClosedRange<Int>, on branch: BranchPath
  ) async throws -> StepSource {
    throw Trouble("\(name) writes no source")
  }
}

extension HostConnection: BranchHost {
  package func startAgain() async {
    restart()
    await revive()
  }

  package func revive() async {
    // Why it cannot be started is told by its status.
    _ = try? await start()
  }

  package func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try await run(RunRequest(branch: branch, tells: .steps(from: step)), onStep: onStep)
  }

  package func source(
    of steps: ClosedRange<Int>, on branch: BranchPath
  ) async throws -> StepSource {
    try await source(SourceRequest(branch: branch, steps: steps))
  }

  package func state(after step: Int, of branch: BranchPath) async throws -> Value {
    try await state(of: branch, after: step)
  }
}
