package enum SwiftText {
  /// Escapes everything invisible or dangerous for a reader.
  package static func quoted(_ text: String) -> String {
    let escaped = text.escaping { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default:
        scalar.isUnseen ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : nil
      }
    }
    return "\"\(escaped)\""
  }

  package static func raw(_ json: String) -> String {
    let json = seen(json)
    var signs = "#"
    while json.contains("\"" + signs) || json.contains("\\" + signs) { signs += "#" }
    return "\(signs)\"\(json)\"\(signs)"
  }

  /// JSON with all characters visible: invisible ones occur only in texts.
  package static func seen(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: \.isUnseen) else { return json }
    return json.escaping { scalar in
      guard scalar.isUnseen else { return nil }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }
}

extension String {
  /// Nil keeps a scalar as it is.
  fileprivate func escaping(_ escaped: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let words = escaped(scalar) { text += words } else { text.unicodeScalars.append(scalar) }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
