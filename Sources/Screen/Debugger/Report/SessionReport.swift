import Essentials
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Writes a session as one HTML file for people without this program.
///
/// The file holds the session as it is: a redacted copy in its own format, packed, behind a line of
/// facts. Everything in the report is read from that copy, so a redacted value is nowhere in it.
package struct SessionReport: Sendable {
  package let session: OpenSession
  package var redaction = Redaction()
  /// The place to open at; nil for the first failure, else the last step.
  package var position: Position?
  /// Conditions that must hold. A step that breaks one is a failure.
  package var rules: [StepQuestion] = []
  package var replaces = false
  /// Whether today's reducer ran the recording, and the first step where it differs.
  package var isVerified = false
  package var finding: ReportedFailure?
  /// More facts for the head of the page, such as the reducer's commit.
  package var made: [String] = ["Retcon"]
  /// The parts that the page leaves out, with the reason.
  package var notices: [String] = []
  /// Hears of the forks that have to run before the report is written.
  package var onRun: @Sendable (Branch) async -> Void = { _ in }

  package init(_ session: OpenSession) { self.session = session }

  package struct Written: Sendable {
    package var summary: String
    package var failures: [ReportedFailure]
  }

  /// The most bytes of lines in one report, which packed are a few megabytes.
  package static let limit = 96 << 20
  /// A smaller one, for tests.
  package var limit = Self.limit
  private static let mostForks = 24

  @discardableResult
  package func write(to path: String) async throws -> Written {
    try session.checkIsAnother(path)
    try Self.check(path, replaces: replaces)
    try await runForks()
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    var facts = try await facts(in: folder.path)
    let pieces = try await pieces(of: &facts, in: folder.path)
    let page = ReportPage(title: "\(facts.title) – Retcon report", summary: facts.summary)
    let parts = page.parts
    var file = try NewFile(path: path, taken: replaces ? .isReplaced() : .isRefused)
    try file.append(parts.head.utf8)
    for piece in pieces { try file.append(Data(Self.bytes(of: piece)).base64EncodedData() + [10]) }
    try file.append(parts.tail.utf8)
    try file.commit()
    return Written(summary: facts.summary, failures: facts.failures)
  }

  /// Throws if a page cannot be written there, or would replace a file without the user's word.
  package static func check(_ path: String, replaces: Bool) throws {
    if fileStatus(of: path, following: true)?.isFolder == true {
      throw SessionError(.isFolder, path: path)
    }
    if !replaces, fileStatus(of: path) != nil {
      throw Trouble("a file of this name exists", place: path, next: "Add -f to replace it")
    }
  }

  /// Words about the session, such as its file's name, as the redaction allows them.
  package func text(_ words: String) -> String { Redactor(redaction).text(words, .message) }

  /// The redacted recording, and its failures.
  package func redacted(
    to path: String
  ) async throws -> (OpenSession, [ReportedFailure], unchecked: [String]) {
    try session.trim(session.summary.steps, to: path, without: redaction)
    let copy = try await OpenSession(copy: path)
    let (failures, unchecked) = try await failures(in: copy)
    return (copy, failures, unchecked)
  }

  // MARK: The lines

  private func runForks() async throws {
    guard session.hostName != nil else { return }
    for fork in session.branches.prefix(1 + Self.mostForks) {
      // One that cannot run is named in the report.
      try? await session.runWithParents(fork.id, news: onRun)
      try Task.checkCancellation()
    }
  }

  func facts(in folder: String) async throws -> ReportFacts {
    var path = "\(folder)/main"
    let summary = session.summary
    var facts = ReportFacts(summary)
    facts.title = text(facts.title)
    facts.isVerified = isVerified
    let (whole, failures, unchecked) = try await redacted(to: path)
    var copy = whole
    (facts.failures, facts.unchecked) = ([finding].compactMap(\.self) + failures, unchecked)
    facts.notices += unchecked + notices
    facts.position =
      position ?? facts.failures.first?.position ?? Position(step: summary.steps.upperBound)
    if let size = fileStatus(of: path)?.st_size, size > limit {
      let all = summary.steps
      let count = max(all.count * limit / Int(size), 2)
      let owner = session.mainStep(of: facts.position)
      let first = min(
        max(owner - count / 2, all.lowerBound), max(all.upperBound - count, all.lowerBound))
      let range = first...min(first + count, all.upperBound)
      if range.count < all.count - 1 {
        facts.notices.append(
          "This report holds the steps \(grouped(range.lowerBound)) to \(grouped(range.upperBound)) "
            + "of \(counted(all.count - 1, "step")): more do not fit into one.")
      }
      var trimmer = SessionTrimmer(try SessionReader(path: path))
      trimmer.mostBetween = limit / 2
      path = "\(folder)/part"
      let leftOut = try trimmer.trim(range, to: path).leftOut
      if leftOut > 0 {
        facts.notices.append(
          "This report leaves out \(counted(leftOut, "line")) between the steps: more do not fit "
            + "into one.")
      }
      copy = try await OpenSession(copy: path)
      facts.failures.removeAll { !range.contains($0.position.step) }
    }
    facts.steps = copy.summary.steps
    facts.branches = [ReportFacts.Branch(id: .main, name: BranchID.main.text, file: path)]
    for fork in session.branches where !fork.isMain { try await add(fork, to: &facts, in: folder) }
    facts.failures += try await forkFailures(in: facts)
    // A rule looks into a text only before others stand around it.
    facts.marks = session.marks.map { ($0, text($1)) }.sorted { $0.0.step < $1.0.step }
    facts.describe(copy, try SessionReader(path: path).header, made.map(text))
    return facts
  }

  /// A fork's own steps, as a session that starts where it leaves its parent.
  private func add(_ fork: Branch, to facts: inout ReportFacts, in folder: String) async throws {
    guard let script = fork.script else { return impossible("each fork has a script") }
    var told = ReportFacts.Branch(id: fork.id, name: fork.name)
    told.leavesAt = script.leavesAt
    told.parent = facts.branches.firstIndex { $0.id == script.parent && $0.file != nil }
    let redactor = Redactor(redaction)
    var shown = fork
    // Previews are cut, so only whole values can be redacted.
    shown.script?.edits = script.edits.map { redactor.edit($0) }
    shown.effectNames = fork.effectNames.mapValues { redactor.text($0, .name) }
    told.edits = shown.editLines(in: session.branches) { step in
      let label = try? session.step(at: Position(branch: script.parent, step: step)).step.label
      return label.map { redactor.text($0, .label) }
    }
    told.note = fork.note.map(text)
    defer { facts.branches.append(told) }
    guard facts.branches.count <= Self.mostForks else {
      return told.notRun = "is left out: there are too many."
    }
    guard !fork.isNotRun, session.hostName != nil else {
      return told.notRun = "has not run: its steps need the app's reducer (--host, --reducer)."
    }
    guard fork.progress != .running else { return told.notRun = "was still running." }
    guard told.parent != nil, facts.steps.contains(script.leavesAt),
      fork.steps.upperBound > script.leavesAt
    else { return told.notRun = "has no steps of its own in this report." }
    if let reason = shown.report?.ending?.reason { shown.report?.ending?.reason = text(reason) }
    told.outcome = shown.outcome(in: session.branches)
    let whole = "\(folder)/whole", own = "\(folder)/fork\(facts.branches.count)"
    defer { unlink(whole) }
    // The recording decides whether each rule of the redaction finds something.
    var lenient = redaction
    lenient.mustMatch = false
    try await session.export(fork.id, to: whole, without: lenient)
    let reader = try SessionReader(path: whole)
    guard reader.steps.upperBound > script.leavesAt else { return told.notRun = "has no steps." }
    try SessionTrimmer(reader).trim(script.leavesAt + 1...reader.steps.upperBound, to: own)
    told.file = own
    told.from = (script.leavesAt + 1...reader.steps.upperBound).map { step in
      session.counterpart(of: Position(branch: fork.id, step: step), on: script.parent)?.step
    }
  }

  /// The files of what a browser unpacks: the facts, then of each branch its blocks and its index.
  private func pieces(of facts: inout ReportFacts, in folder: String) async throws -> [String] {
    var pieces = ["\(folder)/facts"]
    var copies: [Int: OpenSession] = [:]
    for (index, branch) in facts.branches.enumerated() {
      if let file = branch.file { copies[index] = try await OpenSession(copy: file) }
    }
    func add(_ bytes: [UInt8]) throws {
      pieces.append("\(folder)/piece\(pieces.count)")
      try Self.write(bytes, to: pieces[pieces.count - 1])
    }
    for index in facts.branches.indices {
      guard let branch = try ReportBranch(index, of: facts, copies, redaction) else { continue }
      let blocks = ReportBlocks(write: add)
      try await branch.write(to: blocks)
      facts.branches[index].blocks = (blocks.firsts, branch.own.summary.steps.upperBound)
    }
    try Self.write(facts.value(redaction).bytes(), to: pieces[0])
    return try packed(pieces)
  }

  /// The files as gzip packs them. Without that program they stay as they are, which a browser
  /// reads as well.
  private func packed(_ pieces: [String]) throws -> [String] {
    // So many names fit into one command.
    for first in stride(from: 0, to: pieces.count, by: 500) {
      var start = ChildStart("gzip", ["-9n"] + pieces[first..<min(first + 500, pieces.count)])
      start.files = [0: .nothing, 1: .nothing, 2: .nothing]
      guard let child = try? start.run() else { break }
      var status: Int32 = 0
      _ = retryingInterrupted { waitpid(child, &status, 0) }
    }
    // It takes a file away once the packed one is whole.
    return pieces.map { fileStatus(of: $0) == nil ? $0 + ".gz" : $0 }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, bytes.withUnsafeBytes({ WholeTransfer.write($0, to: file) }) else {
      throw SessionError(.system(errorText(errno)), path: path)
    }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    let file = try PartFile(path: path)
    return try file.bytes(at: 0, count: file.size)
  }

  // MARK: Failures

  private func failures(
    in copy: OpenSession
  ) async throws -> ([ReportedFailure], unchecked: [String]) {
    var found = try await copy.failures(of: .main)
    var unchecked: [String] = []
    for rule in rules {
      let broken = try StepQuestion("!(\(rule.condition.text))")
      var first: [ReportedFailure] = []
      var last: Int?
      let steps = session.summary.steps
      let unknown = try await session.find(broken, in: steps, of: .main) { step in
        // Only the first step of a broken stretch counts.
        if last.map({ $0 + 1 < step }) ?? true {
          let label = try copy.step(at: Position(step: step)).step.label
          let reasons = try await session.reasons(of: broken.code, at: Position(step: step))
          first.append(
            ReportedFailure(
              position: Position(step: step), label: label,
              words: text(
                (["breaks the rule \(rule.condition.text)"] + reasons).joined(separator: ", "))))
        }
        last = step
        return first.count < ReportedFailure.limit
      }
      if unknown > 0 {
        unchecked.append(
          text(
            "The rule \(rule.condition.text) was not checked at \(counted(unknown, "step")): "
              + "\(session.summary.unknownReason)."))
      }
      // Broken rules come first: the user asked for them.
      found = first + found
    }
    return (found, unchecked)
  }

  private func forkFailures(in facts: ReportFacts) async throws -> [ReportedFailure] {
    var found: [ReportedFailure] = []
    for branch in facts.branches.dropFirst() {
      guard let file = branch.file else { continue }
      for var failure in try await OpenSession(copy: file).failures(of: .main) {
        failure.position.branch = branch.id
        // The file knows only that the step did not return.
        if let end = session.branch(branch.id)?.report?.ending, end.step == failure.position.step {
          failure.words = "\(end.outcome.words): \(text(end.reason))"
        }
        found.append(failure)
      }
    }
    return found
  }
}

extension OpenSession {
  fileprivate convenience init(copy path: String) async throws {
    self.init(SessionRecording(try SessionReader(path: path)))
    try await findEffects()
  }

  /// The step of the recording that a fork's step comes after.
  fileprivate func mainStep(of position: Position) -> Int {
    var (branch, step) = (branch(position.branch), position.step)
    while let script = branch?.script {
      step = min(step, script.leavesAt)
      branch = self.branch(script.parent)
    }
    return step
  }
}
