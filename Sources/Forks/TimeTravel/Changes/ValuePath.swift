import ValueTree

/// A readable path to a part of a value: `cart.items[3].title`.
package struct ValuePath: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  package var parts: [Part]

  package init(_ parts: [Part] = []) { self.parts = parts }

  package static let root = ValuePath()

  package var isRoot: Bool { parts.isEmpty }

  package func appending(_ part: Part) -> ValuePath { ValuePath(parts + [part]) }

  package var parent: ValuePath { ValuePath(parts.dropLast()) }

  /// `cart.items[3].title`; unusual keys are quoted: `cart["a b"]`. A function of the user's own
  /// stands as it was typed: `rules.mjs#visible[0]`.
  package var text: String {
    var text = pointer.codeName ?? ""
    for part in parts.dropFirst(text.isEmpty ? 0 : 1) {
      switch part {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\(Self.quoted(key))]"
      }
    }
    return text
  }

  package var pointer: Pointer {
    Pointer(
      tokens: parts.map { part in
        switch part {
        case .index(let index): String(index)
        case .key(let key): key
        }
      })
  }

  static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.first.map { !(48...57).contains($0) } == true
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "$" || $0 == "-" || $0.properties.isAlphabetic
          || $0.properties.numericType == .decimal
      }
  }

  private static func quoted(_ key: String) -> String {
    var text = "\""
    for character in key {
      if character == "\"" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text + "\""
  }
}

/// A place as people type it: `cart.total@12`.
package enum TypedPlace {
  /// Takes `PLACE@STEP` apart.
  package static func split(_ text: String) -> (place: String, step: Int?) {
    guard let at = text.lastIndex(of: "@"), let step = Int(text[at...].dropFirst()) else {
      return (text, nil)
    }
    return (String(text[..<at]), step)
  }
}
