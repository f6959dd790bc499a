/// A pattern of RFC 9485 (I-Regexp), matched in time that grows with the length of the text only.
///
/// ```swift
/// let pattern = try TextPattern("cart/(added|removed)")
/// pattern.matches("cart/added")  // true
/// pattern.isFound(in: "the cart/removed step")  // true
/// ```
public struct TextPattern: Sendable {
  public let text: String
  private let program: PatternProgram

  public init(_ text: String) throws(PatternError) {
    self.text = text
    var parser = PatternParser(text)
    program = try PatternProgram(try parser.parse())
  }

  /// Whether the whole text matches.
  public func matches(_ text: String) -> Bool {
    var work = Int.max
    return matches(text, work: &work)
  }

  /// Whether some part of the text matches.
  public func isFound(in text: String) -> Bool {
    var work = Int.max
    return isFound(in: text, work: &work)
  }

  /// `work` is lowered for each letter and state; below 0 the answer is false and worthless.
  func matches(_ text: String, work: inout Int) -> Bool {
    PatternMatcher(program).matches(text.unicodeScalars, whole: true, work: &work)
  }

  func isFound(in text: String, work: inout Int) -> Bool {
    PatternMatcher(program).matches(text.unicodeScalars, whole: false, work: &work)
  }
}

extension TextPattern: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

/// Why a text is no pattern of RFC 9485.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  public var what: String
  /// The character of the pattern, from 0.
  public var offset: Int

  public var description: String { "\(what) (character \(offset + 1))" }
}
