import SessionWords
import TimeTravel
import ValueTree

/// Blocks of steps, of which a browser unpacks those that it shows. Each begins with a whole state.
///
/// A block holds columns, because equal things that stand together pack well: labels and senders by
/// their numbers in lists, times, actions, and changes. What few steps have stands in `more`.
final class ReportBlocks {
  static let size = 128 << 10

  /// The first step of each block.
  private(set) var firsts: [Int] = []
  private let write: ([UInt8]) throws -> Void

  private var label = Column()
  private var sender = Column()
  private var time = Column()
  private var action = Column()
  private var changes = Column()
  private var more = Column()
  private var state: [UInt8] = []
  private var names = Numbered()
  private var senders = Numbered()
  private var now = 0
  private var next: Int?

  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// One step; a lost one has no label and no sender.
  struct Entry {
    var number: Int
    var label: String?
    var sender: Value = ["", ""]
    var time: Duration?
    var action: Value
    var state: Value?
    /// Nil if the state before or after is unknown.
    var changes: [Value]?
    var more: ValueObject = [:]
  }

  func add(_ entry: Entry) throws {
    // What the file lost has its place, too.
    while let next, next < entry.number { try append(Entry(number: next, action: .null)) }
    try append(entry)
  }

  private func append(_ entry: Entry) throws {
    next = entry.number + 1
    let filled = label.bytes.count + action.bytes.count + changes.bytes.count + more.bytes.count
    // A large state would be most of a small block.
    if firsts.isEmpty || filled >= max(Self.size, 2 * state.count) {
      try finish()
      firsts.append(entry.number)
      state = entry.state.map(\.forPage).map { $0.bytes() } ?? Array("null".utf8)
    }
    label.add(entry.label.map { names[.string($0)] } ?? .null)
    sender.add(senders[entry.sender])
    let milliseconds = entry.time.map { Int($0 / .milliseconds(1)) }
    time.add(milliseconds.map { Value($0 - now) } ?? .null)
    now = milliseconds ?? now
    action.add(entry.action.forPage)
    changes.add(entry.changes.map { .array(ValueArray($0)) } ?? .null)
    if !entry.more.isEmpty {
      more.bytes += "\"\(entry.number)\":".utf8
      more.add(.object(entry.more))
    }
  }

  func finish() throws {
    guard let first = firsts.last else { return }
    var block = Array("{\"first\":\(first),\"state\":".utf8) + state
    let lists = [("names", names.column), ("senders", senders.column), ("label", label)]
    for (name, column) in lists + [
      ("sender", sender), ("time", time), ("action", action), ("changes", changes),
    ] {
      block += ",\"\(name)\":[".utf8 + column.bytes.dropLast() + "]".utf8
    }
    try write(block + ",\"more\":{".utf8 + more.bytes.dropLast() + "}}".utf8)
    (label, sender, time, action) = (Column(), Column(), Column(), Column())
    (changes, more, names, senders, now) = (Column(), Column(), Numbered(), Numbered(), 0)
  }

  private struct Column {
    var bytes: [UInt8] = []

    mutating func add(_ value: Value) {
      bytes += value.bytes()
      bytes.append(UInt8(ascii: ","))
    }
  }

  /// Values that have a number each.
  private struct Numbered {
    var column = Column()
    private var numbers: [Value: Int] = [:]

    subscript(value: Value) -> Value {
      mutating get {
        if let known = numbers[value] { return Value(known) }
        numbers[value] = numbers.count
        column.add(value)
        return Value(numbers.count - 1)
      }
    }
  }
}

extension Value {
  /// The value with the JSON text in place of each number, text and word, so that a browser keeps
  /// all digits.
  var forPage: Value {
    switch self {
    case .object(let object):
      var copy = ValueObject()
      for (key, value) in object { copy[key] = value.forPage }
      return .object(copy)
    case .array(let array): return .array(ValueArray(array.map(\.forPage)))
    default: return .string(text())
    }
  }
}

/// The changes from one state to the next. A change is a sign and a place.
enum ReportChanges {
  /// What puts the new state in the place of the old one: with the new value, or for a moved
  /// element with its old place.
  static func steps(from old: Value, to new: Value) -> [Value] {
    Difference(from: old, to: new).patch.operations.compactMap { operation -> Value? in
      switch operation {
      case .add(let place, let value): [.string("+\(place)"), value.forPage]
      case .replace(let place, let value): [.string("~\(place)"), value.forPage]
      case .remove(let place): [.string("-\(place)")]
      case .move(let from, let to): [.string("^\(to)"), .string("\(from)")]
      case .copy, .test: nil
      }
    }
  }

  /// What people are shown, as `diff` shows it: with the old place, where that is another one. A
  /// number at the end counts those left out.
  static func list(from old: Value, to new: Value, limit: Int = 200) -> [Value] {
    let changes = Difference(from: old, to: new, matching: .shown).changes
    let list = changes.prefix(limit).map { change -> Value in
      let sign =
        switch change.kind {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        case .moved: "^"
        }
      let place = Value.string("\(sign)\(change.path)")
      return change.path == change.oldPath ? [place] : [place, .string("\(change.oldPath)")]
    }
    return changes.count > limit ? list + [Value(changes.count - limit)] : list
  }

  /// Whether people would read the same in both.
  static func areAlike(_ steps: [Value], _ list: [Value]) -> Bool {
    steps.count == list.count
      && zip(steps, list).allSatisfy {
        $0[0] == $1[0] && ($0[0]?.string?.first != "^" || $0[1] == $1[1])
      }
  }
}
