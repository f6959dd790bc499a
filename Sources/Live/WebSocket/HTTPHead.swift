import TextCanvas

/// The head of an HTTP/1.1 request or response: the first line and the headers.
package struct HTTPHead: Sendable {
  package var start: [String]
  /// By names in lower case.
  package private(set) var headers: [String: String] = [:]

  package static let limit = 16 << 10

  package struct Fault: Error { package var what: String }

  /// Reads a head without its empty line.
  package init(_ bytes: some Collection<UInt8>) throws(Fault) {
    // A byte that is not ASCII could look like something else later.
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 9 || $0 == 10 || $0 == 13 }) else {
      throw Fault(what: "the head of a request is not ASCII")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), text.utf8.count <= Self.limit, lines.count < 100,
      !text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        || lines.allSatisfy({ !$0.utf8.contains(10) && !$0.utf8.contains(13) })
    else { throw Fault(what: "the head of a request is malformed") }
    start = first.split(separator: " ", maxSplits: 2).map(String.init)
    guard start.count > 1 else { throw Fault(what: "the first line is not HTTP") }
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        !line[..<colon].contains(where: \.isWhitespace)
      else { throw Fault(what: "a header is malformed") }
      let name = line[..<colon].lowercased()
      let value = Self.trimmed(line[line.index(after: colon)...])
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
  }

  package subscript(name: String) -> String? { headers[name] }

  /// Whether a header's list has a word, in any case.
  package func has(_ word: String, in name: String) -> Bool {
    (headers[name] ?? "").split(separator: ",").contains { Self.trimmed($0).lowercased() == word }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }

  /// The key that answers the one of a client, by RFC 6455.
  package static func accept(_ key: String) -> String {
    Base64.text(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}

/// SHA-1, which RFC 6455 wants. It protects nothing here.
package enum SHA1 {
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + 4 * word + $1]) }
      }
      for index in 16..<80 {
        let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
        words.append(word << 1 | word >> 31)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for (index, word) in words.enumerated() {
        let (mixed, constant): (UInt32, UInt32) =
          switch index / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = (a << 5 | a >> 27) &+ mixed &+ e &+ constant &+ word
        (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { word in (0..<4).map { UInt8(word >> (24 - 8 * UInt32($0)) & 0xFF) } }
  }
}
