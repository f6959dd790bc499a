import ValueTree

/// A message of an agent, as the recorder for Python writes it: a role, a text and calls of tools.
package struct ChatMessage: Sendable {
  /// `user`, or `tool price`; `remove #5`.
  package let speaker: String
  package let text: String
  package let calls: [Call]
  /// Its other members: usage, its id and the like.
  package let rest: ValueObject

  /// A call of a tool, shown like a case of Swift: `price(item: "tea")`.
  package struct Call: Sendable {
    package let shown: Value
    package let arguments: Value
  }

  private static let roles: Set = [
    "user", "assistant", "system", "tool", "function", "chat", "remove",
  ]
  private static let keys: Set = [
    "role", "text", "blocks", "tools", "name", "for", "status", "artifact", "usage", "wrong",
    "more", "metadata", "chunk", "id", "as",
  ]

  package init?(_ value: Value) {
    guard case .object(var object) = value, object.count > 1,
      case .string(let role)? = object["role"], Self.roles.contains(role),
      object.allSatisfy({ Self.keys.contains($0.key) })
    else { return nil }
    switch (object["text"], object["blocks"]) {
    case (.string(let text)?, nil): self.text = text
    case (nil, .array(let blocks)?): text = blocks.map(Self.words).joined(separator: "\n")
    default: return nil
    }
    var parts = [role]
    for key in ["name", "as"] + (role == "remove" ? ["id"] : []) {
      if case .string(let word)? = object[key] { parts.append(word) }
    }
    if object["status"] == "error" { parts.append("✗") }
    speaker = parts.joined(separator: " ")
    if case .array(let tools)? = object["tools"] {
      calls = tools.compactMap(Call.init)
    } else {
      calls = []
    }
    for key in ["role", "text", "tools", "name", "as", "status"] { object[key] = nil }
    rest = object
  }

  /// A block's text, or its type: an image.
  private static func words(of block: Value) -> String {
    if case .string(let text) = block { return text }
    if case .string(let text)? = block["text"] { return text }
    if case .string(let type)? = block["type"] { return "(\(type))" }
    return "(block)"
  }
}

extension ChatMessage.Call {
  init?(_ value: Value) {
    guard case .string(let name)? = value["name"], let given = value["args"] else { return nil }
    let content: Value = ["_0": given]
    self.init(shown: .object(ValueObject([(key: name, value: content)])), arguments: given)
  }
}
