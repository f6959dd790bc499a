/// Values as text, in the manner of Swift.
package enum Dump {
  /// In one line, cut off after about so many characters.
  package static func line(_ value: Any, limit: Int = 1_000) -> String {
    var line = LineDump(limit: limit)
    line.append(value)
    return line.text
  }

  /// In several lines when it does not fit into one.
  package static func lines(_ value: Any, width: Int = 80) -> [String] {
    let short = line(value, limit: width + 1)
    if short.count <= width, !short.contains("\n") { return [short] }
    var block = BlockDump(width: width)
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
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return "nil" }
    if value is any CustomStringConvertible || value is any CustomDebugStringConvertible {
      return String(describing: value)
    }
    return TypeName.short(type(of: value)) + "()"
  }

  static func quoted(_ text: String) -> String { text.debugDescription }

  /// What stands before and after the parts.
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

  /// The parts in the order in which they are shown: sets and dictionaries have none of their own.
  static func shownParts(of reflected: Reflected) -> [Reflected.Part] {
    switch reflected.shape {
    case .set:
      return reflected.parts.map { ($0, line($0.value)) }.sorted { naturally($0.1, $1.1) }
        .map { $0.0 }
    case .dictionary:
      return reflected.parts.compactMap { Reflected.pair($0.value) }
        .map { Reflected.Part(label: line($0.key), value: $0.value) }
        .sorted { naturally($0.label ?? "", $1.label ?? "") }
    default:
      return reflected.parts
    }
  }

  /// Numbers by size, everything else by its letters.
  package static func naturally(_ left: String, _ right: String) -> Bool {
    if let left = Double(left), let right = Double(right) { return left < right }
    return left < right
  }
}
