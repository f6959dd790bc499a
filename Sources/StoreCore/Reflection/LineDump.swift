/// Writes a value into one line.
struct LineDump {
  private(set) var text = ""
  private let limit: Int
  private var objects: Set<ObjectIdentifier> = []
  private var depth = 0

  init(limit: Int) {
    self.limit = limit
  }

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
