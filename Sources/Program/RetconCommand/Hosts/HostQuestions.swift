import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

/// Asks a host about a session of its app. Its answers must be consistent, whatever the reducer
/// does.
struct HostQuestions: Sendable {
  private let host: HostConnection
  private let session: HostedSession
  private let steps: ClosedRange<Int>
  private let middle: Int
  /// Whether forks may leave more out, or add, than their edit says.
  private let hasEffects: Bool

  init(_ host: HostConnection, _ session: HostedSession, hasEffects: Bool = false) throws {
    (self.host, self.hasEffects) = (host, hasEffects)
    self.session = session
    steps = session.reader.steps
    guard steps.count > 3 else {
      throw UsageError(
        what: "\(session.reader.path) has \(counted(steps.count - 1, "step")), and a check needs 3",
        next: "Name a longer session")
    }
    let middle = (steps.lowerBound + steps.upperBound) / 2
    // A step inside a turn comes with its turn.
    self.middle =
      try (middle..<steps.upperBound).first { step in
        try [step, step + 1].allSatisfy {
          if case .output = try session.reader.step($0).cause { false } else { true }
        }
      } ?? middle
  }

  var all: [(words: String, ask: @Sendable () async throws -> Void)] {
    [
      ("loads the session and counts its steps", loads),
      ("runs every step, with patches that lead to its states", runsAll),
      ("tells only the steps that are asked for", runsSome),
      ("leaves a step out", skips),
      ("puts a step in", inserts),
      ("puts another action in the place of one", replaces),
      ("moves a step", moves),
      ("sets the state by hand", sets),
      ("steps freely", stepsFreely),
      ("forks a fork", forksFork),
      ("refuses steps that do not exist, and goes on", refuses),
      ("verifies, or says that it does not", verifies),
    ] + (hasEffects ? [("starts the effects of a fork alike, each time", startsAlike)] : [])
  }

  // MARK: The recording

  private func loads() async throws {
    let report = try await host.load(session.path, as: session.reader)
    try check(report.grade != .impossible, report.sentence ?? "it cannot run the session")
  }

  private func runsAll() async throws {
    let first = steps.lowerBound
    let (told, report) = try await host.steps(of: .main, from: first + 1)
    if let stop = report.ending {
      throw HostPipes.End("the run ends at step \(stop.step): \(stop.reason)")
    }
    try check(report.lastStep == steps.upperBound, "the last step is \(report.lastStep)")
    let start = try await host.state(of: .main, after: first)
    var state = try SessionRecording(session.reader).state(after: first) ?? start
    for step in told {
      let number = step.step.number
      let recorded = try session.reader.step(number)
      try check(
        step.step.label == recorded.label && step.step.action.isExactlyEqual(to: recorded.action),
        "the action of step \(number) is not the recorded one")
      try check(step.descendsFrom == number, "step \(number) does not descend from itself")
      guard let patch = step.patch else {
        throw HostPipes.End("step \(number) has no patch")
      }
      state = try Patch(patch).applied(to: state)
      guard number == middle || number == steps.upperBound || number == first + 1 else { continue }
      let own = try await host.state(of: .main, after: number)
      try check(
        own.isExactlyEqual(to: state),
        "the state after step \(number) is not what the patches lead to")
    }
  }

  private func runsSome() async throws {
    let (told, _) = try await host.steps(of: .main, from: middle)
    try check(told.first?.step.number == middle, "the first step told is not \(middle)")
    let report = try await host.run(
      RunRequest(branch: .main, from: steps.lowerBound + 1, until: middle))
    try check(
      report.lastStep == middle, "told to stop at \(middle), it stopped at \(report.lastStep)")
    let silent = try await host.run(RunRequest(branch: .main, from: nil))
    try check(
      silent.lastStep == steps.upperBound, "told to send no steps, it stopped at \(silent.lastStep)"
    )
  }

  private func verifies() async throws {
    do throws(HostFailure) {
      let report = try await host.verify()
      let count = session.reader.stepCount
      guard report.isEqual, report.steps != count else { return }
      throw HostFailure.misspoke("\(report.steps) steps verified of \(count)")
    } catch {
      guard case .refused(let refusal) = error, refusal.kind == .unknownRequest else {
        throw error
      }
    }
  }

  // MARK: Forks

  private func skips() async throws {
    let (_, report) = try await run(fork([.skip(step: middle)]), like: rest(middle + 1))
    try check(
      report.leftOut.contains { $0.recordedStep == middle && $0.reason == .skipped },
      "the step that is left out is not named in `leftOut`")
  }

