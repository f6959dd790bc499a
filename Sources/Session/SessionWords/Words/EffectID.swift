import ValueTree

/// An effect of a session or a fork, as the files number it.
public struct EffectID: Sendable, Hashable, Comparable {
  /// Its number in files and messages.
  public let number: Int

  /// Creates the id of this number.
  public init(_ number: Int) { self.number = number }

  /// Orders effects by their numbers.
  public static func < (one: Self, other: Self) -> Bool { one.number < other.number }

  /// The first effect that only a fork has. No recording counts so far.
  package static let firstOfFork: EffectID = 1_000_000_001

  package var isOfFork: Bool { self >= .firstOfFork }

  /// Its count among the fork's own effects, from 1; nil for others.
  package var countInFork: Int? { isOfFork ? number - Self.firstOfFork.number + 1 : nil }

  package var next: EffectID { EffectID(number + 1) }

  package var words: String {
    countInFork.map { "the fork's own effect \($0)" } ?? "effect \(self)"
  }
}

extension EffectID: ExpressibleByIntegerLiteral, CustomStringConvertible, LineMember {
  /// Creates the id of this number.
  public init(integerLiteral number: Int) { self.init(number) }

  /// The number, as text.
  public var description: String { "\(number)" }

  package var ofLine: Value? { number.ofLine }
}
