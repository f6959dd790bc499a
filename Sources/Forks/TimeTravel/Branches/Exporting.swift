import HostProtocol
import Platform
import SessionFile
import SessionWords
import ValueTree

extension OpenSession {
  package func exportState(at position: Position, to path: String) async throws {
    guard let state = try await state(at: position) else {
      throw Trouble("no state is known here", place: text(of: position))
    }
    var file = try NewFile(path: path)
    try file.append(state.bytes(.pretty) + [UInt8(ascii: "\n")])
    try file.commit()
  }

  /// Writes a branch as a session, and returns its last step. Reruns a fork to get all its states;
  /// meanwhile an unredacted file is beside it. `changed` redacts the fork's own steps.
  @discardableResult
  package func export(
    _ branch: BranchID, to path: String, without redaction: Redaction = Redaction(),
    changed: (BranchStep) -> BranchStep = { $0 }
  ) async throws -> Int {
    guard self.branch(branch)?.script != nil else {
      try trim(summary.steps, to: path, without: redaction)
      return summary.steps.upperBound
    }
    let host = try host(or: "a fork must run before it can be written")
    var header = try recording.header()
    header.origin = SessionHeader.Origin(format: "branch \(name(of: branch))", file: summary.name)
    var export = try BranchExport(header, to: path, reads: recording.outsideReads())
    do {
      try await write(branch, upTo: .max, into: &export, host, changed)
      try export.appendReads { _ in true }
      try export.commit(without: redaction)
    } catch {
      export.discard()
      throw error
    }
    return export.lastStep
  }

  private func write(
    _ branch: BranchID, upTo last: Int, into export: inout BranchExport, _ host: any BranchHost,
    _ changed: (BranchStep) -> BranchStep
  ) async throws {
    guard let script = self.branch(branch)?.script else {
      try await writeRecording(upTo: last, into: &export)
      return
    }
    let path = table.withLock { $0.path(to: branch) }
    let (told, report) = try await host.steps(of: path, from: script.leavesAt + 1)
    export.touched.formUnion(report.touched)
    // Without a step of its own, the steps that sent the actions say it.
    if told.isEmpty { export.sends += report.sends }
    try await write(script.parent, upTo: min(script.leavesAt, last), into: &export, host) { $0 }
    try Task.checkCancellation()
    for step in told where step.asked != nil {
      if case .effect(let effect) = step.step.cause { export.ran.insert(effect) }
    }
    for step in told where step.step.number <= last {
      // A patch needs a state to change. Where the recording has none, the host does.
      if export.state == nil, step.patch != nil {
        export.state = try await state(at: Position(branch: branch, step: step.step.number - 1))
      }
      var reads: [OutsideRead] = []
      if case .effect(let effect) = step.step.cause, export.ran.contains(effect) {
        reads = try asked(by: effect, before: step, of: branch)
      }
      var step = step
      step.standing = table.withLock {
        $0.standing(of: step, at: Position(branch: branch, step: step.step.number))
      }
      // The first step of the fork has those of senders before it.
      let isFirst = step.step.number == script.leavesAt + 1
      step.step.sends = report.sends.filter { sent in
        sent.place.sender == step.step.number || isFirst && sent.place.sender < step.step.number
      }
      try export.append(changed(step), reads: reads)
    }
    try export.append(report.effects)
    if let ending = report.ending, ending.outcome != .undecodable,
      ending.step == export.lastStep + 1, ending.step <= last
    {
      try export.append(unfinished: step(at: Position(branch: branch, step: ending.step)).step)
    }
    if report.rejoining != nil { try await writeRest(of: branch, upTo: last, into: &export) }
  }

  private func writeRecording(upTo last: Int, into export: inout BranchExport) async throws {
    for number in stride(
      from: export.lastStep + 1, through: min(last, summary.steps.upperBound), by: 1)
    {
      if number % 256 == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
      try export.appendReads { $0.step < number }
      try export.append(
        try recording.step(number), state: try recordedState(after: number),
        patch: try recording.patch(at: number), events: try recording.events(after: number))
    }
  }

  /// Writes the steps shared after the fork rejoined its parent, with the fork's numbers.
  private func writeRest(
    of branch: BranchID, upTo last: Int, into export: inout BranchExport
  ) async throws {
    guard let steps = self.branch(branch)?.steps else {
      throw Trouble("the fork was removed while it was written", place: summary.name)
    }
    for number in stride(
      from: export.lastStep + 1, through: min(last, steps.upperBound), by: 1)
    {
      await Task.yield()
      try Task.checkCancellation()
      let position = Position(branch: branch, step: number)
      let owner = table.withLock { $0.owner(of: position) }
      var own = try ownStep(at: owner)
      if owner.branch == .main { own.effects = try recording.events(after: owner.step) }
      let told = table.withLock { $0.numbered(own, at: position) }
      try export.appendReads(upTo: told.step.time)
      try export.append(told.step, state: try await state(at: position), events: told.effects)
    }
  }
}

