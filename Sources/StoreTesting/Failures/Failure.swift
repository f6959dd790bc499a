import StoreCore

/// Something that a test has to know.
public struct Failure: Sendable, Equatable {
  public enum Kind: Sendable {
    /// Fails the test.
    case failure
    /// Would fail it, had the test not asked for leniency; shown as a known issue.
    case skipped
    /// Worth a line in the test's output, no more.
    case note
  }

  public var kind: Kind
  public var message: String
  public var place: SourcePlace

  public init(_ message: String, kind: Kind = .failure, place: SourcePlace) {
    self.kind = kind
    self.message = message
    self.place = place
  }
}
