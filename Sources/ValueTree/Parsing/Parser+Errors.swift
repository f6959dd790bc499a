extension Parser {
  func expected(_ wanted: String) -> ParseError { error(.expected(wanted, found: foundHere)) }

  private var foundHere: String {
    guard let byte else { return "the end of the text" }
    switch byte {
    case 0x21...0x7E: return String(UnicodeScalar(byte))
    case 0x20: return "a space"
    case 0x0A, 0x0D: return "a line end"
    case 0x80...: return "a character outside ASCII"
    default: return "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
    }
  }

  func error(_ problem: ParseError.Problem, at offset: Int? = nil) -> ParseError {
    let offset = min(offset ?? position, bytes.count)
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return ParseError(
      problem: problem, offset: offset,
      line: 1 + before.count { $0 == 0x0A },
      column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 },
      path: path)
  }

  /// The pointer of the place where the parser stands.
  private var path: String {
    var path = ""
    for (depth, container) in containers.enumerated() {
      let next = depth + 1 < containers.count ? containers[depth + 1] : nil
      if container.isObject {
        let end = next?.firstKey ?? keys.count
        guard end > container.firstKey else { continue }
        path += "/" + escapedForPointer(keys[end - 1])
      } else {
        path += "/\((next?.firstValue ?? values.count) - container.firstValue)"
      }
    }
    return path
  }
}

func escapedForPointer(_ key: String) -> String {
  var text = ""
  for scalar in key.unicodeScalars {
    switch scalar {
    case "~": text += "~0"
    case "/": text += "~1"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}
