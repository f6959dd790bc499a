/// Parses one text after another: keys that were seen in one are foreseen in the next, and objects of
/// all texts share their shapes. For the lines of a log.
///
/// ```swift
/// let parser = ValueParser()
/// for line in lines { try parser.parse(line) }
/// ```
package final class ValueParser {
  private let limits: ParseLimits
  private let trie = KeyTrie()

  package init(limits: ParseLimits = .standard) { self.limits = limits }

  package func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ParseError) -> Value {
    var parser = Parser(bytes: bytes, limits: limits, trie: trie)
    return try parser.parse()
  }

  package func parse(_ bytes: [UInt8]) throws(ParseError) -> Value {
    try bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(ParseError) in try parse(bytes) }
    }.get()
  }
}
