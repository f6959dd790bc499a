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
