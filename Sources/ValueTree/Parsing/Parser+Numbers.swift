extension Parser {
  mutating func parseNumber() throws(ParseError) -> Number {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") {
      position += 1
    } else {
      try skipDigits()
    }
    var isInteger = true
    if byte == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try skipDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
    return Number(scanned: text, isInteger: isInteger)
  }

  private mutating func skipDigits() throws(ParseError) {
    let start = position
    while let byte, isDigit(byte) { position += 1 }
    if position == start { throw expected("a digit") }
  }
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
