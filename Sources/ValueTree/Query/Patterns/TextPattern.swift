/// A pattern of RFC 9485 (I-Regexp), matched in time that grows with the length of the text only.
///
/// ```swift
/// let pattern = try TextPattern("cart/(added|removed)")
/// pattern.matches("cart/added")  // true
/// pattern.isFound(in: "the cart/removed step")  // true
/// ```
public struct TextPattern: Sendable {
  /// As it was written.
  public let text: String
  private let program: PatternProgram

  /// Reads the pattern; an error says at which letter it cannot go on.
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
  /// The same text, letter by letter.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  /// Fits the equality: letter by letter.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

/// Why a text is no pattern of RFC 9485.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, without the place.
  public var what: String
  /// The character of the pattern, from 0.
  public var offset: Int

  /// The words and the character, counted from 1.
  public var description: String { "\(what) (character \(offset + 1))" }
}
