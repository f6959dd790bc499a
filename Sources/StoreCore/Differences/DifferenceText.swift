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
