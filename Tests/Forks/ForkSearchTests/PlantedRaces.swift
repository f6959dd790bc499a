import TestSupport

@testable import ForkSearch

/// Sessions of one good day with much in flight, and what is wrong on a bad one.
struct PlantedRace: Sendable {
  enum Kind: String, CaseIterable {
    /// So many pairs have to come the other way round, and nothing else matters.
    case pairs
    /// An answer has to come between two actions of many.
    case windows
  }

  var kind: Kind
  var moves: [(Int, Notes.Action)]
  var bad: String

  func search(in folder: TemporaryFolder) async throws -> HostTrials {
    try await NotesSample.search(moves, for: bad, in: folder)
  }

  private static func race(
    _ kind: Kind, _ bad: String, _ moves: [Notes.Action], then later: [Notes.Action] = []
  ) -> PlantedRace {
    // Six answers that have plays no part, in flight all the time.
    let crowd = (0..<6).map { (5, Notes.Action.fetch($0)) }
    let first = moves.map { (10, $0) }
    let rest = later.enumerated().map { ($0 == 0 ? 900 : 20, $1) }
    return PlantedRace(kind: kind, moves: crowd + first + rest + [(900, .look)], bad: bad)
  }

  private static let typing = "abcdefgh".map { Notes.Action.typed(String($0)) }

  static let all: [PlantedRace] = [
    race(.pairs, "!state.isOpen && count(state.pages[*]) > 0", [.open], then: [.close]),
    race(.pairs, "state.likes == 0 && count(state.pages[*]) > 0", [.like, .open]),
    race(.pairs, "label == 'saved' && state.text == 'b'", [.save], then: [.typed("b")]),
    race(
      .pairs, "state.text == 'b' && state.saved == 'a' && precededBy(state.saved == 'b')",
      [.typed("a"), .save], then: [.typed("b"), .save]),
    race(
      .pairs, "label == 'liked' && count(state.pages[*]) > 0 && state.saved != ''",
      [.typed("a"), .like, .open, .save]),
    race(
      .pairs,
      "label == 'saved' && state.likes == 0 && count(state.pages[*]) == 0 && state.text == 'z'",
      [.like, .open, .typed("a"), .save], then: [.typed("z")]),
    race(.windows, "label == 'saved' && state.text == 'c'", [.save], then: typing),
    race(.windows, "label == 'loaded' && state.text == 'd'", [.open], then: typing),
    race(.windows, "label == 'liked' && state.text == 'f'", [.like], then: typing),
    race(
      .windows, "label == 'loaded' && state.isOpen == false", [.open],
      then: Array(typing[..<3]) + [.close, .open] + Array(typing[3...])),
    race(
      .windows, "label == 'saved' && state.isOpen && state.text == 'd'", [.save],
      then: Array(typing[..<3]) + [.open, .typed("d"), .close] + Array(typing[4...])),
    race(
      .windows, "label == 'saved' && state.text == 'b' && state.saved == 'old'",
      [.typed("old"), .save], then: typing),
    race(
      .windows,
      "label == 'liked' && state.text == 'd' && precededBy(label == 'saved' && state.text == 'b')",
      [.like, .save], then: typing),
    race(
      .windows,
      "label == 'loaded' && state.text == 'c' && precededBy(label == 'liked' && state.text == 'c')",
      [.like, .open], then: typing),
    race(
      .windows, "label == 'liked' && state.likes == 2 && state.text == 'b'", [.like, .like],
      then: typing),
    race(
      .windows,
      "label == 'saved' && state.text == 'e' && precededBy(label == 'loaded' && state.text == 'b')",
      [.save, .open], then: typing),
    race(
      .windows,
      "label == 'saved' && state.saved == 'old' && state.text == 'c' && precededBy(state.saved == 'new')",
      [.typed("old"), .save, .typed("new"), .save], then: typing),
    race(
      .windows, "label == 'loaded' && state.text == 'f' && state.likes == 0", [.like, .open],
      then: typing),
    race(
      .windows, "label == 'saved' && state.text == 'g' && count(state.pages[*]) == 0",
      [.open, .save],
      then: typing),
    race(
      .windows,
      "label == 'liked' && state.text == 'f' && precededBy(label == 'saved' && state.text == 'd') "
        + "&& precededBy(label == 'loaded' && state.text == 'b')",
      [.like, .save, .open], then: typing),
  ]
}
