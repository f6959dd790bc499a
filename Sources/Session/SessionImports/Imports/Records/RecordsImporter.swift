import Platform
import SessionFile
import SessionWords
import ValueTree

/// Opens files with one record for each action: as lines, a list, or a list in an object. The rows
/// of ``RecordShape`` describe the tools.
///
/// A record without an action gives the initial state, or the state after the previous action. If
/// states before and after do not match, the log has a gap, and a step says so.
struct RecordsImporter: SessionImporter {
  func recognizes(_ start: [UInt8]) -> Bool {
    recognizesFirst(start) || start.head.first != UInt8(ascii: "[") && recognizesBehind(start)
  }

  private func recognizesBehind(_ start: [UInt8]) -> Bool {
    var (first, rest) = (FirstRecord(), start[...])
    while !first.isOver, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let isFirstLine = first.isAtStart
      if first.shape(ofLine: Array(rest[..<end])) != nil { return !isFirstLine }
      rest = rest[(end + 1)...]
    }
    return !first.isAtStart && !first.isOver && first.shape(ofLine: Array(rest), isCut: true) != nil
  }

  private func recognizesFirst(_ start: [UInt8]) -> Bool {
    let members = RecordStart(start)
    switch start.head.first {
    case UInt8(ascii: "{"):
      guard !members.names.contains("retcon"), !members.isReport else { return false }
      return members.isList || RecordShape.of(record: Set(members.names)) != nil
    case UInt8(ascii: "["):
      // A list of bare actions is Redux's.
      let shape = RecordShape.of(record: Set(members.names))
      return shape.map { $0.action != [] || !members.names.contains("type") } ?? false
    default: return false
    }
  }

  func source(_ path: String) throws -> (file: PartFile, format: any LineFormat) {
    let file = try FileBytes(path: path)
    if let format = try lineFormat(of: file) {
      return (try PartFile(path: path), format)
    }
    var records = try RecordList(file)
    let first = try records.next()
    var shape =
      try first.map { try records.shape(of: $0) }
      ?? RecordShape.all.first { $0.list == records.list } ?? RecordShape.all[0]
    shape.findUnit(in: file, from: first) { try records.next() }
    let indexer = RecordIndexer(try RecordList(file), shape)
    let document = Document(file.descriptor, indexer)
    return (try PartFile(path: path, document: document), indexer.format)
  }

  private func lineFormat(of file: FileBytes) throws -> (any LineFormat)? {
    let start = try RecordStart(of: file)
    guard !start.isArray, !start.isList else { return nil }
    var (first, lines) = (FirstRecord(), LineRanges(file: file))
    while !first.isOver, let range = try lines.next() {
      guard var shape = first.shape(ofLine: try file.bytes(range)) else { continue }
      guard shape.tool != "Rozenite" else { return TapLines(file) }
      shape.findUnit(in: file, from: range) { try lines.next() }
      return RecordLines(shape)
    }
    return nil
  }
}

/// Looks for the first record of a log: also behind a torn line, as rotation leaves it, and behind
/// lines of another program.
private struct FirstRecord {
  private static let mostLines = 16
  private var passed = 0
  private var isBehindOthers = false
  private(set) var isOver = false
  var isAtStart: Bool { passed == 0 }

  /// The tool; nil if the line holds no record. A cut line ends behind the bytes that were read.
  mutating func shape(ofLine line: [UInt8], isCut: Bool = false) -> RecordShape? {
    let head = line.head.first
    var names = isCut && head == UInt8(ascii: "{") ? RecordStart(line).names : nil
    if !isCut, let record = line.withUnsafeBufferPointer({ try? Value(parsing: $0.record) }),
      case .object(let object) = record
    {
      names = object.map(\.key)
    }
    // Much has a type; an action tells a record among lines of others.
    if let shape = names.flatMap({ RecordShape.of(record: Set($0)) }),
      !isBehindOthers || !shape.action.isEmpty
    {
      return shape
    }
    isBehindOthers = passed > 0 || names != nil
    // A line that begins like a part of a value is one, as in an export of several lines.
    let isPart = names == nil && head.map { "{}[]\",".utf8.contains($0) } == true
    isOver = passed > 0 && isPart || passed == Self.mostLines
    passed += 1
    return nil
  }
}

/// Finds the records of a list, and of lines that do not stand alone.
struct RecordIndexer: DocumentIndexer {
  private var records: RecordList
  private let shape: RecordShape
  private typealias OrderedRecord = (order: Double, range: Range<Int>)
  /// The record behind the last one given; nil behind the last of all.
  private var held: OrderedRecord?
  /// The records that are left, once two of them are not in order. The next one is last.
  private var sorted: [OrderedRecord]?
  private var time: Duration?
  private var firstTime: Duration?
  let format: RecordLines
  /// Whether records are lines as they are.
  private let isPlain: Bool
  private let places: RecordPlaces
  private var skippedMark: DocumentLines.Part?

