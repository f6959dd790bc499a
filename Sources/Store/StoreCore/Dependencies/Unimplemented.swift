/// The error of a client's closure that has no implementation.
public struct Unimplemented: Error, Equatable, CustomStringConvertible {
  /// `SearchClient.find`
  public let endpoint: String

  /// Reports an issue that names the closure.
  public init(_ endpoint: String) {
    self.endpoint = endpoint
    reportIssue("\(description) Set it, in a test with withDependencies.")
  }

  /// Names the closure.
  public var description: String { "\(endpoint) was called, but it is not implemented." }
}
