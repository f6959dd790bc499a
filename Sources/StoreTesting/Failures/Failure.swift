import StoreCore

/// Something that a test has to know.
public struct Failure: Sendable, Equatable {
  /// How bad it is.
  public enum Kind: Sendable {
    /// Fails the test.
    case failure
    /// Would fail it, had the test not asked for leniency; shown as a known issue.
    case skipped
    /// Worth a line in the test's output, no more.
    case note
  }

  /// How bad it is.
  public var kind: Kind
  /// What is wrong.
  public var message: String
  /// Where it is told.
  public var place: SourcePlace

  /// Something that is wrong at a place.
  public init(_ message: String, kind: Kind = .failure, place: SourcePlace) {
    self.kind = kind
    self.message = message
    self.place = place
  }
}
