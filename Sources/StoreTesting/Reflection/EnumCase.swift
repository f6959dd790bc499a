/// The name of an enum's case, also where the enum describes itself in words of its own.
enum EnumCase {
  static func name(of value: Any) -> String {
    func open<Value>(_ value: Value) -> String? {
      runtimeCaseName(value).map { String(cString: $0) }
    }
    return open(value) ?? String(describing: value)
  }
}

/// What `dump` uses in the standard library. Mirrors know the names of cases with payloads only.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
