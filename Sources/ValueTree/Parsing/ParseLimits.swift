/// How much a text may ask of the parser before it is turned away with a ``ParseError``.
public struct ParseLimits: Sendable, Hashable {
  /// How many arrays and objects may be open at once.
  public var depth: Int
  /// How many bytes the text may have.
  public var size: Int

  public init(depth: Int = 1_000, size: Int = 1 << 31) {
    self.depth = depth
    self.size = size
  }

  public static let standard = ParseLimits()
}
