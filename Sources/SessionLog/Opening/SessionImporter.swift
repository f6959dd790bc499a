/// Turns the file of another tool into a session.
public protocol SessionImporter: Sendable {
  /// What its files are called in messages: `Redux DevTools`.
  var format: String { get }

  /// Whether a file is of this kind, told by its first bytes (up to 64 KiB).
  func recognizes(_ start: [UInt8]) -> Bool

  /// Writes the steps of the file at a path into a new session at another, in bounded memory, and
  /// says from time to time which part of the file is done, from 0 to 1.
  func convert(
    _ path: String, into session: String, progress: (Double) throws -> Void
  ) throws
}
