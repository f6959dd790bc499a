import Platform
import SessionFile
import SessionWords
import ValueTree

/// An open session: its steps, states and branches.
///
/// ```swift
/// let session = OpenSession(recording, host: host)
/// let moment = try await session.moment(at: Position(step: 4))
/// moment.difference?.changes.map(\.path.text)  // ["total"]
/// ```
///
/// Safe to use from any thread. Slow functions are asynchronous or bounded.
package final class OpenSession: Sendable {
  let known: Locked<RecordingSummary>
  package let recording: any Recording
  package let host: (any BranchHost)?
  let script: ReducerScript?
  /// Runs the functions that conditions name; nil without a way to run them.
  package let code: (any CodeHost)?
  let codeTracks = Locked<[CodeKey: [Int: CodeTrack]]>([:])
  /// Saves marks and forks; nil loses them at the end.
  let kept: SavedWork?
  let marksToRead: [Mark]
  let marksNotKept = Locked<[Position: UnkeptMark]>([:])
  let sidecarNotices: [String]
  let table: Locked<BranchTable>
  /// From which step on the host computes no states, and why: asking again would crash it again.
  let unreachable = Locked<(first: Int, reason: any Error)?>(nil)

  /// Recomputes the recording's states in the host, if they come from there.
  private let computeStates: (@Sendable () async throws -> Void)?

  /// The executor for long computations; nil uses Swift's pool.
  package let threads: (any TaskExecutor)?

  /// Without `keeping`, the sidecar is read but not changed.
  package init(
    _ recording: any Recording, host: (any BranchHost)? = nil, script: ReducerScript? = nil,
    code: (any CodeHost)? = nil, sidecar: Sidecar? = nil,
    threads: (any TaskExecutor)? = nil, keeping: Bool = true,
    computeStates: (@Sendable () async throws -> Void)? = nil
  ) {
    self.threads = threads
    self.computeStates = computeStates
    self.recording = recording
    self.host = host
    self.script = script
    self.code = code
    kept = keeping ? sidecar.map(SavedWork.init) : nil
    marksToRead = keeping ? [] : sidecar?.contents.marks ?? []
    var summary = recording.summary
    let table = BranchTable(
      main: Branch(.main, steps: summary.steps),
      saved: sidecar?.contents.branches ?? [])
    sidecarNotices = sidecar?.notices(on: table) ?? []
    summary.notices += sidecarNotices
    summary.isOfJavaScript = summary.isOfJavaScript || script != nil
    known = Locked(summary)
    self.table = Locked(table)
  }

  package var summary: RecordingSummary { known.withLock { $0 } }

  package var hostName: String? { host?.name }

  func host(
    or what: @autoclosure () -> String, place: String? = nil
  ) throws(Trouble) -> any BranchHost {
    guard let host else { throw Trouble(what(), place: place, next: Trouble.attachHint) }
    return host
  }

  /// Restarts the host, and forgets all runs, because it may be another build, unless it does not
  /// start. Returns the recording's changes if its states were recomputed.
  package func restartHost() async throws -> RecordingChange? {
    host?.restart()
    try await host?.revive()
    forgetRuns()
    guard let computeStates else { return nil }
    try await computeStates()
    return storeFacts(RecordingChange(change: .computed, summary: recording.summary))
  }

  private func storeFacts(_ news: RecordingChange) -> RecordingChange {
    var news = news
    news.summary.notices += sidecarNotices
    news.summary.isOfJavaScript = news.summary.isOfJavaScript || script != nil
    known.withLock { [summary = news.summary] in $0 = summary }
    return news
  }

  package func forgetRuns() {
    codeTracks.withLock { $0 = [:] }
    code?.restart()
    unreachable.withLock { $0 = nil }
    table.withLock { $0.forgetRuns() }
  }

  package func reviveHost() async {
    unreachable.withLock { $0 = nil }
    try? await host?.revive()
  }

  package var branches: [Branch] { table.withLock { $0.branches } }

  package func branch(_ id: BranchID) -> Branch? { table.withLock { $0[id] } }

  package func name(of id: BranchID) -> String { branches.name(of: id) }

  /// As commands take it: `813`, or `no coupon/813` on a fork.
  package func text(of position: Position) -> String { branches.text(of: position) }

  // MARK: Steps

  /// A step of a branch, with its standing, in the branch's numbers.
  package func step(at position: Position) throws -> BranchStep {
    let told = try ownStep(at: table.withLock { $0.owner(of: position) })
    if position.branch == .main { return told }
    return table.withLock { $0.numbered(told, at: position) }
  }

  func ownStep(at position: Position) throws -> BranchStep {
    let told = table.withLock { table in
      let steps = table.own[position.branch]
      return steps?[position.step].map { ($0, steps?.isWhole(position.step) == true) }
    }
    if let (own, isWhole) = told {
      var step = isWhole ? own : try whole(own, of: position.branch)
      step.standing = table.withLock { $0.standing(of: own, at: position) }
      return step
    }
    guard position.branch == .main else {
      throw Trouble(
        "step \(position.step) was not reached", place: name(of: position.branch),
        next: "The branch ends before it")
    }
    return BranchStep(recorded: try recording.step(position.step))
  }

  private func whole(_ own: BranchStep, of branch: BranchID) throws -> BranchStep {
    guard let beside = own.descendsFrom else { return own }
    let parent = self.branch(branch)?.script?.parent ?? .main
    var whole = own
    whole.step = try step(at: Position(branch: parent, step: beside)).step
    (whole.step.number, whole.step.time) = (own.step.number, own.step.time)
    if !own.step.cause.isFromOutside || !whole.step.cause.isFromOutside {
      whole.step.cause = own.step.cause
    }
    // The app stopped here, but the fork did not.
    if whole.step.isUnfinished { (whole.step.isUnfinished, whole.step.damage) = (false, nil) }
    return whole
  }

  package func rows(_ steps: ClosedRange<Int>, of branch: BranchID) throws -> [StepRow] {
    guard let all = self.branch(branch)?.steps, steps.overlaps(all) else { return [] }
    return try steps.clamped(to: all).compactMap { number in
      let position = Position(branch: branch, step: number)
      // A running fork may not have come this far.
      guard isShared(position) || hasStep(position) else { return nil }
      let step = try self.step(at: position)
      return StepRow(step.step, standing: isShared(position) ? step.step.standing : step.standing)
    }
  }

  func isShared(_ position: Position) -> Bool {
    table.withLock { $0.owner(of: position).branch == .main }
  }

  private func hasStep(_ position: Position) -> Bool {
    table.withLock { table in
      let owner = table.owner(of: position)
      return table.own[owner.branch]?[owner.step] != nil
    }
  }

  /// The assumptions of a step; on a recording only if it was a branch.
  package func assumptions(at position: Position) -> [Assumption] {
    let (owner, index) = assumptionIndex(of: position)
    return index.assumptions(at: owner.step)
  }

  package func assumptionKinds(at position: Position) -> Set<Assumption.Kind> {
    let (owner, index) = assumptionIndex(of: position)
    return index.kinds(at: owner.step)
  }

  private func assumptionIndex(of position: Position) -> (Position, AssumptionIndex) {
    let (owner, index) = table.withLock { table in
      let owner = table.owner(of: position)
      return (owner, table.own[owner.branch]?.assumptions ?? AssumptionIndex())
    }
    guard owner.branch == .main else { return (owner, index) }
    return (owner, (try? recording.assumptions()) ?? AssumptionIndex())
  }

  // MARK: States

  package func moment(
    at position: Position, comparedWith branch: BranchID? = nil
  ) async throws -> Moment {
    let branchThen = self.branch(position.branch)
    let step = try step(at: position)
    var moment = Moment(position: position, step: step.step)
    moment.run = branchThen?.run ?? 0
    moment.isEarly = branchThen?.progress == .running
    moment.standing = isShared(position) ? step.step.standing : step.standing
    moment.remarks = step.remarks
    moment.clock = try clock(of: step.step)
    moment.isFirst = position.step == summary.steps.lowerBound
    moment.assumptions = assumptions(at: position)
    if step.standing.outcome.isError { moment.trouble = step.step.error }
    moment.effects = try effects(in: position.step...position.step, of: position.branch)
    if let pending = self.branch(position.branch)?.report?.pending {
      moment.unanswered = Set(pending.filter(\.isUnanswered).map(\.effect))
    }
    moment.effectReads = try effectReads(at: position)
    do {
      let told = try await told(stateAt: position)
      moment.state = try told.value
      if case .computed = told, isShared(position) { moment.isComputed = true }
      if moment.isComputed, summary.statesBy == nil {
        moment.remarks.append("the recording holds no state here: the app's reducer computed it")
      }
      if !moment.isFirst {
        moment.previousState = try await state(
          at: Position(branch: position.branch, step: position.step - 1))
      }
      if let words = try await unchangedByError(at: position) { moment.remarks.append(words) }
    } catch {
      moment.trouble = Trouble.sentence(for: error)
    }
    moment.compareStates()
    moment.outside = outsideSender(of: step)
    if step.step.action["retcon"] != nil {
      moment.outsideChanges = try outsideChanges(at: position)
    }
    if moment.state == nil, host == nil, summary.canReplay {
      moment.hostedCommand = summary.hostedCommand
    }
    moment.comparison = try? await compare(position, moment.state, with: branch)
    return moment
  }

  /// The same, with all changes since an earlier step.
  package func moment(at position: Position, since step: Int) async throws -> Moment {
    var moment = try await moment(at: position)
    let before = max(step - 1, summary.steps.lowerBound)
    moment.since = step
    moment.previousState = try await state(at: Position(branch: position.branch, step: before))
    moment.compareStates()
    return moment
  }

  /// The reason why the step's error left the state as it was; nil if it did not.
  package func unchangedByError(at position: Position) async throws -> String? {
    let before = Position(branch: position.branch, step: position.step - 1)
    guard position.step > summary.steps.lowerBound,
      let words = try step(at: position).step.unchangedByError,
      let state = try await state(at: position), try await self.state(at: before) == state
    else { return nil }
    return words
  }

  // MARK: Effects and time

  package func effects(in steps: ClosedRange<Int>, of branch: BranchID) throws -> [EffectSpan] {
    judged(try spans(in: steps, of: branch), of: branch)
  }

  private func judged(_ spans: [EffectSpan], of branch: BranchID) -> [EffectSpan] {
    spans.map { span in
      var span = span
      span.answersFailure = (try? answersFailure(span, of: branch)) == true
      return span
    }
  }

  /// The same, without a look at what they sent.
  func spans(in steps: ClosedRange<Int>, of branch: BranchID) throws -> [EffectSpan] {
    guard let script = self.branch(branch)?.script else { return try recording.effects(in: steps) }
    let table = table.withLock { $0 }
    return try table.effects(in: steps, of: branch) {
      try spans(in: $0, of: script.parent)
    }.sorted { ($0.origin.step, $0.number) < ($1.origin.step, $1.number) }
  }

  package func longestEffects(
    _ count: Int, in steps: ClosedRange<Int>? = nil, of branch: BranchID = .main
  ) throws -> [EffectSpan] {
    guard let fork = self.branch(branch), !fork.isMain else {
      return judged(try recording.longestEffects(count, in: steps), of: branch)
    }
    let spans = try spans(in: steps ?? fork.steps, of: branch)
    return judged(
      spans.longest(count, in: steps, lastStep: fork.steps.upperBound), of: branch)
  }

  /// The reads that the effect of a step made before it. On a fork that is what its own run read; if
  /// its answer may belong to another question, nothing is known.
  package func effectReads(at position: Position) throws -> [Read] {
    let owner = table.withLock { $0.owner(of: position) }
    let step = try ownStep(at: owner)
    guard case .effect(let effect) = step.step.cause,
      !assumptions(at: owner).contains(where: { $0.isStaleAnswer(of: step.step.cause) })
    else { return [] }
    return try asked(by: effect, before: step, of: owner.branch).map(\.read)
  }

  func asked(
    by effect: EffectID, before step: BranchStep, of branch: BranchID
  ) throws -> [OutsideRead] {
    guard let script = self.branch(branch)?.script else {
      return try recording.reads(ofEffect: effect).filter { $0.step < step.step.number }
    }
    let own = table.withLock { $0.own[branch]?.reads(of: effect, before: step.step.number) }
    if let own { return own }
    guard let from = step.descendsFrom, !script.replaces(from) else { return [] }
    let parent = table.withLock { $0.owner(of: Position(branch: script.parent, step: from)) }
    return try asked(by: effect, before: ownStep(at: parent), of: parent.branch)
  }
}

