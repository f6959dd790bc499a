import Platform
import ValueTree

struct RecordStart {
  private(set) var names: [String] = []
  /// Members that are arrays, or objects with an array ``inner``; and the arrays in an object
  /// ``outer``.
  private(set) var lists: [String] = []
  static let inner = "values"
  static let outer = "a"

  var isList: Bool { lists.contains { list in RecordShape.all.contains { $0.list == list } } }

  init(_ bytes: [UInt8]) {
    var depth = 0
    var text: [UInt8]?
    var last: String?
    var isEscaped = false
    let start = bytes.firstIndex(of: UInt8(ascii: "{")) ?? bytes.endIndex
    for byte in bytes[start...] {
      if text != nil {
        if isEscaped || byte == UInt8(ascii: "\\") {
          isEscaped.toggle()
        } else if byte == UInt8(ascii: "\"") {
          last = text.map { String(decoding: $0, as: UTF8.self) }
          text = nil
        } else if depth <= 2 {
          text?.append(byte)
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): text = []
      case UInt8(ascii: ":"):
        if depth == 1, let last { names.append(last) }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if byte == UInt8(ascii: "["), let name = names.last, let last {
          if depth == 1 || (depth == 2 && last == Self.inner) { lists.append(name) }
          if depth == 2, name == Self.outer { lists.append(last) }
        }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
  }
}

struct RecordList {
  private let file: FileBytes
  /// The list in a file that is an object, and the state before its first record.
  private var list: (name: String, range: Range<Int>)?
  private var initial: Range<Int>?
  private var members: [String: Range<Int>] = [:]
  private(set) var shape: RecordShape?
  private(set) var offset = 0

  init(_ file: FileBytes) throws {
    self.file = file
    let start = RecordStart(try file.bytes(0..<min(file.count, 1 << 16)))
    guard start.isList else { return }
    members = try file.members(at: 0)
    func listName() -> String? {
      members.keys.sorted().first { name in RecordShape.all.contains { $0.list == name } }
    }
    // Elm 0.19.0 wraps the history in its own value.
    if listName() == nil, let outer = members[RecordStart.outer] {
      members = try file.members(at: outer.lowerBound)
    }
    let name = listName()
    list = try name.flatMap { name in
      try members[name].map { (name, try Self.list(in: $0, of: file)) }
    }
    initial = RecordShape.all.first { $0.list == name }?.initial.flatMap { members[$0] }
  }

  private static func list(in range: Range<Int>, of file: FileBytes) throws -> Range<Int> {
    guard try file.byte(at: range.lowerBound) == UInt8(ascii: "{") else { return range }
    return try file.members(at: range.lowerBound)[RecordStart.inner] ?? range
  }

  func initialState() throws -> Value? { try initial.map { try file.value($0) } }

  /// The state after the last record, and the neighbouring file that contains it.
  func finalState() throws -> (state: Value, file: String?)? {
    guard let (path, name) = shape?.final else { return nil }
    if let range = path.first.flatMap({ members[$0] }),
      let state = try file.value(range).member(at: Array(path.dropFirst()))
    {
      return (state, nil)
    }
    guard let beside = try? FileBytes(path: folderPart(of: file.path) + name) else { return nil }
    return (try beside.value(0..<beside.count), name)
  }

  mutating func forEach(_ body: (RecordList, Value, String) throws -> Void) throws {
    var cursor = JSONCursor(file, at: list?.range.lowerBound ?? 0)
    guard try list != nil || cursor.peek() == UInt8(ascii: "[") else { return try lines(body) }
    var number = 0
    var later: [(order: Double, range: Range<Int>, number: Int)] = []
    try cursor.elements { range in
      number += 1
      offset = range.upperBound
      let record = try file.value(range)
      shape = shape ?? self.shape(of: record)
      if let order = shape?.order {
        let place: Double = if case .number(let own)? = record[order] { own.doubleValue } else { 0 }
        later.append((place, range, number))
      } else {
        try tell(record, "\(file.path), record \(number)", body)
      }
    }
    // Some tools write the newest record first.
    for (_, range, number) in later.sorted(by: { ($0.order, $0.number) < ($1.order, $1.number) }) {
      try tell(try file.value(range), "\(file.path), record \(number)", body)
    }
  }

  private func shape(of record: Value) -> RecordShape? {
    RecordShape.of(record: record, under: list?.name)
  }

  private mutating func lines(_ body: (RecordList, Value, String) throws -> Void) throws {
    var lines = LineRanges(file: file)
    var number = 0
    while let range = try lines.next() {
      number += 1
      offset = range.upperBound
      var bytes = try file.bytes(range)
      while let last = bytes.last, [0x20, 0x09, 0x0D, UInt8(ascii: ",")].contains(last) {
        bytes.removeLast()
      }
      let record: Value
      do { record = try Value(parsing: bytes) } catch {
        throw ImportError(
          what: "the line is not JSON: \(error.what)",
          place: "\(file.path), line \(number), column \(error.column)",
          next: "Repair or remove the line")
      }
      try tell(record, "\(file.path), line \(number)", body)
    }
  }

  private mutating func tell(
    _ record: Value, _ place: String, _ body: (RecordList, Value, String) throws -> Void
  ) throws {
    guard case .object = record else {
      let isElm = record == .null && list?.name == "history"
      throw ImportError(
        what: "expected an object, one for each action; found \(record.kindInWords)", place: place,
        next: isElm
          ? "Elm 0.19.0 loses the messages of some apps when it exports them: use 0.19.1"
          : "Remove it, or write it as {\"action\": …}")
    }
    shape = shape ?? self.shape(of: record)
    try body(self, record, place)
  }
}

struct LineRanges {
  let file: FileBytes
  private var offset = 0

  init(file: FileBytes) { self.file = file }

  mutating func next() throws -> Range<Int>? {
    while offset < file.count {
      let start = offset
      var isBlank = true
      var ended = false
      while !ended, offset < file.count {
        let passed = try file.withWindow(at: offset) { window in
          let end = window.firstIndex(of: UInt8(ascii: "\n")) ?? window.count
          if isBlank {
            isBlank = window[..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
          }
          ended = end < window.count
          return end
        }
        offset += passed
      }
      let range = start..<offset
      offset += 1
      guard range.count <= FileBytes.largestValue else {
        throw ImportError.syntax("a single line is too long", path: file.path, offset: start)
      }
      if !isBlank { return range }
    }
    return nil
  }
}
