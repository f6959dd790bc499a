/// The version of the session format: `1.0`. A newer minor version can be read, a newer major not.
public struct FormatVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public static let current = FormatVersion(major: 1, minor: 0)

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]),
      major >= 0, minor >= 0
    else { return nil }
    self.init(major: major, minor: minor)
  }

  public var description: String { "\(major).\(minor)" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
