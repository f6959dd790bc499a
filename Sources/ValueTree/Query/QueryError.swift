/// Why a path query or a condition cannot be understood: what, where, and what to write instead.
public struct QueryError: Error, Sendable, Hashable {
  /// The whole text that was to be read.
  public var text: String
  /// The byte at which the trouble begins.
  public var offset: Int
  /// What is wrong, without the place.
  public var what: String
  /// What to do next, when that is known.
  public var hint: String?
  /// The word that stands where one of a step is expected; nil where something else is wrong, or is told.
  package var unknownWord: String?

  /// The column in characters, counted from 1.
  public var column: Int { String(decoding: text.utf8.prefix(offset), as: UTF8.self).count + 1 }
}

extension QueryError: CustomStringConvertible {
  /// The text with a caret under the place of the trouble, and the words for it.
  public var description: String {
    let caret = String(repeating: " ", count: column - 1) + "^ "
    return ([text, caret + what] + (hint.map { [$0] } ?? [])).map(\.withoutControls)
      .joined(separator: "\n")
  }
}

extension String {
  /// The same number of characters, with blanks for those that control a terminal.
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

/// Why a query was given up while it ran.
public enum QueryRunError: Error, Sendable, Hashable {
  /// It finds more than it may.
  case tooManyMatches(limit: Int)
  /// It looks at more than it may.
  case tooMuchWork(limit: Int)
  /// The condition asks about other steps, and nothing was said about them.
  case neighboursUnknown
}

extension QueryRunError: CustomStringConvertible {
  /// What was too much, and how much is allowed.
  public var description: String {
    switch self {
    case .tooManyMatches(let limit):
      "The query has more than \(limit) matches: ask for fewer, or raise the limit."
    case .tooMuchWork(let limit):
      "The query was given up after \(limit) values: ask about a smaller part, or raise the limit."
    case .neighboursUnknown:
      "The condition asks about other steps (precededBy, followedBy): it needs their answers."
    }
  }
}

/// How much a query may do before it is given up with a ``QueryRunError``.
public struct QueryLimits: Sendable, Hashable {
  /// How many values a query may find.
  public var matches: Int
  /// How many values may be looked at, and letters be compared with patterns.
  public var work: Int

  /// A million matches and a few seconds of work, unless said otherwise.
  public init(matches: Int = 1_000_000, work: Int = 200_000_000) {
    self.matches = matches
    self.work = work
  }

  /// A million matches and a few seconds of work.
  public static let standard = QueryLimits()
}
