import Platform

/// Something the driver needed from the system, and did not get.
public struct DriverError: Error, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }

  init(_ what: String, error: Int32) {
    description = "\(what): \(errorText(error))"
  }
}
