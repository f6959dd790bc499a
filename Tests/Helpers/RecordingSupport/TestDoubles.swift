import HostProtocol
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// A recording in memory leaves these to their defaults.
extension Recording {
  package var isScanned: Bool { true }

  package func findEffects() async throws {}

  package func patch(at step: Int) throws -> Value? { nil }

  package func outsideReads() throws -> [OutsideRead] { [] }

  package func assumptions() throws -> AssumptionIndex { AssumptionIndex() }

  package func refresh() throws -> RecordingChange? { nil }

  package func header() throws -> SessionHeader {
    var header = SessionHeader(
      app: summary.app.map { SessionHeader.App($0) },
      state: try state(after: summary.steps.lowerBound), firstStep: summary.steps.lowerBound)
    header.firstTime = try step(summary.steps.lowerBound).time
    return header
  }

  package func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction
  ) throws -> SessionTrimmer.Written {
    throw Trouble("only a session file can be trimmed", place: summary.name)
  }
}

/// A host that only runs forks leaves these to their defaults.
extension BranchHost {
  package var build: Int { 0 }
  package func verdict(on check: ValueCheck) async throws -> ValueVerdict { .unknown }
  package func exampleActions() async throws -> [Value] { [] }
  package func restart() {}
  package func another() async -> any BranchHost { self }
  package func runLive(_ request: LiveRequest) async throws -> LiveRun {
    throw Trouble("\(name) makes no real requests")
  }
  package func revive() async {}
  package func source(
    of branch: BranchPath, _ steps: ClosedRange<Int>, unfinished: Value?
  ) async throws -> StepSource {
    throw Trouble("\(name) writes no source")
  }
}
