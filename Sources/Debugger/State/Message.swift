/// One sentence at the bottom.
public struct Message: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case news, warning, failure
  }

  public var text: String
  public var kind: Kind

  public init(_ text: String, _ kind: Kind = .news) {
    self.text = text
    self.kind = kind
  }
}
