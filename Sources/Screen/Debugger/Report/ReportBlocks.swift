import SessionWords
import TimeTravel
import ValueTree

/// The steps of a branch as the page shows them: an index of all steps, and blocks, of which a
/// browser unpacks those that it needs.
///
/// Both hold columns, because equal things that stand together pack well.
final class ReportBlocks {
  static let size = 128 << 10

  /// The first step of each block.
  private(set) var firsts: [Int] = []
  private let write: ([UInt8]) throws -> Void
  private let outline = ReportOutline()

  // The index. Texts that many steps have are numbered.
  private var names = ReportColumn()
  private var numbers: [String: Int] = [:]
  private var label = ReportColumn()
  private var sign = ReportColumn()
  private var sender = ReportColumn()
  private var from = ReportColumn()
  private var time = ReportColumn()
  private var payload = ReportColumn()

  // The block.
  private var action = ReportColumn()
  private var changes = ReportColumn()
  private var sections = ReportColumn()
  private var next: Int?

  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// One step; a lost one has no label.
  struct Entry {
    var number: Int
    var label: String?
    var sign = ""
    var sender = ""
    /// The step to go to for the sender.
    var from: Int?
    var time: Duration?
    var payload = ""
    var action: Value = .null
    var state: Value?
    var sections: [Value] = []
  }

  func add(_ entry: Entry) throws {
    // Lost steps have their places, too.
    while let next, next < entry.number { try append(Entry(number: next)) }
    try append(entry)
  }

  private func append(_ entry: Entry) throws {
    next = entry.number + 1
    let filled = action.bytes.count + changes.bytes.count + sections.bytes.count
    // A large state would be most of a small block.
    if firsts.isEmpty || filled + outline.size.rest >= max(Self.size, 2 * outline.size.start) {
      try finishBlock()
      firsts.append(entry.number)
      outline.begin()
    }
    label.add(entry.label.map(number) ?? .null)
    sign.add(number(entry.sign))
    sender.add(number(entry.sender))
    from.add(entry.from.map { Value(entry.number - $0) } ?? 0)
    time.add(number(entry.time?.longText ?? ""))
    payload.add(.string(entry.payload))
    let content = entry.label.flatMap { ValuePreview.content(of: entry.action, label: $0) }
    // The list shows all of a small one.
    let isShown = content.map { ValuePreview.fits($0, in: 58) } ?? true
    action.add(isShown ? "" : .string((content ?? .null).text(.pretty).clipped(to: 4_000)))
    changes.add(outline.change(to: entry.state, at: entry.number))
    guard !entry.sections.isEmpty else { return }
    sections.bytes += "\"\(entry.number)\":".utf8
    sections.add(.array(ValueArray(entry.sections)))
  }

  private func number(_ text: String) -> Value {
    if let known = numbers[text] { return Value(known) }
    numbers[text] = numbers.count
    names.add(.string(text))
    return Value(numbers.count - 1)
  }

  private func finishBlock() throws {
    guard !firsts.isEmpty else { return }
    var block = ReportColumn.object([("action", action), ("changes", changes)])
    block.removeLast()
    block += ",\"rows\":".utf8
    block += ReportColumn.object(outline.columns())
    block += ",\"sections\":{".utf8 + sections.bytes.dropLast() + "}}".utf8
    try write(block)
    (action, changes, sections) = (ReportColumn(), ReportColumn(), ReportColumn())
  }

  /// Writes the last block, and then the index.
  func finish(effects: [Value]) throws {
    try finishBlock()
    var list = ReportColumn()
    for effect in effects { list.add(effect) }
    try write(
      ReportColumn.object([
        ("names", names), ("label", label), ("sign", sign), ("sender", sender), ("from", from),
        ("time", time), ("payload", payload), ("effects", list),
      ]))
  }
}

/// The values of many rows, as JSON behind each other.
struct ReportColumn {
  var bytes: [UInt8] = []

  mutating func add(_ value: Value) {
    bytes += value.bytes()
    bytes.append(UInt8(ascii: ","))
  }

  /// An object whose members are columns.
  static func object(_ columns: [(String, ReportColumn)]) -> [UInt8] {
    var all: [UInt8] = [UInt8(ascii: "{")]
    for (name, column) in columns {
      all += "\"\(name)\":[".utf8 + column.bytes.dropLast() + "],".utf8
    }
    all[all.count - 1] = UInt8(ascii: "}")
    return all
  }
}

/// The changes from one state to another, as `diff` shows them and ready to read. Each has a sign,
/// the place, and the values before and after, or the slot of the rows that have them.
enum ReportChanges {
  static func list(
    _ difference: Difference, from old: Value, to new: Value, limit: Int,
    slot: (Int, Difference.Change) -> Int? = { _, _ in nil }
  ) -> Value {
    func name(_ place: Pointer, _ state: Value) -> String {
      place.isRoot ? "the state" : ValuePath(place, in: state).shownText
    }
    func text(_ value: Value?) -> Value {
      value.map { .string(ValuePreview.text($0, limit: 160)) } ?? .null
    }
    var list = difference.changes.prefix(limit).enumerated().map { index, change -> Value in
      let row = slot(index, change).map { Value($0) }
      let place = Value.string(name(change.path, change.kind == .removed ? old : new))
      switch change.kind {
      case .added: return ["+", place, row ?? .null, text(row == nil ? change.new : nil)]
      case .removed: return ["-", place, row ?? text(change.old)]
      case .changed:
        guard let row else { return ["~", place, text(change.old), text(change.new)] }
        return ["~", place, row]
      case .moved:
        return ["^", place, .string("was at \(name(change.oldPath, old))"), text(change.new)]
      }
    }
    let left = difference.changes.count - limit
    if left > 0 { list.append(.string("\(grouped(left)) more")) }
    return .array(ValueArray(list))
  }
}
