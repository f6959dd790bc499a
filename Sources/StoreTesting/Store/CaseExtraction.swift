/// Takes out of an enum what a constructor of one of its cases, or of cases in cases, put in.
struct CaseExtraction<Root, Value>: Sendable {
  private let embed: @Sendable (Value) -> Root

  init(_ embed: @escaping @Sendable (Value) -> Root) {
    self.embed = embed
  }

  /// Goes down the payloads to one of the right type, and keeps it if putting it back in leads
  /// through the same cases.
  func value(in root: Root) -> Value? {
    var payload: Any = root
    var names: [String] = []
    while let (name, inner) = Self.step(into: payload) {
      names.append(name)
      payload = inner
      if let value = payload as? Value, Self.names(of: embed(value), count: names.count) == names {
        return value
      }
    }
    return nil
  }

  private static func step(into value: Any) -> (name: String, payload: Any)? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum || mirror.displayStyle == .optional,
      let payload = mirror.children.first
    else { return nil }
    return (payload.label ?? "", payload.value)
  }

  private static func names(of root: Any, count: Int) -> [String] {
    var names: [String] = []
    var value = root
    while names.count < count, let (name, inner) = step(into: value) {
      names.append(name)
      value = inner
    }
    return names
  }
}
