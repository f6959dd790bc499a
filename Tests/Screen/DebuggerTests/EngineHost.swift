import HostProtocol
import Platform
import Recorder
import RecordingSupport
import Samples
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

@testable import Replay

/// Runs forks of a sample's session with the real engine, in the test's own process.
///
/// `@unchecked Sendable`: the engine is used inside the lock only.
final class EngineHost<Played: Sample>: BranchHost, @unchecked Sendable {
  private let replay: SessionReplay
  private let lock = Lock()
  var name: String { Played.title }

  init(_ reader: SessionReader, onTape: Bool = false) throws {
    var setup = ReplaySetup(Played.app()) { Played.putDependenciesOnTape(&$0, Tape()) }
    setup.runsEffectsOnTape = onTape
    replay = try SessionReplay(reader, setup)
  }

  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try lock.withLock {
      try replay.run(branch.branches.map(\.script), from: step, onStep: onStep)
    }
  }

  func state(of branch: BranchPath, after step: Int) async throws -> Value {
    try lock.withLock { try replay.state(of: branch.branches.map(\.script), after: step) }
  }

  func verify() throws -> VerifyReport { try lock.withLock { try replay.verify(.all) } }

  /// The steps of a branch when the reducer runs every step and takes none from the parent.
  func truth(of scripts: [Script]) throws -> Truth {
    try lock.withLock {
      let source = try replay.source(for: scripts, RunControl())
      return Truth(
        steps: try source.steps.map { try source.step($0) },
        states: try source.steps.map { try source.state(after: $0) },
        effects: EffectTable(try source.effectEvents(in: source.steps)))
    }
  }
}

/// A branch from its first step on, numbered from 0.
struct Truth {
  var steps: [Step]
  var states: [Value?]
  var effects: EffectTable
}