extension OpenSession {
  package var isScanned: Bool { recording.isScanned }

  /// Checks the recording for changes, and takes in new steps, effects and notices. Nil without
  /// changes.
  package func refresh() async throws -> RecordingChange? {
    guard let news = try recording.refresh() else { return nil }
    if news.change == .grew { try await recording.findEffects() }
    table.withLock { $0.grow(to: news.summary.steps) }
    return storeFacts(news)
  }
}

package struct Trouble: Explained, Sendable, Hashable {
  package var what: String
  package var place: String?
  package var next: String?

  package init(_ what: String, place: String? = nil, next: String? = nil) {
    self.what = what
    self.place = place
    self.next = next
  }

  package static func noStep(_ number: Int, in summary: RecordingSummary) -> Trouble {
    Trouble(
      "there is no step \(number)", place: summary.name,
      next: "The steps are \(summary.steps.lowerBound) to \(summary.steps.upperBound)")
  }

  static func noState(after step: Int) -> Trouble {
    Trouble(
      "the state after step \(step) is not known, so no test can expect it",
      next: "Name a range without it")
  }

  package static let attachHint = "Start again with --host COMMAND (--reducer FILE.js for Redux)"

  package static func sentence(for error: any Error) -> String {
    (error as? any Explained)?.sentence ?? "\(error)"
  }
}
