import SessionWords
import ValueTree

/// What a reader knows of its files, as of the last look at them.
struct ReaderState: Sendable {
  var parts = PartList()
  var index: LineIndex
  var cache: StateCache
  var flights: FlightCache
  /// Dependencies that were put on tape after the header was written.
  var tape: [String] = []
  /// Where the headers of further parts begin, by the step whose whole state they hold.
  var partStates: [Int: Int] = [:]
  /// The first line of an unknown kind, with its key, and up to where it was looked for.
  var unknownLine: (offset: Int, key: String)?
  var unknownSearched = 0
  /// Whether the recorder said that this is the end.
  var isFinished = false
  /// Where the lines behind the header begin.
  var headerEnd = 0
  /// The size of the last file up to the end of its last whole line.
  var scanned = 0
  /// Whether the last line was taken though it has no line end yet.
  var endsWithoutLineEnd = false
  /// Of the incomplete line at the end, as long as it is there.
  var tailNotice: Notice?
  var notices: [Notice] = []
  /// Lines that were found to be bad when they were read.
  var noticedLines: Set<Int> = []
  /// How many findings about lines were counted and not listed.
  private(set) var unlistedNotices = 0
  /// How long the last file was when its end was looked at.
  var looked = 0
  /// Whether the files were all found under their names by a look at them.
  var hadNames = false
  /// What the last file begins with, and what stands before the end of its last whole line: by them
  /// a file is known again.
  var headerBytes: [UInt8] = []
  var lastBytes: [UInt8] = []

  init(header: SessionHeader, headerLine: HeaderLine) {
    index = LineIndex(of: headerLine)
    cache = StateCache(stateSize: headerLine.end)
    flights = FlightCache(header: header)
    notices = headerLine.notices
    tape = header.tape
  }

  /// The bytes of the line that begins at an offset, up to where the next one begins.
  func range(ofLineAt offset: Int) -> Range<Int> {
    let part = parts.part(holding: offset)
    let end = min(index.nextLine(after: offset) ?? parts.end, part.base + part.size)
    return offset..<max(offset, end)
  }

  /// The bytes from the line of one step to the end of the line of another.
  func range(ofLines steps: ClosedRange<Int>) -> Range<Int> {
    let last = range(ofLineAt: index.entry(of: steps.upperBound).offset)
    return index.entry(of: steps.lowerBound).offset..<last.upperBound
  }

  /// The bytes from the line of one step up to the line of the next after another.
  func range(of steps: ClosedRange<Int>) -> Range<Int> {
    let start = index.entry(of: steps.lowerBound).offset
    return start..<(endOfLines(of: steps.upperBound))
  }

  /// Where the lines end that belong to a step: its own and those up to the next step.
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
    return Notice(finding, line: line, file: parts.parts.count > 1 ? part.file.name : nil)
  }

  func hasSkipped(_ notice: Notice, at offset: Int) -> Bool {
    index.hasSkipped(
      line: notice.line, of: notice.file, inFirstPart: parts.part(holding: offset).base == 0)
  }

  /// Lists a finding about a file once.
  mutating func noteOnce(_ finding: Notice.Finding, file: String? = nil) {
    guard !notices.contains(where: { $0.finding == finding }) else { return }
    notices.append(Notice(finding, line: index.lineCount, file: file))
  }

  /// Lists a finding about a line once.
  mutating func note(_ finding: Notice.Finding, at offset: Int) {
    guard noticedLines.count < 100_000, noticedLines.insert(offset).inserted else { return }
    guard noticedLines.count <= 1_000 else { return unlistedNotices += 1 }
    let notice = notice(finding, at: offset)
    guard !hasSkipped(notice, at: offset) else { return }
    notices.append(notice)
  }
}

extension ReaderState {
  /// The line that begins at an offset; nil, with a notice, when it cannot be read.
  mutating func line(at offset: Int) throws(SessionError) -> LogLine? {
    let bytes = try parts.bytes(range(ofLineAt: offset))
    do throws(LineFault) {
      return try LogLine(parsing: bytes)
    } catch {
      note(.badLine(reason: error.reason), at: offset)
      return nil
    }
  }
}

/// Why a line does not tell what it should.
struct LineFault: Error {
  var reason: String
}

extension LogLine {
  /// The line of a text that may begin with zero bytes and end behind a line end.
  init(parsing bytes: [UInt8]) throws(LineFault) {
    try self.init(
      value: bytes.withUnsafeBufferPointer { (bytes) throws(LineFault) in
        try Value(line: bytes)
      })
  }

  init(value: Value) throws(LineFault) {
    do throws(ValueFieldError) {
      try self.init(value)
    } catch {
      throw LineFault(reason: error.description)
    }
  }
}

extension StepLine {
  /// The line of a step whose number the index has from the line's first bytes.
  init(parsing bytes: UnsafeBufferPointer<UInt8>, of step: Int) throws(LineFault) {
    guard case .step(let line) = try LogLine(value: Value(line: bytes)) else {
      throw LineFault(reason: "it tells no step")
    }
    guard line.step.number == step else { throw .twoNumbers }
    self = line
  }
}

extension LineFault {
  static var twoNumbers: LineFault { LineFault(reason: "it gives two numbers") }
}

extension Value {
  init(line bytes: UnsafeBufferPointer<UInt8>) throws(LineFault) {
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    do throws(ParseError) {
      try self.init(parsing: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    } catch {
      throw LineFault(reason: "it is not JSON: \(error.what), column \(error.column)")
    }
  }
}

/// The states that were looked at last.
struct StateCache: Sendable {
  /// Newest last.
  private var entries: [(step: Int, state: Value)] = []
  private let capacity: Int

  /// Room for states of this size in text, within a fixed amount of memory in all.
  init(stateSize: Int) {
    capacity = max(4, min(256, (32 << 20) / max(1, stateSize)))
  }

  mutating func state(after step: Int) -> Value? {
    guard let index = entries.lastIndex(where: { $0.step == step }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.state
  }

  /// The state of the last step in a range that is held.
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

/// Which effects run at places all over the file, so that asking what runs after a step looks at a
/// bounded number of lines, however long the session is.
struct FlightCache: Sendable {
  /// By the position of the first entry that is not yet counted, in ascending order.
  private(set) var places: [Place]
  /// So many entries lie between two places at least.
  private(set) var distance = 512
  private static let capacity = 256

  struct Place: Sendable {
    var position: Int
    /// For each effect that runs where its line begins; nil for one of the header.
    var running: [Int: Int?]
  }

  init(header: SessionHeader) {
    var running: [Int: Int?] = [:]
    for effect in header.effects { running[effect.effect] = .some(nil) }
    places = [Place(position: 0, running: running)]
  }

  /// The last place that is not behind a position.
  func place(before position: Int) -> Place {
    places.last { $0.position <= position } ?? places[0]
  }

  /// Keeps a place when it lies far enough behind all others.
  mutating func keep(_ place: Place) {
    guard let last = places.last, place.position >= last.position + distance else { return }
    places.append(place)
    guard places.count > Self.capacity else { return }
    distance *= 2
    places = places.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
  }
}
