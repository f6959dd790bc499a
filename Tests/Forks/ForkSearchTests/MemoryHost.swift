import HostProtocol
import Platform
import RecordingSupport
import SessionFile
import SessionWords
import StoreCore
import TestSupport
import TimeTravel
import ValueTree

@testable import ForkSearch
@testable import Replay

/// Runs forks with the real engine in the test's own process.
///
/// `@unchecked Sendable`: the engine is used inside the lock only.
final class MemoryHost: BranchHost, @unchecked Sendable {
  private let replay: SessionReplay
  /// The step that ends the process of such a host: this test's own would go with it.
  private let crashes: @Sendable (BranchStep) -> String?
  private let ending: Standing.Outcome
  private let lock = Lock()
  let name = "memory"

  init(
    _ reader: SessionReader, _ setup: any RunSetup,
    endsBy ending: Standing.Outcome = .crashed,
    crashes: @escaping @Sendable (BranchStep) -> String? = { _ in nil }
  ) throws {
    self.ending = ending
    replay = try SessionReplay(reader, setup)
    self.crashes = crashes
  }

  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try lock.withLock {
      var crash: (step: Int, words: String)?
      var report = try replay.run(branch.branches.map(\.script), from: step) {
        told in
        guard crash == nil else { return }
        if let words = self.crashes(told) {
          crash = (told.step.number, words)
        } else {
          onStep(told)
        }
      }
      if let crash {
        report.rejoining = nil
        report.lastStep = crash.step - 1
        report.ending = .init(crash.step, ending, crash.words)
      }
      return report
    }
  }

  func state(of branch: BranchPath, after step: Int) async throws -> Value {
    try lock.withLock { try replay.state(of: branch.branches.map(\.script), after: step) }
  }
}
