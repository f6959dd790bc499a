/// The version of the talk between debugger and host. A newer minor version only adds keys and
/// kinds, which the older side ignores.
public struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public static let current = ProtocolVersion(major: 2, minor: 0)

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  public var description: String { "\(major).\(minor)" }
}
