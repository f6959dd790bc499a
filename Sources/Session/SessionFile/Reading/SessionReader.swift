import Platform
import SessionWords
import ValueTree

/// An open session file: its steps, states, effects, reads and signposts.
///
/// ```swift
/// let session = try SessionReader(path: "counter.retcon")
/// for number in session.steps { print(try session.step(number).label) }
/// let last = try session.state(after: session.steps.upperBound)
/// session.notices  // what was wrong with the file, if anything
/// ```
///
/// Opening finds the lines and parses only the header. The rest is parsed on demand. You may call
/// all functions from any thread.
public final class SessionReader: Sendable {
  /// The path as given.
  public let path: String
  /// The first line: the app, the first state, the recorder.
  public let header: SessionHeader
  private let state: Locked<ReaderState>
  private let doubts = Locked(DoubtedSteps())

  /// Opens a file and the further parts beside it.
  public convenience init(path: String) throws(SessionError) {
    try self.init(path: path, indexCache: nil)
  }

  package convenience init(path: String, indexCache: IndexCache?) throws(SessionError) {
    try self.init(file: FirstPart.find(path), shownPath: path, indexCache: indexCache)
  }

  /// Opens a session converted from another file, which messages name.
  package convenience init(path: String, shownAs shownPath: String) throws(SessionError) {
    try self.init(file: PartFile(path: path), shownPath: shownPath)
  }

  /// `shownPath` is the path in messages, if the file was converted from another one.
  package init(
    file: PartFile, shownPath: String? = nil, indexCache: IndexCache? = nil,
    mostLines: Int = LineIndex.mostEntries
  ) throws(SessionError) {
    path = shownPath ?? file.path
    let line = try HeaderLine(file, size: file.size)
    header = line.header
    var start = ReaderState(header: line.header, headerLine: line)
    start.index.most = mostLines
    try start.scanFirstPart(file, after: line, cache: indexCache)
    try start.scanFurtherParts(of: line.header)
    if header.part > 1 {
      start.notices.append(Notice(.beginsWithPart(header.part, step: header.firstStep), line: 1))
    }
    state = Locked(start)
  }

  /// Opens another tool's file where it is. With a `piece` of bytes it knows the steps in it, and each
  /// ``refresh()`` finds those of another one.
  package init(
    file: PartFile, format: any LineFormat, shownPath: String? = nil,
    indexCache: IndexCache? = nil, piece: Int = .max
  ) throws(SessionError) {
    path = shownPath ?? file.path
    var start = ReaderState(inPlace: format)
    start.piece = piece
    let line = HeaderLine(header: SessionHeader(), end: 0, notices: [])
    try start.scanFirstPart(file, after: line, cache: indexCache)
    // The first action and what follows it tell whether there are states.
    while !start.isScanned, start.index.steps.count < 3 { try start.scanOn() }
    header = try start.header(of: format)
    state = Locked(start)
  }

  package func wasBranch() throws(SessionError) -> Bool {
    try doubts.withLock { doubts throws(SessionError) in try doubts.areOfBranch(of: self) }
  }

  package func assumptions() throws(SessionError) -> AssumptionIndex {
    try doubts.withLock { doubts throws(SessionError) in try doubts.index(of: self) }
  }

  /// In an exported branch: what its user changed of what reducers and effects sent.
  package func edits() throws(SessionError) -> (
    sends: [OutputPlace: OutputEdit], touched: Set<EffectID>
  ) {
    try doubts.withLock { doubts throws(SessionError) in
      _ = try doubts.index(of: self)
      return doubts.edits
    }
  }

  /// The file name without its folder.
  public var fileName: String { String(path.split(separator: "/").last ?? "") }

  package var size: Int { state.withLock { $0.parts.end } }

  /// The numbers of all steps, including the first.
  public var steps: ClosedRange<Int> { state.withLock { $0.index.stepRange } }

  /// The number of recorded actions: the first step has none.
  public var stepCount: Int { steps.count - 1 }

  /// The problems of the file found so far.
  public var notices: [Notice] { state.withLock { $0.allNotices } }

  /// The keys of recorded dependencies, from the header and later lines.
  public var tape: [String] { state.withLock { $0.tape } }

  /// Whether the recorder finished. Otherwise the app stopped, or still records.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  /// The last step as the recording's end tells it; the file may have been cut before it.
  package var toldEnd: Int? { state.withLock { $0.toldEnd } }
  package var endTime: Duration? { state.withLock { $0.endTime } }

  /// The number of lines that the reader cannot read, or that the recorder lost. Lines of steps do not
  /// count.
  package var lostLineCount: Int {
    let snapshot = snapshot
    // A recorder may be about to write the rest of a session's last line.
    let isTail = snapshot.tailNotice != nil && (snapshot.format != nil || isTornOff)
    let lines = snapshot.index.lostLines.reduce(isTail ? 1 : 0) { $0 + $1.count }
    return snapshot.notices.reduce(lines) {
      if case .lostLines(let count, _) = $1.finding { $0 + count } else { $0 }
    }
  }

  /// Whether the app was killed while it wrote the last line.
  package var isTornOff: Bool { snapshot.isTornOff && !isBeingRecorded }

  /// Whether all lines are found, and not only those of the first pieces.
  package var isScanned: Bool { state.withLock { $0.isScanned } }

  var snapshot: ReaderState { state.withLock { $0 } }

  func update<Result, Failure>(
    _ work: (inout ReaderState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock(work)
  }

  var lastWholeStep: Int { state.withLock { $0.index.lastWholeStep } }

  func check(_ step: Int, in snapshot: ReaderState) throws(SessionError) {
    guard snapshot.index.stepRange.contains(step) else {
      throw SessionError(.noStep(step, available: snapshot.index.stepRange), path: path)
    }
  }
}

extension ReaderState {
  var allNotices: [Notice] {
    var all =
      notices
      + index.findings.map {
        Notice($0.finding, line: $0.line, file: fileName(at: $0.offset))
      }
    let unlisted = index.unlistedFindings + unlistedNotices
    if unlisted > 0 {
      let line = max(index.findings.last?.line ?? 1, notices.last?.line ?? 1)
      all.append(Notice(.more(count: unlisted), line: line))
    }
    if let tailNotice { all.append(tailNotice) }
    guard parts.parts.count > 1 else { return all.sorted { $0.line < $1.line } }
    let places = Dictionary(
      parts.parts.enumerated().map { ($0.element.file.name, $0.offset) }
    ) { first, _ in first }
    return all.map { notice in
      // Found while the first part was alone.
      var notice = notice
      notice.file = notice.file ?? parts.parts[0].file.name
      return notice
    }.sorted { (places[$0.file ?? ""] ?? 0, $0.line) < (places[$1.file ?? ""] ?? 0, $1.line) }
  }
}
