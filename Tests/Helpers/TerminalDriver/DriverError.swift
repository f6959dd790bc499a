import Platform

/// Something the driver needed from the system, and did not get.
package struct DriverError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  init(_ what: String, error: Int32) {
    description = "\(what): \(errorText(error))"
  }
}
