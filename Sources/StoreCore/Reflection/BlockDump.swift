/// Writes a value into several lines, one part a line.
struct BlockDump {
  private(set) var lines: [String] = []
  private let width: Int
  private var objects: Set<ObjectIdentifier> = []
  /// More parts than this are counted, not shown.
  private static let mostParts = 200

  init(width: Int) {
    self.width = width
  }

  mutating func append(_ value: Any, label: String, depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    let reflected = Reflected(value)
    let (open, close) = Dump.brackets(of: reflected)
    if isCycle(reflected) {
      lines.append(indent + label + open + "↩" + close)
      return
    }
    let room = max(width - indent.count - label.count, 20)
    let short = Dump.line(value, limit: room + 1)
    if close.isEmpty || short.count <= room || depth > 64 {
      appendText(short.count <= room ? short : Dump.line(value, limit: .max), indent, label)
      return
    }
    if case .object(let id) = reflected.shape { objects.insert(id) }
    lines.append(indent + label + open)
    appendParts(of: reflected, depth: depth + 1)
    lines.append(indent + close)
    if case .object(let id) = reflected.shape { objects.remove(id) }
  }

  private func isCycle(_ reflected: Reflected) -> Bool {
    guard case .object(let id) = reflected.shape else { return false }
    return objects.contains(id)
  }

  private mutating func appendText(_ text: String, _ indent: String, _ label: String) {
    lines.append(indent + label + text)
  }

  private mutating func appendParts(of reflected: Reflected, depth: Int) {
    let parts = Dump.shownParts(of: reflected)
    for (index, part) in parts.prefix(Self.mostParts).enumerated() {
      append(part.value, label: Self.label(part, index, reflected.shape), depth: depth)
    }
    let hidden = parts.count - Self.mostParts
    if hidden > 0 {
      lines.append(String(repeating: "  ", count: depth) + "… (\(hidden) more)")
    }
  }

  static func label(_ part: Reflected.Part, _ index: Int, _ shape: Reflected.Shape) -> String {
    if let label = part.label { return label + ": " }
    if case .sequence = shape { return "[\(index)]: " }
    return ""
  }
}
