import Platform
import SessionWords
import ValueTree

struct ReaderState: Sendable {
  var parts = PartList()
  var index: LineIndex
  /// Of another tool's file that is read in place.
  var format: (any LineFormat)?
  var clockStart: Duration?
  /// Apart, because each copy of this state would share its list until the next change.
  let cache: Locked<StateCache>
  var flights: FlightCache
  var tape: [String] = []
  /// The lines with the states after some steps: headers of further parts, and reports of losses.
  var partStates: [Int: Int] = [:]
  /// The first line of an unknown kind with its key, and the end of the search for it.
  var unknownLine: (offset: Int, key: String)?
  var unknownSearched = 0
  var isFinished = false
  /// The last step as the recording's end tells it.
  var toldEnd: Int?
  var endTime: Duration?
  var headerEnd = 0
  var scanned = 0
  /// The bytes to scan at once, so that the first steps show at once.
  var piece = Int.max
  var isScanned = true
  /// The cache that gets the index when all is scanned.
  var unfilled: IndexCache?
  /// The index without the last line, if that line counts already but has no line end.
  var beforeTail: (index: LineIndex, scanned: Int)?
  /// The first step that may have changed with the rest of such a line.
  var changed: Int?
  var tailNotice: Notice?
  private(set) var isCopy = false
  var notices: [Notice] = []
  var noticedLines: Set<Int> = []
  private(set) var unlistedNotices = 0
  var looked = 0
  var hadNames = false
  /// The last file's first bytes, and the bytes before its last line end, to recognise it.
  var headerBytes: [UInt8] = []
  var lastBytes: [UInt8] = []
  var overwriteCheck = OverwriteCheck()

  init(header: SessionHeader, headerLine: HeaderLine) {
    index = LineIndex(of: headerLine)
    cache = Locked(StateCache(stateSize: headerLine.end))
    flights = FlightCache(header: header)
    notices = headerLine.notices
    isCopy = headerLine.header.origin != nil
    tape = header.tape
  }

  init(inPlace format: any LineFormat) {
    index = .inPlace
    self.format = format
    cache = Locked(StateCache(stateSize: 0))
    flights = FlightCache(header: SessionHeader())
    // Nothing says whether more will come.
    isFinished = true
  }

  /// Whether a session ends inside a line, as after a kill; a line end may have come behind it.
  var isTornOff: Bool {
    guard format == nil, !isFinished else { return false }
    return tailNotice != nil
      || index.lostLines.last.map { index.nextLine(after: $0.offset) == nil } == true
  }

  func range(ofLineAt offset: Int) -> Range<Int> {
    let part = parts.part(holding: offset)
    // Behind it there may be a hole of terabytes.
    let longest = offset + LineIndex.longestLine + 2
    let end = min(index.nextLine(after: offset) ?? parts.end, part.base + part.size, longest)
    return offset..<max(offset, end)
  }

  func range(ofLines steps: ClosedRange<Int>) -> Range<Int> {
    let last = range(ofLineAt: index.entry(of: steps.upperBound).offset)
    return index.entry(of: steps.lowerBound).offset..<last.upperBound
  }

  func range(of steps: ClosedRange<Int>) -> Range<Int> {
    let start = index.entry(of: steps.lowerBound).offset
    return start..<(endOfLines(of: steps.upperBound))
  }

  func endOfLines(of step: Int) -> Int {
    var next = step + 1
    while next <= index.lastStep {
      let entry = index.entry(of: next)
      if !entry.isAbsent { return entry.offset }
      next += 1
    }
    return parts.end
  }

  func notice(_ finding: Notice.Finding, at offset: Int) -> Notice {
    let part = parts.part(holding: offset)
    let line = index.lineCount(before: offset) - part.linesBefore + 1
    return Notice(finding, line: line, file: fileName(at: offset))
  }

  /// Nil if the session has only one file.
  func fileName(at offset: Int) -> String? {
    parts.parts.count > 1 ? parts.part(holding: offset).file.name : nil
  }

  mutating func reportOnce(_ finding: Notice.Finding, file: String? = nil) {
    guard !notices.contains(where: { $0.finding == finding }) else { return }
    notices.append(Notice(finding, line: index.lineCount, file: file))
  }

  mutating func report(_ finding: Notice.Finding, at offset: Int) {
    guard noticedLines.count < 100_000, noticedLines.insert(offset).inserted else { return }
    guard noticedLines.count <= 1_000 else { return unlistedNotices += 1 }
    guard !index.hasSkipped(lineAt: offset) else { return }
    notices.append(notice(finding, at: offset))
  }
}

extension ReaderState {
  mutating func line(at offset: Int) throws(SessionError) -> LogLine? {
    let bytes = try parts.bytes(range(ofLineAt: offset))
    do throws(LineFault) {
      return try bytes.withUnsafeBufferPointer { (bytes) throws(LineFault) in
        try logLine(bytes, at: offset)
      }
    } catch {
      report(.badLine(reason: error.reason), at: offset)
      return nil
    }
  }
}

package struct LineFault: Error {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

extension LogLine {
  init(value: Value) throws(LineFault) {
    do throws(ValueFieldError) {
      try self.init(value)
    } catch {
      throw LineFault(reason: error.description)
    }
  }
}

extension LineFault {
  static var twoNumbers: LineFault { LineFault(reason: "it has two step numbers") }
}

extension Value {
  package init(line bytes: UnsafeBufferPointer<UInt8>) throws(LineFault) {
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    let end = bytes.newline(from: start) ?? bytes.count
    do throws(ParseError) {
      try self.init(parsing: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    } catch {
      throw LineFault(reason: "it is not JSON: \(error.what), column \(error.column)")
    }
  }
}

struct StateCache: Sendable {
  private var entries: [(step: Int, state: Value)] = []
  private let capacity: Int

  init(stateSize: Int) {
    capacity = max(4, min(256, (32 << 20) / max(1, stateSize)))
  }

  mutating func state(after step: Int) -> Value? {
    guard let index = entries.lastIndex(where: { $0.step == step }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.state
  }

  func last(in steps: ClosedRange<Int>) -> (step: Int, state: Value)? {
    entries.filter { steps.contains($0.step) }.max { $0.step < $1.step }
  }

  mutating func insert(_ state: Value, after step: Int) {
    entries.removeAll { $0.step == step }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append((step, state))
  }

  mutating func remove(from step: Int) { entries.removeAll { $0.step >= step } }
}

/// The effects in flight at places all over the file, so that finding those after a step reads a
/// bounded number of lines.
struct FlightCache: Sendable {
  /// By the position of the first uncounted entry, ascending.
  private(set) var places: [Place]
  private(set) var distance = 512
  private static let capacity = 256

  struct Place: Sendable {
    var position: Int
    var running: [EffectID: Int?]
  }

  init(header: SessionHeader) {
    var running: [EffectID: Int?] = [:]
    for effect in header.effects { running[effect.effect] = .some(nil) }
    places = [Place(position: 0, running: running)]
  }

  func place(before position: Int) -> Place {
    places.last { $0.position <= position } ?? places[0]
  }

  mutating func keep(_ place: Place) {
    guard let last = places.last, place.position >= last.position + distance else { return }
    places.append(place)
    guard places.count > Self.capacity else { return }
    distance *= 2
    places = places.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
  }
}