  init(_ records: RecordList, _ shape: RecordShape) {
    (self.records, self.shape) = (records, shape)
    let plain = RecordLines(shape, inList: true)
    isPlain = plain != nil
    places = RecordPlaces(of: shape)
    let arePatches = shape.isPatch && records.initial != nil
    format = plain ?? RecordLines(of: shape.tool, arePatches: arePatches)
  }

  var share: Double { Double(records.offset) / Double(max(1, records.file.count)) }

  mutating func addLines(to lines: inout DocumentLines, most: Int) throws -> Bool {
    let end = most == .max ? .max : lines.size + most
    if records.number == 0, let initial = records.initial {
      lines.addLine([DocumentLines.Part(.state, initial)])
    }
    while true {
      let range = try nextRecord()
      for reason in records.takeLost() { lines.addLost(reason, asNote: !shape.needsAction) }
      guard let range else { break }
      if isPlain {
        lines.addLine([DocumentLines.Part(.members, range.lowerBound + 1..<range.upperBound - 1)])
      } else {
        try addRecord(range, to: &lines)
      }
      if lines.size >= end { return true }
    }
    try addFinalState(to: &lines)
    return false
  }

  private mutating func nextRecord() throws -> Range<Int>? {
    guard let order = shape.order else { return try records.next() }
    let place: ScanPath = [order]
    func next(behind last: OrderedRecord?) throws -> OrderedRecord? {
      guard let (range, told) = try records.next(with: place) else { return nil }
      guard case .number(let own)? = told else { return (last?.order ?? 0, range) }
      return (own.doubleValue, range)
    }
    if sorted == nil {
      // Records that come in order are steps at once.
      let first = records.number == 0 ? try next(behind: nil) : held
      held = try first.flatMap { try next(behind: $0) }
      guard let first, let held, held.order < first.order else { return first?.range }
      // Some tools write the newest record first.
      var found = [first, held]
      while let record = try next(behind: found.last) { found.append(record) }
      sorted = found.sorted {
        ($0.order, $0.range.lowerBound) < ($1.order, $1.range.lowerBound)
      }.reversed()
    }
    return sorted?.popLast()?.range
  }

  private mutating func addRecord(_ range: Range<Int>, to lines: inout DocumentLines) throws {
    let bytes = try records.file.checkedBytes(range)
    bytes.withUnsafeBufferPointer { bytes in
      let record = RecordPlaces.Found(places, in: ValueScanner(bytes))
      func part(_ role: DocumentLines.Role, _ place: Range<Int>) -> DocumentLines.Part {
        DocumentLines.Part(
          role, range.lowerBound + place.lowerBound..<range.lowerBound + place.upperBound)
      }
      if let type = shape.stateRecord?.type, record.value(at: places.stateType) == .string(type) {
        if let place = record.range(of: places.state) { lines.addLine([part(.state, place)]) }
        return
      }
      var parts = [part(.action, record.range(of: places.action) ?? 0..<bytes.count)]
      if let only = shape.only, record.value(at: places.only) != .string(only.value) {
        // No reducer saw it.
        skippedMark = skippedMark ?? lines.make(.members, #""skipped":true"#.utf8)
        if let skippedMark { parts.append(skippedMark) }
      }
      let label = places.labels.lazy.compactMap { record.range(of: $0) }.first {
        bytes[$0.lowerBound] == UInt8(ascii: "\"")
      }
      if let label { parts.append(part(.label, label)) }
      let told = places.times.lazy.compactMap { record.value(at: $0) }.first
      if let time = addTime(shape.time(told: told)) {
        parts.append(lines.make(.members, #""@time":\#(time.decimalSeconds)"#.utf8))
      }
      lines.addLine(parts)
    }
  }

  private mutating func addTime(_ told: Duration?) -> Duration? {
    switch shape.time?.unit {
    case .delayMilliseconds:
      time = (time ?? .zero) + (told ?? .zero)
      return time
    case .seconds, nil: return told
    default:
      firstTime = firstTime ?? told
      return told.map { max(.zero, $0 - (firstTime ?? $0)) }
    }
  }

  /// The state after the last record, in the document or the file beside it.
  private func addFinalState(to lines: inout DocumentLines) throws {
    guard let (path, name) = shape.final, records.number > 0 else { return }
    if let member = path.first.flatMap({ records.member($0) }) {
      let place = try records.file.checkedBytes(member).withUnsafeBufferPointer {
        ValueScanner($0).range(of: ScanPath(path.dropFirst()))
      }
      if let place {
        let start = member.lowerBound
        let state = start + place.lowerBound..<start + place.upperBound
        return lines.addLine([DocumentLines.Part(.state, state)])
      }
    }
    let beside = folderPart(of: records.file.path) + name
    let file = try? FileBytes(path: beside)
    if let file { lines.addLine([lines.make(.state, try file.value(0..<file.count).bytes())]) }
    let note = Value.string(
      file == nil
        ? "\(name) is not beside this file, so the last state is unknown"
        : "the state is the one of \(name), the file beside")
    lines.addLine([lines.make(.members, #""@note":\#(note.text())"#.utf8)])
  }
}