extension OpenSession {
  @discardableResult
  package func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction = Redaction()
  ) throws -> SessionTrimmer.Written {
    guard steps.lowerBound >= summary.steps.lowerBound,
      steps.upperBound <= summary.steps.upperBound
    else {
      throw Trouble(
        "some of the steps \(steps.lowerBound) to \(steps.upperBound) do not exist",
        place: summary.name,
        next: "It has \(summary.steps.lowerBound) to \(summary.steps.upperBound)")
    }
    return try recording.trim(steps, to: path, without: redaction)
  }

  /// Throws if writing to the path would overwrite the session itself.
  package func checkIsAnother(_ path: String) throws {
    try (recording as? SessionRecording)?.checkIsAnother(path)
  }

  /// Finds all effects of the recording; see ``Recording/findEffects()``. Forks that ran before
  /// then learn their effects in flight.
  package func findEffects() async throws {
    try await recording.findEffects()
    for fork in branches {
      guard let script = fork.script else { continue }
      let leaving = script.leavesAt...script.leavesAt
      let inFlight = try effects(in: leaving, of: script.parent)
      table.withLock { $0.setInFlight(inFlight, for: fork.id) }
    }
  }
}

/// Writes a branch as a session: shared steps from the recording, its own as the host runs them,
/// with standings.
///
/// The file appears only when complete.
struct BranchExport {
  private let path: String
  private let temporaryPath: String
  private let writer: SessionWriter
  var state: Value?
  /// The effects whose actions the user changed.
  var touched: Set<EffectID> = []
  private(set) var lastStep: Int
  private var isUnfinished = false
  /// The fate of sent actions, where the fork has no step that could say it.
  var sends: [OutputEdit] = []
  /// The effects that a fork ran by themselves, so that their reads are its own.
  var ran: Set<EffectID> = []
  private var written: [EffectID: Int] = [:]
  /// The recording's outside reads still to write. A fork asks the same.
  private var reads: ArraySlice<OutsideRead>

  init(_ header: SessionHeader, to path: String, reads: [OutsideRead]) throws {
    self.reads = reads[...]
    if let status = fileStatus(of: path, following: true) {
      throw SessionError(status.isFolder ? .isFolder : .alreadyExists, path: path)
    }
    self.path = path
    temporaryPath = "\(path).\(getpid()).part"
    do throws(SessionError) {
      writer = try SessionWriter(path: temporaryPath, header: header)
    } catch {
      throw SessionError(error.problem, path: path)
    }
    state = header.state
    lastStep = header.firstStep
  }

  private mutating func append(_ read: OutsideRead) throws {
    var read = read
    read.step = lastStep
    if let effect = read.effect { written[effect, default: 0] += 1 }
    try writer.append(read)
  }

  mutating func appendReads(while isDue: (OutsideRead) -> Bool) throws {
    while let read = reads.first, isDue(read) {
      reads.removeFirst()
      if read.effect.map(ran.contains) != true { try append(read) }
    }
  }

  mutating func appendReads(upTo time: Duration?) throws {
    guard let time else { return }
    try appendReads { $0.time.map { $0 <= time } ?? false }
  }

  mutating func append(
    _ step: Step, state: Value?, patch: Value? = nil, events: [EffectEvent]
  ) throws {
    var step = step
    step.sends += sends.filter { $0.place.sender == step.number }
    try writer.append(step, state: state, patch: patch)
    try append(events)
    self.state = state
    lastStep = step.number
  }

  mutating func append(unfinished step: Step) throws {
    // Only the host knew its action.
    guard step.action != .null else { return }
    try writer.append(.begin(step))
    for read in step.reads { try writer.append(.readBegun(read, step: step.number)) }
    (lastStep, isUnfinished) = (step.number, true)
  }

  func append(_ events: [EffectEvent]) throws {
    for var event in events {
      if case .started = event.kind { event.isEdited = touched.contains(event.effect) }
      try writer.append(event)
    }
  }

  mutating func append(_ told: BranchStep, reads: [OutsideRead]) throws {
    var step = told.step
    step.standing = told.standing
    var after: Value?
    if let patch = told.patch, let state { after = try Patch(patch).applied(to: state) }
    try appendReads(upTo: step.time)
    for read in reads.dropFirst(reads.first?.effect.flatMap { written[$0] } ?? 0) {
      try append(read)
    }
    try append(step, state: after, patch: told.patch, events: told.effects)
  }

  func commit(without redaction: Redaction) throws {
    // Such a recording has no end.
    if isUnfinished { try writer.flush() } else { try writer.finish() }
    guard redaction.isEmpty else { return try commitTrimmed(without: redaction) }
    guard NewFile.rename(temporaryPath, to: path) else {
      throw SessionError(errno == EEXIST ? .alreadyExists : .system(errorText(errno)), path: path)
    }
  }

  private func commitTrimmed(without redaction: Redaction) throws {
    let whole = try SessionReader(path: temporaryPath)
    var trimmer = SessionTrimmer(whole)
    trimmer.redaction = redaction
    try trimmer.trim(whole.steps, to: path)
    discard()
  }

  func discard() { unlink(temporaryPath) }
}
