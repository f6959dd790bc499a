/// One sentence at the bottom.
public struct Message: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case news, warning, failure
  }

  public var text: String
  public var kind: Kind
  /// Where there is no room for all of it, its end is left out: the cause stands first.
  public var keepsStart: Bool

  public init(_ text: String, _ kind: Kind = .news, keepsStart: Bool = false) {
    self.text = text
    self.kind = kind
    self.keepsStart = keepsStart
  }
}
