/// Which failure is meant: a string stands for every failure whose text contains it.
public struct FailurePattern: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  public let description: String
  private let matches: @Sendable (String) -> Bool

  public init(_ description: String, where matches: @escaping @Sendable (String) -> Bool) {
    self.description = description
    self.matches = matches
  }

  public init(stringLiteral text: String) {
    self.init("with “\(text)”") { text.isEmpty || $0.contains(text) }
  }

  /// A failure with exactly this text.
  public static func exactly(_ text: String) -> FailurePattern {
    FailurePattern("saying exactly “\(text)”") { $0 == text }
  }

  public static let any = FailurePattern("of any kind") { _ in true }

  func matches(text: String) -> Bool { matches(text) }
}
