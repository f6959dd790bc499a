/// Makes the public types in a feature `Sendable`, because the compiler does not infer it, and gives a
/// public state an initialiser.
enum FeaturePartMacro {
  static func attributes(for part: Declaration, in parent: Declaration?) -> [String] {
    guard part.keyword == "struct" || part.keyword == "enum", !part.isGeneric,
      !part.hasAttribute("Reducer")
    else { return [] }
    var attributes: [String] = []
    if !part.access.isEmpty {
      let isMain = parent != nil && ["State", "Action"].contains(part.name)
      attributes.append(isMain ? "@StoreMacros.FeaturePart" : "@StoreMacros.SendablePart")
    }
    if let parent, parent.keyword == "enum", ReducerMacro.hasButtons(part.name, parent) {
      let wanted = Conformances(of: parent.attributes.first { $0.contains("Reducer(") } ?? "").all
      if wanted.contains("Codable") { attributes.append("@StoreMacros.CodablePart") }
      if wanted.contains("Equatable") { attributes.append("@StoreMacros.EquatablePart") }
    }
    return attributes
  }

  static func members(of part: Declaration) -> String {
    part.name == "State" ? MemberwiseInit.source(of: part) ?? "" : ""
  }
}

struct Conformances {
  private var names: [String: [String]] = [:]

  init(of attribute: String) {
    let start = attribute.firstIndex(of: "(") ?? attribute.endIndex
    var part = "state"
    for token in (try? Lexer.tokens(of: String(attribute[start...]))) ?? []
    where token.kind == .word {
      if token.is("state") || token.is("action") {
        part = token.text
      } else {
        names[part, default: []].append(token.text.prefix(1).uppercased() + token.text.dropFirst())
      }
    }
  }

  var isEmpty: Bool { names.isEmpty }
  var all: [String] { names.values.joined().map(\.self) }

  func compare(_ part: String) -> Bool {
    names[part]?.contains { $0 == "Equatable" || $0 == "Hashable" } == true
  }

  func text(of part: String) -> String {
    names[part, default: []].filter { $0 != "Sendable" }.map { ", Swift.\($0)" }.joined()
  }
}
