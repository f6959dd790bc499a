import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

extension OpenSession {
  package func firstStep(
    where question: StepQuestion, in steps: ClosedRange<Int>, of branch: BranchID
  ) async throws -> Int? {
    var first: Int?
    try await find(question, in: steps, of: branch) { step in
      first = step
      return false
    }
    return first
  }

  /// Runs the branch again on the host, and returns what a search tries scripts with. The goal must
  /// happen at `last`; a search for orders passes false for `happens`, and it must not.
  package func search(
    _ goal: Goal, of branch: BranchID, upTo last: Int, happens: Bool = true,
    on hosts: [any BranchHost], place: String
  ) async throws -> HostTrials {
    let first = try await firstKnownStep()
    guard first < last || first == summary.steps.lowerBound else {
      throw Trouble(
        "no state before step \(first) is known, so nothing can run again up to \(place)",
        next: "Ask about a step behind it")
    }
    var search = try HostTrials(
      SearchedSession(self, branch: branch, from: first, upTo: last, happens: happens), goal,
      on: hosts)
    guard try await search.baseVerdict().happens == happens else {
      throw happens
        ? Trouble(
          "it happens at \(place), but not in the re-run",
          next: "retcon verify shows where today's reducer differs from the recording")
        : Trouble("it already happens in the session", next: "Ask retcon why or retcon minimize")
    }
    search.base.runsReducerAlone = hosts[0].runsReducerAlone
    return search
  }
}

extension OpenSession {
  fileprivate func hasRedacted(
    _ entries: [SearchedSession.Entry], from first: Int
  ) throws -> Bool {
    let summary = summary
    guard summary.isRedacted else { return false }
    return try summary.isRedacted(in: recording.state(after: first))
      || entries.contains { entry in
        ([entry.step.action] + entry.values.map(\.value)).contains(where: summary.isRedacted(in:))
      }
  }
}

