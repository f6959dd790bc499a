/// The reason why a path query or a condition cannot be parsed.
public struct QueryError: Error, Sendable, Hashable {
  /// The whole text.
  public var text: String
  /// The byte where the mistake begins.
  public var offset: Int
  /// The mistake, without its place.
  public var what: String
  /// Advice on how to write it, if known.
  public var hint: String?
  /// The unknown word in place of a step's word; nil for other mistakes.
  package var unknownWord: String?

  /// The column in characters, from 1.
  public var column: Int { String(decoding: text.utf8.prefix(offset), as: UTF8.self).count + 1 }
}

extension QueryError: CustomStringConvertible {
  /// The text with a caret under the mistake, and the words for it.
  public var description: String {
    let caret = String(repeating: " ", count: column - 1) + "^ "
    return ([text, caret + what] + (hint.map { [$0] } ?? [])).map(\.withoutControls)
      .joined(separator: "\n")
  }
}

extension String {
  fileprivate var withoutControls: String {
    String(
      map { character in
        let isControl = character.unicodeScalars.contains {
          $0.value < 0x20 || (0x7F..<0xA0).contains($0.value)
        }
        return isControl ? " " : character
      })
  }
}

/// The reason why a running query stopped.
public enum QueryRunError: Error, Sendable, Hashable {
  /// The query found too much.
  case tooManyMatches(limit: Int)
  /// The query looked at too much.
  case tooMuchWork(limit: Int)
  /// The condition asks about other steps, but got no answers.
  case neighboursUnknown
  /// The text that it looked at is no JSON.
  case unreadable
}

extension QueryRunError: CustomStringConvertible {
  /// The limit, in words.
  public var description: String {
    switch self {
    case .tooManyMatches(let limit):
      "The query has more than \(limit) matches: ask for fewer, or raise the limit."
    case .tooMuchWork(let limit):
      "The query was given up after \(limit) values: ask about a smaller part, or raise the limit."
    case .neighboursUnknown:
      "The condition asks about other steps (precededBy, followedBy): it needs their answers."
    case .unreadable: "The text is no JSON."
    }
  }
}

/// The limits of a query; beyond them it throws a ``QueryRunError``.
public struct QueryLimits: Sendable, Hashable {
  /// The most values found.
  public var matches: Int
  /// The most values looked at, plus letters compared with patterns.
  public var work: Int

  /// Creates limits, by default a million matches and a few seconds of work.
  public init(matches: Int = 1_000_000, work: Int = 200_000_000) {
    self.matches = matches
    self.work = work
  }

  /// A million matches and a few seconds of work.
  public static let standard = QueryLimits()
}
