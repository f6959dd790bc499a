import Platform

package enum Dump {
  package static func line(_ value: Any, limit: Int = 1_000) -> String {
    var line = LineDump(limit: limit)
    line.append(value)
    return line.text
  }

  static let width = 80

  package static func lines(_ value: Any) -> [String] {
    let short = line(value, limit: width + 1)
    if short.count <= width, !short.contains("\n") { return [short] }
    var block = BlockDump()
    block.append(value, label: "", depth: 0)
    return block.lines
  }

  static func leaf(_ value: Any) -> String {
    switch value {
    case let text as String: return quoted(text)
    case let text as Substring: return quoted(String(text))
    case let character as Character: return quoted(String(character))
    case let number as Double: return "\(number)"
    case let type as Any.Type: return TypeName.short(type) + ".self"
    default: break
    }
    let mirror = Mirror(showing: value)
    if mirror.displayStyle == .optional { return "nil" }
    if value is any CustomStringConvertible || value is any CustomDebugStringConvertible {
      return String(describing: value)
    }
    return TypeName.short(type(of: value)) + "()"
  }

  static func quoted(_ text: String) -> String { text.debugDescription }

  static func brackets(of reflected: Reflected) -> (open: String, close: String) {
    switch reflected.shape {
    case .leaf: (leaf(reflected.value), "")
    case .closure: (TypeName.short(reflected.type), "")
    case .structure, .object: (TypeName.short(reflected.type) + "(", ")")
    case .tuple: ("(", ")")
    case .enumeration(let name):
      reflected.parts.isEmpty ? (".\(name)", "") : (".\(name)(", ")")
    case .sequence: ("[", "]")
    case .set: ("Set([", "])")
    case .dictionary: ("[", "]")
    }
  }

  /// The parts in display order; sets and dictionaries are sorted.
  static func shownParts(of reflected: Reflected) -> [Reflected.Part] {
    switch reflected.shape {
    case .set:
      return reflected.parts.map { ($0, line($0.value)) }.sorted { naturally($0.1, $1.1) }
        .map { $0.0 }
    case .dictionary:
      return reflected.parts.compactMap { Mirror.pair($0.value) }
        .map { (line($0.key), $0.value) }
        .sorted { naturally($0.label ?? "", $1.label ?? "") }
    default:
      return reflected.parts
    }
  }

  /// Numbers by size, other texts by letters.
  package static func naturally(_ left: String, _ right: String) -> Bool {
    if let left = Double(left), let right = Double(right) { return left < right }
    return left < right
  }
}

struct LineDump {
  private(set) var text = ""
  let limit: Int
  private(set) var objects: Set<ObjectIdentifier> = []
  private(set) var depth = 0

  private var isFull: Bool { text.utf8.count >= limit }

  mutating func append(_ value: Any) {
    guard !isFull, depth < 64 else { return text += "…" }
    let reflected = Reflected(value)
    let (open, close) = Dump.brackets(of: reflected)
    text += open
    guard !close.isEmpty else { return }
    if case .object(let id) = reflected.shape, !objects.insert(id).inserted {
      text += "↩" + close
      return
    }
    depth += 1
    appendParts(of: reflected)
    depth -= 1
    if case .object(let id) = reflected.shape { objects.remove(id) }
    text += close
  }

  private mutating func appendParts(of reflected: Reflected) {
    if case .dictionary = reflected.shape, reflected.parts.isEmpty { text += ":" }
    for (index, part) in Dump.shownParts(of: reflected).enumerated() {
      if index > 0 { text += ", " }
      if isFull { return text += "…" }
      if let label = part.label { text += label + ": " }
      append(part.value)
    }
  }
}

struct BlockDump {
  private(set) var lines: [String] = []
  private(set) var objects: Set<ObjectIdentifier> = []
  private static let mostParts = 200

  mutating func append(_ value: Any, label: String, depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    let reflected = Reflected(value)
    let (open, close) = Dump.brackets(of: reflected)
    if case .object(let id) = reflected.shape, objects.contains(id) {
      return lines.append(indent + label + open + "↩" + close)
    }
    let room = max(Dump.width - indent.count - label.count, 20)
    let short = Dump.line(value, limit: room + 1)
    if close.isEmpty || short.count <= room || depth > 64 {
      let whole = short.count <= room ? short : Dump.line(value, limit: .max)
      return lines.append(indent + label + whole)
    }
    if case .object(let id) = reflected.shape { objects.insert(id) }
    lines.append(indent + label + open)
    appendParts(of: reflected, depth: depth + 1)
    lines.append(indent + close)
    if case .object(let id) = reflected.shape { objects.remove(id) }
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
