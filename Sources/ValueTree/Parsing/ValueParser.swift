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

/// How much a text may ask of the parser before it is turned away with a ``ParseError``.
public struct ParseLimits: Sendable, Hashable {
  /// How many arrays and objects may be open at once.
  public var depth: Int
  /// How many bytes the text may have.
  public var size: Int

  /// A thousand levels and two gigabytes, unless said otherwise.
  public init(depth: Int = 1_000, size: Int = 1 << 31) {
    self.depth = depth
    self.size = size
  }

  /// A thousand levels and two gigabytes: enough for every text that a program wrote.
  public static let standard = ParseLimits()
}

extension Value {
  /// Reads one JSON text (RFC 8259), whole.
  ///
  /// ```swift
  /// let cart = try Value(parsing: #"{"total": 9.50}"#)
  /// cart.text()  // {"total":9.50}
  /// ```
  ///
  /// Rules where the standard leaves a choice:
  /// - A key that comes twice: the last value counts, at the place of the first.
  /// - Bytes that are not UTF-8 are an error; an escaped lone surrogate becomes U+FFFD.
  /// - A byte order mark at the start is skipped.
  /// - Numbers keep every digit (see ``Number``).
  public init(
    parsing bytes: some Collection<UInt8>, limits: ParseLimits = .standard
  ) throws(ParseError) {
    let parsed = bytes.withContiguousStorageIfAvailable { Self.parsed($0, limits) }
    self = try (parsed ?? Array(bytes).withUnsafeBufferPointer { Self.parsed($0, limits) }).get()
  }

  /// Reads JSON; anything after the value but white space is an error.
  public init(parsing text: String, limits: ParseLimits = .standard) throws(ParseError) {
    var text = text
    self = try text.withUTF8 { Self.parsed($0, limits) }.get()
  }

  private static func parsed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: ParseLimits
  ) -> Result<Value, ParseError> {
    var parser = Parser(bytes: bytes, limits: limits)
    return Result { () throws(ParseError) in try parser.parse() }
  }
}
