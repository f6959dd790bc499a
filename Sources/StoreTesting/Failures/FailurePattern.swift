/// Which failure is meant: a string stands for every failure whose text contains it.
public struct FailurePattern: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Which failures are meant, as a message goes on after “a failure”.
  public let description: String
  private let matches: @Sendable (String) -> Bool

  /// The failures whose text `matches`; `description` names them, as in “with a number in it”.
  public init(_ description: String, where matches: @escaping @Sendable (String) -> Bool) {
    self.description = description
    self.matches = matches
  }

  /// Every failure whose text contains `text`; the empty text stands for all.
  public init(stringLiteral text: String) {
    self.init("with “\(text)”") { text.isEmpty || $0.contains(text) }
  }

  /// A failure with exactly this text.
  public static func exactly(_ text: String) -> FailurePattern {
    FailurePattern("saying exactly “\(text)”") { $0 == text }
  }

  /// Every failure, whatever its text.
  public static let any = FailurePattern("of any kind") { _ in true }

  func matches(text: String) -> Bool { matches(text) }
}
