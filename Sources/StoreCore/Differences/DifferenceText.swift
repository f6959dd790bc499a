/// Writes a tree of differences as lines.
package struct DifferenceText {
  private(set) var lines: [String] = []

  /// Nil when there is nothing to be seen. What lies too deep to be shown is compared by `areEqual`.
  package static func of(
    expected: Any, actual: Any,
    areEqual: @escaping (_ actual: Any, _ expected: Any) -> Bool = { actual, expected in
      LeafEquality.areEqualByType(actual, expected) ?? false
    }
  ) -> String? {
    var quick = DifferenceFinder(believesEquality: true, areEqual: areEqual)
    var node = quick.node(expected, actual, isRoot: true)
    if node == nil {
      // Somebody's `==` may call equal what is not.
      var thorough = DifferenceFinder(believesEquality: false, areEqual: areEqual)
      node = thorough.node(expected, actual, isRoot: true)
    }
    guard let node else { return nil }
    var text = DifferenceText()
    text.append(node, label: "", depth: 0)
    return text.lines.joined(separator: "\n")
  }

  mutating func append(_ node: DifferenceNode, label: String, depth: Int) {
    switch node {
    case .replaced(let expected, let actual):
      let (old, new) = Self.distinctDumps(expected, actual)
      append(old, "− ", label, depth)
      append(new, "+ ", label, depth)
    case .lines(let changes):
      append(["\"\"\""], "  ", label, depth)
      for change in changes {
        switch change {
        case .removed(let line): append([String(line)], "− ", "", depth + 1)
        case .inserted(let line): append([String(line)], "+ ", "", depth + 1)
        case .folded(let count): append([Self.unchanged(count)], "  ", "", depth + 1)
        }
      }
      append(["\"\"\""], "  ", "", depth)
    case .parts(let open, let close, let entries):
      append([open], "  ", label, depth)
      append(entries, depth + 1)
      append([close], "  ", "", depth)
    }
  }

  private mutating func append(_ entries: [DifferenceNode.Entry], _ depth: Int) {
    for entry in entries {
      switch entry.change {
      case .changed(let node): append(node, label: entry.label, depth: depth)
      case .removed(let value): append(Dump.lines(value), "− ", entry.label, depth)
      case .inserted(let value): append(Dump.lines(value), "+ ", entry.label, depth)
      case .same(let value): append([Dump.line(value, limit: 80)], "  ", entry.label, depth)
      case .folded(let count): append([Self.unchanged(count)], "  ", "", depth)
      case .hidden(let count): append(["… (\(count) more changed)"], "  ", "", depth)
      }
    }
  }

  private mutating func append(_ text: [String], _ sign: String, _ label: String, _ depth: Int) {
    let indent = sign + String(repeating: "  ", count: depth)
    for (index, line) in text.enumerated() {
      lines.append(indent + (index == 0 ? label : "") + line)
    }
  }

  private static func unchanged(_ count: Int) -> String { "… (\(count) unchanged)" }

  /// Values that differ and look alike are shown with their types or in all detail.
  private static func distinctDumps(_ expected: Any, _ actual: Any) -> ([String], [String]) {
    let (old, new) = (Dump.lines(expected), Dump.lines(actual))
    guard old == new else { return (old, new) }
    if type(of: expected) != type(of: actual) {
      func typed(_ lines: [String], _ value: Any) -> [String] {
        lines.dropLast() + [lines[lines.count - 1] + " (\(String(reflecting: type(of: value))))"]
      }
      return (typed(old, expected), typed(new, actual))
    }
    func detail(_ value: Any) -> [String] {
      var text = ""
      dump(value, to: &text, maxDepth: 20, maxItems: 1_000)
      return text.split(separator: "\n").map(String.init)
    }
    return (detail(expected), detail(actual))
  }
}

/// Where two values differ, as a tree that leads to the differences and leaves out the rest.
indirect enum DifferenceNode {
  case replaced(expected: Any, actual: Any)
  /// Two texts of several lines.
  case lines([LineChange])
  case parts(open: String, close: String, [Entry])

  struct Entry {
    var label: String
    var change: Change
  }

  enum Change {
    case changed(DifferenceNode)
    case removed(Any)
    case inserted(Any)
    /// Not changed, but shown because it says what this is.
    case same(Any)
    /// So many that did not change.
    case folded(Int)
    /// So many that changed, and are too many to be shown.
    case hidden(Int)
  }

  enum LineChange {
    case removed(Substring)
    case inserted(Substring)
    case folded(Int)
  }
}

/// Collects entries and folds what did not change.
struct DifferenceEntries {
  private(set) var entries: [DifferenceNode.Entry] = []
  private var changes = 0
  private var unchanged = 0

  /// More changed parts of one value than this are counted, not shown.
  private static let mostChanges = 100

  /// Whether further changes are only counted, so that nobody has to look into them.
  var isFull: Bool { changes >= Self.mostChanges }

  mutating func addUnchanged(_ count: Int = 1) {
    unchanged += count
  }

  mutating func add(_ label: String, _ change: @autoclosure () -> DifferenceNode.Change) {
    if isFull {
      changes += 1
      return
    }
    fold()
    let change = change()
    if case .same = change {} else { changes += 1 }
    entries.append(DifferenceNode.Entry(label: label, change: change))
  }

  private mutating func fold() {
    guard unchanged > 0 else { return }
    entries.append(DifferenceNode.Entry(label: "", change: .folded(unchanged)))
    unchanged = 0
  }

  /// All entries, with what was only counted at their end; nil where nothing has changed.
  mutating func node(open: String, close: String) -> DifferenceNode? {
    guard changes > 0 else { return nil }
    let hidden = changes - Self.mostChanges
    if hidden > 0 {
      unchanged = 0
      entries.append(DifferenceNode.Entry(label: "", change: .hidden(hidden)))
    }
    fold()
    return .parts(open: open, close: close, entries)
  }
}
