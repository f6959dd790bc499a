import SessionLog
import TimeTravel
import ValueTree

/// A value as lines that open and close.
///
/// What fits on one line stays on one line; the rest is open until it gets long. `toggled` holds the
/// places where the person wants it the other way.
struct Outline {
  var toggled: Set<ValuePath> = []
  /// The part and how it changed, for the signs at the left.
  var changed: [ValuePath: Span] = [:]
  var width = 60
  private(set) var rows: [PaneRow] = []

  /// More children than this are shown when somebody opens the place by hand.
  static let openAtMost = 40
  /// Nobody reads further; the editor shows it all.
  static let mostChildren = 1_000
  static let mostRows = 5_000

  init(toggled: Set<ValuePath> = [], changed: [ValuePath: Span] = [:], width: Int = 60) {
    self.toggled = toggled
    self.changed = changed
    self.width = max(width, 12)
  }

  mutating func add(
    _ value: Value, name: Span? = nil, at path: ValuePath = .root, indent: Int = 0
  ) {
    guard rows.count < Self.mostRows else { return }
    let label = name.map { [$0, Span(": ", .quiet)] } ?? []
    let children = value.childCount
    guard children > 0 else { return addLine(label + Self.spans(value), value, path, indent) }
    let used = indent * 2 + 3 + label.reduce(0) { $0 + $1.text.count }
    let fits = ValuePreview.fits(value, in: min(max(width - used, 8), 60))
    let opensByItself = !fits && children <= Self.openAtMost && indent < 6
    let isOpen = opensByItself != toggled.contains(path)
    guard isOpen else {
      let preview = [Span(ValuePreview.text(value, limit: 120), .quiet)]
      let count = fits ? [] : [Span(value.summary + " ", .plain)]
      return addLine(label + count + preview, value, path, indent, fold: .closed)
    }
    if let name {
      addLine([name, Span("  \(value.summary)", .quiet)], value, path, indent, fold: .open)
    }
    addChildren(of: value, at: path, indent: name == nil ? indent : indent + 1)
  }

  private mutating func addChildren(of value: Value, at path: ValuePath, indent: Int) {
    switch value {
    case .object(let object):
      for (key, child) in object.prefix(Self.mostChildren) {
        add(child, name: Span(key, .key), at: path.appending(.key(key)), indent: indent)
      }
    case .array(let array):
      for (index, child) in array.prefix(Self.mostChildren).enumerated() {
        add(
          child, name: Span("\(index)", .quiet), at: path.appending(.index(index)), indent: indent)
      }
    default: break
    }
    let left = value.childCount - Self.mostChildren
    if left > 0 {
      rows.append(PaneRow([Span("… \(grouped(left)) more", .quiet)], indent: indent))
    }
  }

  private mutating func addLine(
    _ spans: [Span], _ value: Value, _ path: ValuePath, _ indent: Int,
    fold: PaneRow.Fold = .none
  ) {
    var row = PaneRow(spans, indent: indent)
    row.path = path
    row.value = value
    row.fold = fold
    row.sign = changed[path]
    rows.append(row)
  }

  /// A plain value, or an empty object or array, coloured by its kind.
  static func spans(_ value: Value, limit: Int = 400) -> [Span] {
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
  var childCount: Int {
    switch self {
    case .object(let object): object.count
    case .array(let array): array.count
    default: 0
    }
  }

  /// `[12]` or `{3}`: how much an object or array holds.
  var summary: String {
    switch self {
    case .object(let object): "{\(grouped(object.count))}"
    case .array(let array): "[\(grouped(array.count))]"
    default: ""
    }
  }
}
