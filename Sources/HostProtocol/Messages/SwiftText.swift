package enum SwiftText {
  /// Escapes everything invisible or dangerous for a reader.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if scalar.isUnseen {
          result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
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
    var result = ""
    for scalar in json.unicodeScalars {
      guard scalar.isUnseen else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
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
