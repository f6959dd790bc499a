import TimeTravel

/// The payloads of listed rows. A row shows only what differs from the nearest one of its kind above
/// it, with `…` for the rest: `form/typed name: "A"`, then `"Ad"`, `"Ada"`. The first of a kind
/// compares with the next one, unless its payload is short.
struct StepPayloads {
  private var texts: [Int: String] = [:]
  private static let short = 24

  init(_ rows: [StepRow]) {
    var above: [String: StepRow] = [:]
    var below: [String: StepRow] = [:]
    for row in rows {
      guard let first = above[row.label] else {
        above[row.label] = row
        continue
      }
      if below[row.label] == nil, first.payload.count > Self.short { below[row.label] = row }
    }
    above = [:]
    var last: StepRow?
    for row in rows {
      let old = above[row.label] ?? below[row.label]
      texts[row.number] =
        Self.text(of: row, after: old, isNext: last?.label == row.label) ?? row.payload
      above[row.label] = row
      last = row
    }
  }

  subscript(row: StepRow) -> String { texts[row.number] ?? row.payload }

  private static func text(of row: StepRow, after old: StepRow?, isNext: Bool) -> String? {
    let field = row.parts.field ?? row.parts.onlyInside
    guard let old, row.parts.count > 1, old.parts.map(\.path) == row.parts.map(\.path) else {
      return field
    }
    let new = zip(row.parts, old.parts).filter { $0.text != $1.text }.map(\.0)
    guard new.count < row.parts.count, let first = new.first else { return field }
    if let field { return new.count == 1 && isNext ? first.text : field }
    return new.map { "\($0.name): \($0.text)" }.joined(separator: ", ") + " …"
  }
}

extension [ValuePreview.Part] {
  private static let keys = ["field", "name", "key", "path", "property"]

  /// `requestId: "a"` for `{meta: {requestId: "a"}}`.
  fileprivate var onlyInside: String? {
    guard count == 1, self[0].path.count > 1 else { return nil }
    return "\(self[0].name): \(self[0].text)"
  }

  /// `name: "Ada"` for `{field: "name", value: "Ada"}`.
  fileprivate var field: String? {
    guard count == 2, let value = first(where: { $0.name == "value" }),
      let key = first(where: { Self.keys.contains($0.name) }), key.text.hasPrefix("\"")
    else { return nil }
    return "\(key.text.dropFirst().dropLast()): \(value.text)"
  }
}
