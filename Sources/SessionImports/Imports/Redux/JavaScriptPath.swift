import ValueTree

/// The names of a reference, one after the other: `$.a.b[0]["c d"]` has a, b, 0 and `c d`.
struct JavaScriptPath {
  private var rest: Substring

  init(_ text: String) { rest = text.dropFirst() }

  mutating func next() -> String? {
    switch rest.first {
    case ".":
      rest = rest.dropFirst()
      let name = rest.prefix { $0 != "." && $0 != "[" }
      rest = rest[name.endIndex...]
      return String(name)
    case "[":
      rest = rest.dropFirst()
      return rest.first == "\"" ? quotedName() : index()
    default: return nil
    }
  }

  private mutating func index() -> String {
    let name = rest.prefix { $0 != "]" }
    rest = rest[name.endIndex...].dropFirst()
    return String(name)
  }

  private mutating func quotedName() -> String? {
    var end = rest.index(after: rest.startIndex)
    while end < rest.endIndex, rest[end] != "\"" {
      if rest[end] == "\\" { end = rest.index(after: end) }
      guard end < rest.endIndex else { return nil }
      end = rest.index(after: end)
    }
    guard end < rest.endIndex else { return nil }
    let literal = String(rest[...end])
    rest = rest[rest.index(after: end)...].dropFirst()
    guard case .string(let name)? = try? Value(parsing: literal) else { return nil }
    return name
  }
}