/// The branch where a search starts, up to the goal: who sent what, and which user action caused
/// it.
package struct SearchedSession: Sendable {
  package struct Entry: Sendable {
    package var step: Step
    /// The user action that caused it; nil if unknown or not among these steps.
    package var root: Int?
    /// Whether a reducer sent it directly: it is recomputed, and cannot be left out.
    package var isOutput: Bool

    /// The values that its reducer read, each with its place among the reads of its key.
    var values: [(key: String, index: Int, value: Value)] {
      Dictionary(grouping: step.reads, by: \.key).sorted { $0.key < $1.key }.flatMap { key, reads in
        reads.enumerated().compactMap { index, read in
          if case .value(let value) = read.outcome { (key, index, value) } else { nil }
        }
      }
    }
  }

  package let open: OpenSession
  package let branch: BranchID
  package let first: Int
  package private(set) var last: Int
  /// The kind of action that breaks it: at another one, it is another failure.
  let failing: String?
  package let entries: [Entry]
  let origins: [EffectID: EffectOrigin]
  let effectNames: [EffectID: String]
  let knowsCauses: Bool
  let touches = Locked<[Int: [Pointer]]??>(nil)
  /// The unchanged session has this verdict, with all that it assumes.
  package private(set) var verdict: Verdict
  /// Whether values that the reducer gets are redacted, so that all of its results are guesses.
  private let isRedacted: Bool
  /// Whether what the app would send in a fork is unknown, so that nothing is certain.
  var runsReducerAlone = false {
    didSet { verdict = checked(verdict) }
  }

  package init(
    _ open: OpenSession, branch: BranchID = .main, from known: Int? = nil, upTo last: Int,
    happens: Bool = true
  ) throws {
    self.open = open
    self.branch = branch
    self.last = last
    first = known ?? open.branch(branch)?.steps.lowerBound ?? 0
    knowsCauses = open.summary.knowsCauses
    var origins: [EffectID: EffectOrigin] = [:]
    var names: [EffectID: String] = [:]
    for start in stride(from: first, through: last, by: Self.effectsAtOnce) {
      for span in try open.effects(
        in: start...min(last, start + Self.effectsAtOnce - 1), of: branch)
      {
        origins[span.number] = span.origin
        names[span.number] = span.name
      }
    }
    effectNames = names
    self.origins = origins
    var roots: [Int: Int] = [:]
    // The first action of an effect that was called from outside replaces the call.
    var calls: [EffectID: Int] = [:]
    var entries: [Entry] = []
    var verdict = Verdict(happens ? .happens : .doesNot, step: last)
    for number in stride(from: first + 1, through: last, by: 1) {
      let told = try open.step(at: Position(branch: branch, step: number))
      let step = told.step
      let standing = told.standing
      verdict.limitTrust(
        to: Verdict(.happens, values: standing.values, assumptions: standing.assumptions))
      var isOutput = false
      switch step.cause {
      case .user, .outside, .unknown: roots[number] = number
      case .output(let sender):
        isOutput = true
        roots[number] = roots[sender]
      case .effect(let effect) where origins[effect]?.isFromOutside == true:
        calls[effect] = calls[effect] ?? number
        roots[number] = calls[effect]
      case .effect(let effect): roots[number] = origins[effect].flatMap { roots[$0.step] }
      }
      entries.append(Entry(step: step, root: roots[number], isOutput: isOutput))
    }
    self.entries = entries
    failing = happens ? entries.last?.step.label : nil
    isRedacted = try open.hasRedacted(entries, from: first)
    self.verdict = verdict
    self.verdict = checked(verdict)
  }

  /// Says which steps are not searched; nil if all are.
  package var remark: String? { OpenSession.remark(from: first, in: open.summary.steps) }

  /// The same with the steps after it; nil if it ends its branch.
  var whole: SearchedSession? {
    guard let end = open.branch(branch)?.steps.upperBound, end > last else { return nil }
    var whole = self
    whole.last = end
    return whole
  }

  /// Redacted values make a verdict a guess, because the real values may decide otherwise.
  func checked(_ verdict: Verdict) -> Verdict {
    var verdict = verdict
    if isRedacted {
      let words = "the session has redacted values"
      verdict.limitTrust(
        to: Verdict(
          .happens, values: .assumed,
          assumptions: [Assumption(.stale, .state(pointer: []), from: first, words)]))
    }
    if runsReducerAlone { verdict.limitTrust(to: Verdict(.happens, values: .assumed)) }
    return verdict
  }

  /// An effect table answers for a thousand at a time.
  private static let effectsAtOnce = 256

  package subscript(step: Int) -> Entry? {
    entries.indices.contains(step - first - 1) ? entries[step - first - 1] : nil
  }

  func label(of step: Int) -> String {
    self[step]?.step.label ?? impossible("a search names steps of its session", "")
  }

  package var userSteps: [Int] {
    entries.filter { $0.root == $0.step.number && !$0.step.isSkipped }.map(\.step.number)
  }

  /// A fork with only these user actions. Answers come and go with the action that started their
  /// effect.
  package func script(keeping kept: Set<Int>, _ changes: [Edit] = []) -> Script {
    var edits: [Edit] = []
    for entry in entries {
      guard !entry.isOutput, let root = entry.root, !kept.contains(root) else { continue }
      edits.append(.skip(step: entry.step.number))
    }
    return script(
      edits
        + changes.filter { change in
          change.step.flatMap { self[$0]?.root }.map(kept.contains) ?? true
        })
  }

  package func script(_ edits: [Edit]) -> Script {
    let leavesAt = edits.compactMap(\.leavesAt).min() ?? last
    return Script(parent: branch, leavesAt: min(leavesAt, last), edits: edits)
  }

  /// The same without the steps after the goal: the result of a search.
  package func cut(_ script: Script) throws -> Script {
    var cut = script
    cut.edits += try tail()
    return cut
  }

  func tail() throws -> [Edit] {
    let end = open.branch(branch)?.steps.upperBound ?? last
    return try stride(from: last + 1, through: end, by: 1).compactMap { number in
      let step = try open.step(at: Position(branch: branch, step: number)).step
      if case .output = step.cause { return nil }
      return .skip(step: number)
    }
  }
}
