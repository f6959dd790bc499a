/// The name of an enum's case as the runtime knows it. The standard library prints cases through this
/// entry, but lets a `description` of the user's come first; mirrors know those with payloads only.
package enum EnumCaseName {
  /// Nil for what is no Swift enum.
  package static func of(_ value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      enumCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name)
  }
}

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