  private func inserts() async throws {
    let recorded = try session.reader.step(middle)
    let edit = Edit.insert(after: middle, action: recorded.action)
    let (told, _) = try await run(fork([edit]), like: [middle, nil] + rest(middle + 1))
    guard told.count > 1 else { throw HostPipes.End("the step is not there") }
    try check(
      told[1].step.action.isExactlyEqual(to: recorded.action), "the action is another one")
    // Where the reducer runs alone, what the step leads to is a guess.
    try check(
      [Standing(.edited, .new), Standing(.assumed, .new)].contains(told[1].standing),
      "an inserted step is edited or assumed, and new, not \(told[1].standing)")
  }

  private func replaces() async throws {
    let recorded = try session.reader.step(middle)
    let edit = Edit.replace(step: middle, action: recorded.action)
    let branch = fork([edit])
    let (told, _) = try await run(branch, like: rest(middle))
    try check(
      [.edited, .assumed].contains(told.first?.standing.values),
      "the step does not say that it was edited")
    guard !recorded.isSkipped else { return }
    let own = try await host.state(of: branch, after: middle)
    try check(
      own.isExactlyEqual(to: try await host.state(of: .main, after: middle)),
      "with the recorded action in its own place, the state is another one")
  }

  private func moves() async throws {
    let edit = Edit.move(step: middle, after: middle + 1)
    _ = try await run(fork([edit]), like: [middle + 1, middle] + rest(middle + 2))
  }

  private func sets() async throws {
    let state = try await host.state(of: .main, after: steps.lowerBound)
    let branch = fork([.set(step: middle - 1, pointer: [], value: state)])
    _ = try await run(branch, like: [nil] + rest(middle))
    let own = try await host.state(of: branch, after: middle)
    try check(own.isExactlyEqual(to: state), "the state after it is not the one that was set")
  }

  private func stepsFreely() async throws {
    let action = try session.reader.step(middle).action
    let script = Script(
      leavesAt: middle, rest: .nothing, edits: [.insert(after: middle, action: action)])
    _ = try await run(BranchPath("free", script), from: middle + 1, like: [nil])
  }

  private func forksFork() async throws {
    var branch = fork([.skip(step: middle)])
    let inner = Script(parent: "check", leavesAt: middle - 1, edits: [.skip(step: middle)])
    branch.branches.append(NamedScript(id: "inner", script: inner))
    _ = try await run(branch, like: Array(rest(middle + 1).dropLast()))
  }

  private func startsAlike() async throws {
    for step in steps.dropFirst().prefix(32) {
      let branch = BranchPath("check", Script(leavesAt: step - 1, edits: [.skip(step: step)]))
      let first = try await host.steps(of: branch, from: step).told
      host.restart()
      let second = try await host.steps(of: branch, from: step).told
      try check(
        first == second, "the fork that skips step \(step) is another one when it runs again")
    }
  }

  private func refuses() async throws {
    let beyond = steps.upperBound + 1
    try await refused("the state after step \(beyond)") {
      _ = try await host.state(of: .main, after: beyond)
    }
    try await refused("a fork that skips step \(beyond)") {
      _ = try await host.steps(of: fork([.skip(step: beyond)]), from: middle)
    }
    _ = try await host.state(of: .main, after: middle)
  }

  // MARK: Helping

  private func fork(_ edits: [Edit]) -> BranchPath {
    BranchPath("check", Script(leavesAt: middle - 1, edits: edits))
  }

  /// The recorded steps from one on, from which those of a run descend.
  private func rest(_ step: Int) -> [Int?] { Array(step..<steps.upperBound + 1) }

  /// Runs a branch, and checks from which steps its own descend.
  private func run(
    _ branch: BranchPath, from step: Int? = nil, like descents: [Int?]
  ) async throws -> (told: [BranchStep], report: BranchReport) {
    let (told, report) = try await host.steps(of: branch, from: step ?? middle)
    // A fork may end the reducer, or rejoin its parent.
    let isWhole = report.ending == nil && report.rejoining == nil && !hasEffects
    let found = told.map(\.descendsFrom)
    try check(
      isWhole
        ? found == descents
        : hasEffects ? Set(found).isSubset(of: descents + [nil]) : descents.starts(with: found),
      "its \(found.count) steps name wrong steps of the recording (descendsFrom)")
    return (told, report)
  }

  private func refused(_ words: String, _ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let failure as HostFailure {
      guard case .refused(let refusal) = failure else { throw failure }
      try check(
        refusal.kind == .noSuchStep, "\(words) is refused as `\(refusal.kind.rawValue)`")
      return
    }
    throw HostPipes.End("\(words) is not refused")
  }
}
