import Platform
import SessionWords
import ValueTree

/// Makes a session of a range of steps.
///
/// ```swift
/// let session = try SessionReader(path: "long.retcon")
/// try SessionTrimmer(session).trim(800...812, to: "short.retcon")
/// ```
///
/// The new session starts with the state before the range and the effects in flight there; steps
/// keep their numbers. Lines are copied, so unknown keys and kinds survive.
public struct SessionTrimmer: Sendable {
  let session: SessionReader
  /// The redaction of the copy.
  public var redaction = Redaction()
  /// Places besides those that the redaction names.
  package var hidden: Set<Redactor.Place> = []
  /// Whether the words of errors are left out too.
  package var hidesErrors = false
  /// The most bytes of effects, reads and signposts.
  package var mostBetween = Int.max

  /// Creates a trimmer, which only reads the session.
  public init(_ session: SessionReader) { self.session = session }

  /// The result of a trim.
  public struct Written: Sendable, Hashable {
    /// The steps of the new session, including the one before the range.
    public var steps: ClosedRange<Int>
    /// Whether actions sent by the last step's reducer were left out.
    public var endsInsideTurn: Bool
    /// The number of lines between the steps that are lost or cannot be read. The new session says so.
    public var lostLines = 0
    /// Everywhere that patches have carried a redacted value to.
    package var carried: Set<Redactor.Place> = []
    /// The lines that ``SessionTrimmer/mostBetween`` left out.
    package var leftOut = 0

    /// The steps with an action.
    public var range: ClosedRange<Int> {
      min(steps.lowerBound + 1, steps.upperBound)...steps.upperBound
    }

    package var caveat: String {
      (endsInsideTurn ? "; its last turn is incomplete" : "")
        + (lostLines > 0 ? "; \(counted(lostLines, "line")) of the log cannot be read" : "")
    }
  }

  /// Writes the range to a file, or nothing if that fails. `replacing` renames an existing session
  /// by its start time; any other existing file is an error.
  @discardableResult
  public func trim(
    _ range: ClosedRange<Int>, to path: String, replacing: Bool = false
  ) throws(SessionError) -> Written {
    let snapshot = session.snapshot
    try session.check(range.lowerBound, in: snapshot)
    try session.check(range.upperBound, in: snapshot)
    if session.isReadInPlace { return try trimCopy(range, to: path, replacing: replacing) }
    let start = max(session.header.firstStep, range.lowerBound - 1)
    let steps = start...range.upperBound
    var isCut = false
    if steps.upperBound < snapshot.index.lastStep,
      case .output = try session.step(steps.upperBound + 1).cause
    {
      isCut = true
    }
    if replacing { try session.checkIsAnother(path) }
    var header = try header(at: steps.lowerBound)
    var editor = try editor(before: steps.lowerBound, in: snapshot)
    if !redaction.isEmpty {
      var trial = editor
      _ = trial.header(header)
      try lines(of: steps, in: snapshot) { line throws(SessionError) in _ = try trial.line(line) }
      let missed = redaction.missed(besides: trial.found)
      if redaction.mustMatch, !missed.isEmpty {
        throw SessionError(.nothingRedacted(by: missed), path: session.path)
      }
      header = editor.header(header)
      header.redacted += trial.descriptions.filter { !header.redacted.contains($0) }
    }
    var file = try NewFile(path: path, taken: replacing ? .isSetAside : .isRefused)
    try file.append(header.bytes)
    var (lostLines, between, leftOut) = (0, 0, 0)
    try lines(of: steps, in: snapshot) { line throws(SessionError) in
      if mostBetween < .max, [.effect, .read, .signpost].contains(LineHead(line: line).kind) {
        between += line.count + 1
        guard between <= mostBetween else { return leftOut += 1 }
      }
      if LineHead(line: line).kind == .remark,
        case .lost(_, let lines, _, _)? = try? LogLine(value: Value(line: line))
      {
        lostLines += lines
      }
      if let edited = try editor.line(line) {
        try file.append(edited)
      } else {
        try file.append(line)
        try file.append(CollectionOfOne(UInt8(ascii: "\n")))
      }
    }
    // Without an end line, readers assume that the last turn may be incomplete.
    if steps.upperBound < snapshot.index.lastStep, !isCut {
      let time = try session.step(steps.upperBound).time
      try file.append(LogLine.end(step: steps.upperBound, time: time).bytes)
    }
    if leftOut > 0 {
      let loss = LogLine.lost(
        steps: nil, lines: leftOut, because: "there was no room for them", state: nil)
      try file.append(loss.bytes)
    }
    try file.commit()
    if steps.upperBound == snapshot.index.lastStep, session.isTornOff { lostLines += 1 }
    return Written(
      steps: steps, endsInsideTurn: isCut, lostLines: lostLines, carried: editor.carried,
      leftOut: leftOut)
  }

  /// Another tool's lines become lines of a session first.
  private func trimCopy(
    _ range: ClosedRange<Int>, to path: String, replacing: Bool
  ) throws(SessionError) -> Written {
    if replacing { try session.checkIsAnother(path) }
    let copy: SessionReader
    do {
      let folder = try ScratchFolder()
      defer { withExtendedLifetime(folder) {} }
      let copyPath = folder.path + "/session.retcon"
      try session.copy(to: copyPath)
      copy = try SessionReader(path: copyPath, shownAs: session.path)
    } catch let error as SessionError {
      throw error
    } catch {
      throw SessionError(.system("\(error)"), path: temporaryFolder)
    }
    var trimmer = SessionTrimmer(copy)
    (trimmer.redaction, trimmer.hidden) = (redaction, hidden)
    return try trimmer.trim(range, to: path, replacing: replacing)
  }

