import Platform
import SessionWords
import ValueTree

/// The members of a file's first record.
struct RecordStart {
  private(set) var names: [String] = []
  /// Whether the bytes hold all of them.
  private(set) var isWhole = false
  /// Whether it is in a list.
  let isArray: Bool
  /// Members that are arrays, or objects with an array ``inner``; and the arrays in an object
  /// ``outer``.
  private(set) var lists: [String] = []
  /// Members that are JSON as text.
  private var texts: [String] = []
  static let inner = "values"
  static let outer = "a"

  var isList: Bool { lists.contains { list in RecordShape.all.contains { $0.list == list } } }

  /// How many of the first bytes are looked at. If they do not tell the tool, the next size is tried: a
  /// large state may come before the members that tell it.
  static let sizes = [1 << 16, 1 << 19, 1 << 22, 1 << 25]

  /// No tool writes a record with more members.
  private static let most = 10_000

  init(of file: FileBytes) throws {
    self.init([])
    for size in Self.sizes where !isWhole && !isList {
      self.init(try file.bytes(0..<min(file.count, size)))
      if size >= file.count { break }
    }
  }

  init(_ bytes: [UInt8]) {
    isArray = bytes.head.first == UInt8(ascii: "[")
    bytes.withUnsafeBufferPointer { bytes in
      let scanner = ValueScanner(bytes)
      func text(_ key: Range<Int>) -> String {
        String(decoding: bytes[key].dropFirst().dropLast(), as: UTF8.self)
      }
      func begins(_ start: Int, with text: StaticString) -> Bool {
        bytes.dropFirst(scanner.afterSpace(start)).starts(
          with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
      }
      let start = bytes.firstIndex(of: UInt8(ascii: "{")) ?? bytes.count
      let end = scanner.endOfMembers(from: start) { key, start in
        guard names.count < Self.most, lists.count < Self.most else { return nil }
        let name = text(key)
        names.append(name)
        if begins(start, with: "[") { lists.append(name) }
        if begins(start, with: #""["#) || begins(start, with: #""{"#) { texts.append(name) }
        let end = scanner.endOfMembers(from: start) { key, start in
          guard lists.count < Self.most else { return nil }
          let isArray = begins(start, with: "[")
          if isArray, text(key) == Self.inner { lists.append(name) }
          if isArray, name == Self.outer { lists.append(text(key)) }
          return scanner.value(from: start)?.upperBound
        }
        return end ?? scanner.value(from: start)?.upperBound
      }
      isWhole = end != nil
    }
  }

  /// Whether it is the report of Redux DevTools to a server: an export with extra members in any
  /// order.
  var isReport: Bool {
    !Set(names).isDisjoint(with: ["actionsById", "preloadedState"])
      || names.contains("title") && texts.contains("payload")
  }
}

/// The records of a file, as a list or as lines.
struct RecordList {
  let file: FileBytes
  /// The list in a file that is an object, and the state before its first record.
  let list: String?
  let initial: Range<Int>?
  private var members: [String: Range<Int>] = [:]
  private var records: Records
  private(set) var number = 0
  /// Records that cannot be read, behind the last one that was given.
  private var lost: [String] = []

  private enum Records {
    case elements(JSONCursor)
    case lines(LineRanges)
  }

  init(_ file: FileBytes) throws {
    self.file = file
    guard try RecordStart(of: file).isList else {
      (list, initial) = (nil, nil)
      var cursor = JSONCursor(file)
      records =
        try cursor.peek() == UInt8(ascii: "[") ? .elements(cursor) : .lines(LineRanges(file: file))
      return
    }
    members = try file.members(at: 0)
    var name = Self.listName(members)
    // Elm 0.19.0 wraps the history in its own value.
    if name == nil, let outer = members[RecordStart.outer] {
      members = try file.members(at: outer.lowerBound)
      name = Self.listName(members)
    }
    list = name
    initial = RecordShape.all.first { $0.list == name }?.initial.flatMap { [members] in members[$0]
    }
    var start = name.flatMap { [members] in members[$0] }?.lowerBound ?? 0
    if try file.byte(at: start) == UInt8(ascii: "{") {
      start = try file.members(at: start)[RecordStart.inner]?.lowerBound ?? start
    }
    records = .elements(JSONCursor(file, at: start))
  }

  private static func listName(_ members: [String: Range<Int>]) -> String? {
    members.keys.sorted().first { name in RecordShape.all.contains { $0.list == name } }
  }

  func member(_ name: String) -> Range<Int>? { members[name] }

  var offset: Int {
    switch records {
    case .elements(let cursor): cursor.offset
    case .lines(let lines): lines.offset
    }
  }

  /// The next record; nil behind the last one.
  mutating func next() throws -> Range<Int>? { try next(with: nil)?.range }

  /// The same with the value at a place of the record.
  mutating func next(with place: ScanPath?) throws -> (range: Range<Int>, value: Value?)? {
    switch records {
    case .elements(var cursor):
      defer { records = .elements(cursor) }
      do {
        while try cursor.nextElement(number == 0) {
          number += 1
          if try cursor.peek() == UInt8(ascii: "{") {
            guard let place else { return (try checked(try cursor.valueRange(), true), nil) }
            let (range, value) = try cursor.object(with: place)
            return (try checked(range, true), value)
          }
          let range = try cursor.valueRange()
          if list == "history" { _ = try checked(range, false) }
          lost.append("record \(number) of the list is \(try file.value(range).kindInWords)")
        }
      } catch let error as ImportError where list == nil && number > 1 && cursor.isAtEnd {
        lost.append("the file is cut off here: \(error.what)")
      }
      return nil
    case .lines(var lines):
      defer { records = .lines(lines) }
      guard let range = try lines.next() else { return nil }
      number += 1
      let bytes = try file.bytes(range)
      let start = bytes.firstIndex { $0 > 0x20 } ?? 0
      let end = bytes.lastIndex { $0 > 0x20 && $0 != UInt8(ascii: ",") } ?? start - 1
      let record = range.lowerBound + start..<range.lowerBound + end + 1
      let isObject = start < bytes.count && bytes[start] == UInt8(ascii: "{")
      return (try checked(record, isObject), place.flatMap { bytes.value(at: $0, from: start) })
    }
  }

  private func checked(_ range: Range<Int>, _ isObject: Bool) throws -> Range<Int> {
    guard !isObject || range.count < 2 else { return range }
    let record = try value(of: range, number)
    let isElm = record == .null && list == "history"
    throw ImportError(
      what: "expected an object, one for each action; found \(record.kindInWords)",
      place: place(number),
      next: isElm
        ? "Elm 0.19.0 loses the messages of some apps when it exports them: use 0.19.1"
        : "Remove it, or write it as {\"action\": …}")
  }

  mutating func takeLost() -> [String] {
    defer { lost = [] }
    return lost
  }

  func place(_ number: Int) -> String {
    if case .lines = records {
      "\(file.path), line \(number)"
    } else {
      "\(file.path), record \(number)"
    }
  }

  func value(of range: Range<Int>, _ number: Int) throws -> Value {
    guard case .lines = records else { return try file.value(range) }
    let bytes = try file.bytes(range)
    do throws(ParseError) { return try Value(parsing: bytes) } catch {
      throw ImportError(
        what: "the line is not JSON: \(error.what)",
        place: "\(place(number)), column \(error.column)",
        next: "Repair or remove it, or write each record on one line: jq -c . FILE")
    }
  }

  /// The shape of a record, which the first one tells for all.
  func shape(of range: Range<Int>) throws -> RecordShape {
    let record = try value(of: range, 1)
    guard let shape = RecordShape.of(record: record, under: list) else {
      throw ImportError(
        what: "expected {\"action\": …, \"state\": …}, or a record of "
          + Set(RecordShape.all.map(\.tool)).subtracting(["JSON Lines"]).sorted()
          .joined(separator: ", ") + "; found \(record.membersInWords)",
        place: place(1), next: "Write one object for each action")
    }
    return shape
  }
}

extension Value {
  fileprivate var membersInWords: String {
    guard case .object(let object) = self, !object.isEmpty else { return "no member" }
    return "the members " + object.prefix(8).map { "\"\($0.key)\"" }.joined(separator: ", ")
  }
}

struct LineRanges {
  let file: FileBytes
  private(set) var offset = 0

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
        guard offset - start <= FileBytes.largestValue else {
          throw ImportError.syntax("a single line is too long", path: file.path, offset: start)
        }
      }
      let range = start..<offset
      offset += 1
      if !isBlank { return range }
    }
    return nil
  }
}
