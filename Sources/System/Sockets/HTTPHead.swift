import Essentials
import Platform

/// The head of an HTTP/1.1 request or response: the first line and the headers.
package struct HTTPHead: Sendable {
  package var start: [String]
  /// By names in lower case.
  package private(set) var headers: [String: String] = [:]

  package static let limit = 16 << 10

  package struct Fault: Error, CustomStringConvertible {
    package var what: String
    package var description: String { what }
  }

  /// Reads a head without its empty line.
  package init(_ bytes: some Collection<UInt8>) throws(Fault) {
    // A byte that is not ASCII could look like something else later.
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 9 || $0 == 10 || $0 == 13 }) else {
      throw Fault(what: "the head of a request is not ASCII")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    guard lines.allSatisfy({ !$0.utf8.contains(10) && !$0.utf8.contains(13) }),
      let first = lines.popFirst(), text.utf8.count <= Self.limit, lines.count < 100
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
    Data(SHA1.hash((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
  }
}
