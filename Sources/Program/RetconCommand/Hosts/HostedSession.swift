import HostProtocol
import Platform
import SessionFile
import SessionImports
import SessionWords
import ValueTree

/// A session with the file that hosts get. For a host, another tool's file is converted first; if it
/// has no states, the host computes them once for every reader.
struct HostedSession: Sendable {
  var reader: SessionReader
  var path: String
  /// The session as the file holds it, if a host computed more states.
  private(set) var recorded: SessionReader?
  var remarks: [String] = []
  private let workFolder: WorkFolder
  private var isImported: Bool

  init(
    _ file: String, in workFolder: WorkFolder, isHosted: Bool = true, piece: Int = .max,
    progress: (Double) throws -> Void = { _ in }
  ) throws {
    self.workFolder = workFolder
    path = file
    reader = try SessionOpener.standard.open(
      file, piece: isHosted ? .max : piece, progress: isHosted ? { _ in } : progress)
    isImported = reader.isReadInPlace
    if isHosted, isImported { try useCopy(of: reader, progress) }
  }

  private mutating func useCopy(
    of whole: SessionReader, _ progress: (Double) throws -> Void
  ) throws {
    let file = path
    path = try workFolder.path("session.retcon")
    try whole.copy(to: path, progress: progress)
    reader = try SessionReader(path: path, shownAs: file)
  }

  /// Hosts open their file by its path, and do not follow another tool's.
  mutating func convert() throws {
    if reader.isReadInPlace { try useCopy(of: SessionOpener.standard.open(path)) { _ in } }
  }

  /// Whether it comes from a file with only actions. An app's recording holds more than steps and
  /// stays unchanged; its states are requested one by one.
  var needsStates: Bool { isForeign && reader.header.states == .first && reader.stepCount > 0 }

  private var isForeign: Bool {
    isImported || !reader.header.knowsCauses && reader.isFinished
  }

  /// With its states, if a host was named and most are not in the file.
  func withMissingStates(of host: HostConnection) async throws -> HostedSession {
    let few = reader.stepCount / 2
    guard try needsStates || isForeign && reader.count(ofStatesUpTo: few + 1) <= few else {
      return self
    }
    return try await withStates(of: host)
  }

  /// `onRun` gets the number of steps that have run.
  func withStates(
    of host: HostConnection, onRun: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> HostedSession {
    let loaded = try await host.load(path, as: reader)
    let first = reader.steps.lowerBound
    let start = try await host.state(of: .main, after: first)
    let computed = try workFolder.path("states.retcon")
    let writing = Locked(try StateWriting(reader, to: computed, from: start, by: host.name))
    onRun(0)
    let report = try await host.run(.main, from: first + 1) { step in
      onRun(step.step.number - first)
      writing.withLock { $0.append(step) }
    }
    var hosted = self
    hosted.recorded = reader
    hosted.remarks = loaded.notes + (try writing.withLock { try $0.finish(report) })
    hosted.reader = try SessionReader(path: computed, shownAs: reader.path)
    (hosted.path, hosted.isImported) = (computed, false)
    host.computed(computed)
    return hosted
  }
}

/// Writes a session again with all its states. A host tells those that the file lacks, while it runs.
private struct StateWriting {
  private let reader: SessionReader
  private let writer: SessionWriter
  private var computed: Value?
  private var steps: StoredSteps
  /// Those from the first one without a change on: only the end of the run says what to make of it.
  private var held: ArraySlice<BranchStep> = []
  private var remarks: [String] = []
  private var failure: (any Error)?
  /// The reducer sends an action that the file lacks, and so the numbers behind it are others.
  private var isShifted = false

  init(_ reader: SessionReader, to path: String, from start: Value, by name: String) throws {
    self.reader = reader
    steps = StoredSteps(reader, from: reader.steps.lowerBound + 1)
    var header = reader.header
    computed = header.state ?? start
    header.state = start
    header.states = .everyStep
    header.origin = header.origin ?? SessionHeader.Origin(format: "session", file: reader.fileName)
    header.origin?.statesBy = name
    writer = try SessionWriter(path: path, header: header)
  }

  mutating func append(_ told: BranchStep) {
    guard !isShifted else { return }
    guard told.descendsFrom == told.step.number else {
      isShifted = true
      return remarks.append(
        "step \(told.step.number): today's reducer sends \(told.step.label) here, which the file lacks. "
          + "Later states are not known")
    }
    for remark in told.remarks where remarks.count < 3 {
      remarks.append("step \(told.step.number): \(remark)")
    }
    guard held.isEmpty, told.patch != nil else { return held.append(told) }
    guard failure == nil else { return }
    do {
      while writer.lastStep + 1 < told.step.number { try write(nil, nil) }
      try write(told, nil)
    } catch { failure = error }
  }

  /// Returns the first remarks.
  mutating func finish(_ report: BranchReport) throws -> [String] {
    if let failure { throw failure }
    while writer.lastStep < reader.steps.upperBound { try write(held.popFirst(), report.ending) }
    let lost = reader.lostLineCount
    if lost > 0 { try writer.append(.unreadable(lines: lost)) }
    try writer.finish()
    return remarks
  }

  private mutating func write(_ told: BranchStep?, _ stop: BranchReport.Ending?) throws {
    let number = writer.lastStep + 1
    let stored = try steps.step()
    var step = stored.step
    if let patch = told?.patch, let before = computed {
      computed = try Patch(patch).applied(to: before)
      step.error = step.error ?? told?.step.error
    } else if stop?.outcome != .crashed || number != stop?.step {
      // A store keeps its state where its reducer throws. The steps behind it were not run.
      computed = nil
    }
    let recorded = stored.tellsState ? try? reader.state(after: number) : nil
    // Behind it the host's states follow from it.
    if let recorded { computed = recorded }
    if let stop, stop.step == number { step.error = stop.reason }
    if let stop, stop.step < number {
      step.error = step.error ?? Step.notComputed(after: stop.step)
    }
    try writer.append(step, state: computed, patch: recorded == nil ? told?.patch : nil)
    for event in try reader.effectEvents(in: number...number) { try writer.append(event) }
    for note in try reader.signposts(in: number...number) { try writer.append(note) }
  }
}
