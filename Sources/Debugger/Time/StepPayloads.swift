import TimeTravel

/// The payloads of listed rows. A row like one above it shows only what differs from that one:
/// `form/typed name: "A"`, then `"Ad"`, `"Ada"`.
struct StepPayloads {
  private var texts: [Int: String] = [:]

  init(_ rows: [StepRow]) {
    var above: [String: StepRow] = [:]
    var last: StepRow?
    for row in rows {
      let old = above[row.label]
      texts[row.number] =
        Self.text(of: row, after: old, isNext: last?.label == row.label) ?? row.payload
      above[row.label] = row
      last = row
    }
  }

  subscript(row: StepRow) -> String { texts[row.number] ?? row.payload }

  private static func text(of row: StepRow, after old: StepRow?, isNext: Bool) -> String? {
    let field = row.parts.field
    guard let old, row.parts.count > 1, old.parts.map(\.path) == row.parts.map(\.path) else {
      return field
    }
    let new = zip(row.parts, old.parts).filter { $0.text != $1.text }.map(\.0)
    guard new.count < row.parts.count, let first = new.first else { return field }
    if new.count == 1, isNext { return first.text }
    return field ?? new.map { "\($0.name): \($0.text)" }.joined(separator: ", ")
  }
}

extension [ValuePreview.Part] {
  private static let keys = ["field", "name", "key", "path", "property"]

  /// `name: "Ada"` for `{field: "name", value: "Ada"}`.
  fileprivate var field: String? {
    guard count == 2, let value = first(where: { $0.name == "value" }),
      let key = first(where: { Self.keys.contains($0.name) }), key.text.hasPrefix("\"")
    else { return nil }
    return "\(key.text.dropFirst().dropLast()): \(value.text)"
  }
}
