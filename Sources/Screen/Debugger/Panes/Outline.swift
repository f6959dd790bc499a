import SessionWords
import TimeTravel
import ValueTree

/// A value as foldable lines.
///
/// It keeps on one line what fits, and opens the rest unless long; manual folding overrides that.
struct Outline {
  let folds: Folds
  let changed: [ValuePath: Span]
  /// The sign of all other lines.
  let sign: Span?
  let width: Int
  private(set) var rows: [PaneRow] = []

  static let openAtMost = 40
  /// The members shown at a time; extra lines turn the page.
  static let pageLength = 200
  static let mostRows = 5_000

  mutating func add(
    _ value: Value, name: Span? = nil, at path: ValuePath = .root, indent: Int = 0
  ) {
    guard rows.count < Self.mostRows else { return }
    let label = name.map { [$0, Span(": ", .quiet)] } ?? []
    let used = indent * 2 + 2 + label.reduce(0) { $0 + $1.text.count }
    let room = max(width - used, 8)
    let inner = CaseContent(of: value, at: path)
    let children = inner.value.childCount
    guard children > 0 else {
      let shown = inner.names.isEmpty ? inner.value : value
      return addLine(label + Self.spans(shown, limit: room), value, path, indent)
    }
    let fits = ValuePreview.fits(value, in: min(room - 2, 60))
    if let message = ChatMessage(value), folds.open[path] ?? !(fits && name != nil) {
      return add(message, label, value, path, indent)
    }
    // A change inside is shown, unless it may be on another page.
    let isChanged = changed[path]?.text == "·" && children <= Self.pageLength
    let opensByItself =
      name == nil || !fits && (children <= Self.openAtMost && indent < 6 || isChanged)
    guard folds.open[path] ?? opensByItself else {
      let shown = inner.names.isEmpty ? inner.value : value
      let preview = [Span(ValuePreview.text(shown, limit: room), .quiet)]
      let count = fits ? [] : [Span(inner.value.summary + " ", .plain)]
      return addLine(label + count + preview, value, path, indent, fold: .closed)
    }
    let cases = inner.names.joined(separator: ".")
    if name != nil || !cases.isEmpty {
      let head =
        (name.map { [$0] } ?? []) + [Span(name == nil || cases.isEmpty ? "" : ": ", .quiet)]
      let size = Span((name == nil && cases.isEmpty ? "" : "  ") + inner.value.summary, .quiet)
      addLine(head + [Span(cases), size], value, path, indent, fold: .open)
    }
    let isNamed = name != nil || !cases.isEmpty
    addChildren(of: inner, holder: path, indent: indent + (isNamed ? 1 : 0))
  }

  static let linesOfText = 6

  /// A message as people read it. Opened by hand it has all of its text, and its other members.
  private mutating func add(
    _ message: ChatMessage, _ label: [Span], _ value: Value, _ path: ValuePath, _ indent: Int
  ) {
    let (isWhole, room) = (folds.open[path] == true, max(width - indent * 2 - 4, 8))
    addLine(
      label + [Span(message.speaker, .key)], value, path, indent, fold: isWhole ? .open : .closed)
    let most = isWhole ? Self.mostRows : Self.linesOfText
    // A row holds no more characters than it is wide, and wrapping reads all it is given.
    let text = message.text.prefix((most + 1) * room)
    let lines = text.split(separator: "\n", maxSplits: most, omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? [""] : String($0).wrapped(to: room) }
    for line in text.isEmpty ? [] : lines.prefix(most) {
      rows.append(PaneRow([Span(line, .string)], indent: indent + 1, sign: sign))
    }
    if lines.count > most || text.endIndex < message.text.endIndex {
      rows.append(PaneRow([Span("… more text", .quiet)], indent: indent + 1, sign: sign))
    }
    for (index, call) in message.calls.enumerated() {
      let place = path.appending(.key("tools")).appending(.index(index))
      let words = ValuePreview.text(call.shown, limit: room)
      addLine([Span(words, .plain)], call.arguments, place, indent + 1)
    }
    guard isWhole else { return }
    for (key, member) in message.rest.map({ ($0.key, $0.value) }) {
      add(member, name: Span(key, .key), at: path.appending(.key(key)), indent: indent + 1)
    }
  }

  private mutating func addChildren(of content: CaseContent, holder: ValuePath, indent: Int) {
    let count = content.value.childCount
    let start = min(folds.starts[holder] ?? 0, max(0, count - 1))
    let end = min(start + Self.pageLength, count)
    func addPage(_ words: String, _ start: Int, showing child: Int) {
      // Before the first child and after the last one, there is no page.
      guard let (part, _) = content.value.child(child) else { return }
      var row = PaneRow([Span(words, .place)], indent: indent, sign: sign, at: holder)
      row.fold = .page(start, cursor: content.path.appending(part))
      rows.append(row)
    }
    addPage("↑ \(grouped(start)) before", max(0, start - Self.pageLength), showing: start - 1)
    for (part, child) in (start..<end).compactMap(content.value.child) {
      let name =
        switch part {
        case .key(let key): Span(key, .key)
        case .index(let index): Span("\(index)", .quiet)
        }
      add(child, name: name, at: content.path.appending(part), indent: indent)
    }
    addPage("↓ \(grouped(count - end)) more", end, showing: end)
  }

  private mutating func addLine(
    _ spans: [Span], _ value: Value, _ path: ValuePath, _ indent: Int,
    fold: PaneRow.Fold = .none
  ) {
    var row = PaneRow(spans, indent: indent, sign: changed[path] ?? sign, at: path, value: value)
    row.fold = fold
    rows.append(row)
  }

  private static func spans(_ value: Value, limit: Int) -> [Span] {
    let text = ValuePreview.text(value, limit: limit)
    switch value {
    case .string: return [Span(text, .string)]
    case .number: return [Span(text, .number)]
    case .bool, .null: return [Span(text, .keyword)]
    case .array, .object: return [Span(text, .quiet)]
    }
  }
}

extension Value {
  /// Nil where it has no such child.
  func child(_ index: Int) -> (part: ValuePath.Part, value: Value)? {
    guard (0..<childCount).contains(index) else { return nil }
    return switch self {
    case .object(let object): (.key(object[index].key), object[index].value)
    case .array(let array): (.index(index), array[index])
    default: nil
    }
  }

  func index(of part: ValuePath.Part) -> Int? {
    switch (self, part) {
    case (.object(let object), .key(let key)): object.firstIndex { $0.key == key }
    case (_, .index(let index)): index
    default: nil
    }
  }

  var childCount: Int {
    switch self {
    case .object(let object): object.count
    case .array(let array): array.count
    default: 0
    }
  }

  var summary: String {
    switch self {
    case .object(let object): "{\(grouped(object.count))}"
    case .array(let array): "[\(grouped(array.count))]"
    default: ""
    }
  }
}