  private func header(at step: Int) throws(SessionError) -> SessionHeader {
    var header = session.header
    header.part = 1
    header.tape = session.tape
    // With the origin of a trim, labels would mean more than they did.
    if !header.hasSetLabels { header.version = max(header.version, .current) }
    var origin = header.origin ?? SessionHeader.Origin(format: "trim")
    origin.file = origin.file ?? session.fileName
    header.origin = origin
    guard step > header.firstStep else { return header }
    header.state = try startState(after: step)
    header.firstStep = step
    header.firstTime = try session.step(step).time
    header.effects = try session.effectsInFlight(after: step - 1)
    return header
  }

  private func startState(after step: Int) throws(SessionError) -> Value {
    do { return try session.state(after: step) } catch {
      guard case .stateNotStored = error.problem else { throw error }
      let known = [try nearestState(to: step, by: -1), try nearestState(to: step, by: 1)]
      throw SessionError(
        .noStateToStartWith(step: step, known: known.compactMap(\.self)), path: session.path)
    }
  }

  private func nearestState(
    to step: Int, by direction: Int
  ) throws(SessionError) -> Int? {
    let steps = session.steps.lowerBound..<session.steps.upperBound
    var near = step + direction
    while steps.contains(near) {
      let far = min(max(near + direction * 255, steps.lowerBound), steps.upperBound - 1)
      let told = try session.storedSteps(min(near, far)...max(near, far)).filter(\.tellsState)
      if let nearest = direction > 0 ? told.first : told.last { return nearest.step.number }
      near = far + direction
    }
    return nil
  }

  private func editor(
    before step: Int, in snapshot: ReaderState
  ) throws(SessionError) -> LineRedactor {
    var editor = LineRedactor(redaction, hidden: hidden, session: session)
    editor.hidesErrors = hidesErrors
    guard !redaction.isEmpty, step > session.header.firstStep else { return editor }
    let end = snapshot.range(ofLineAt: snapshot.index.entry(of: step).offset).upperBound
    try LineWalk.walk(0..<end, in: snapshot.parts) { (_, line) in
      if LineHead(line: line).kind == .step { editor.pass(line) }
      return true
    }
    return editor
  }

  private func lines(
    of steps: ClosedRange<Int>, in snapshot: ReaderState,
    _ take: (UnsafeBufferPointer<UInt8>) throws(SessionError) -> Void
  ) throws(SessionError) {
    let first = snapshot.index.entry(of: steps.lowerBound)
    // A lost step has the place of the next line.
    let start = first.isAbsent ? first.offset : snapshot.range(ofLineAt: first.offset).upperBound
    let end = snapshot.endOfLines(of: steps.upperBound)
    guard start < end else { return }
    let last = snapshot.index.entry(of: steps.upperBound).offset
    let held = try heldByHeaders(of: steps, in: snapshot)
    let damaged = held.values.map { snapshot.index.entry(of: $0) }.filter { !$0.isAbsent }
      .map(\.offset)
    var lost = snapshot.index.lostLines.filter { $0.offset >= start }[...]
    // The copy has no end, either.
    if snapshot.isTornOff, snapshot.tailNotice == nil { lost = lost.dropLast() }
    lost.removeAll { $0.isWhole }
    func write(_ loss: LogLine) throws(SessionError) {
      try loss.bytes.dropLast().withUnsafeBufferPointer(take)
    }
    try LineWalk.walk(start..<end, in: snapshot.parts) {
      (offset, line) throws(SessionError) in
      if let step = held[offset] {
        try write(
          .lost(
            steps: step...step, lines: 0, because: "its line cannot be read",
            state: (try? Value(line: line))?["state"]))
      }
      if offset == lost.first?.offset {
        try write(.unreadable(lines: lost.removeFirst().count))
      }
      guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}"),
        !HeaderLine.isBegunBy(line.prefix(64)), !damaged.contains(offset),
        offset < last || !Self.isAhead(line, of: steps.upperBound)
      else { return true }
      try take(line)
      return true
    }
  }

  /// The unreadable steps whose states the headers of further parts hold, by the header's offset.
  private func heldByHeaders(
    of steps: ClosedRange<Int>, in snapshot: ReaderState
  ) throws(SessionError) -> [Int: Int] {
    var held: [Int: Int] = [:]
    for (step, offset) in snapshot.partStates where steps.dropFirst().contains(step) {
      guard try session.step(step).damage != nil else { continue }
      let bytes = try snapshot.parts.bytes(snapshot.range(ofLineAt: offset).prefix(64))
      if bytes.withUnsafeBufferPointer({ HeaderLine.isBegunBy($0) }) { held[offset] = step }
    }
    return held
  }

  private static func isAhead(_ line: UnsafeBufferPointer<UInt8>, of step: Int) -> Bool {
    switch LineHead(line: line).kind {
    case .begin: return (LineHead(line: line).number ?? 0) > step
    case .read:
      guard case .readBegun(_, let begun)? = try? LogLine(value: Value(line: line)) else {
        return false
      }
      return begun > step
    default: return false
    }
  }
}

extension SessionReader {
  /// Fails for a file that the session is read from or was made from, even under another name or a
  /// link. It must not be overwritten.
  package func checkIsAnother(
    _ path: String, madeFrom source: String? = nil
  ) throws(SessionError) {
    guard let target = PartFile.identity(at: path) else { return }
    let isOwn =
      target == PartFile.identity(at: source ?? self.path)
      || snapshot.parts.parts.contains { $0.file.identity == target }
    if isOwn { throw SessionError(.isTheSession, path: path) }
  }
}
