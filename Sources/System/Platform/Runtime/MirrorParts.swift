extension Mirror {
  /// A mirror without parts if showing them would crash.
  package init(showing value: Any) {
    if value is any CustomReflectable || TypeMetadata(type(of: value)).canBeShown {
      self.init(reflecting: value)
    } else {
      let style = TypeMetadata(type(of: value)).isObject ? DisplayStyle.class : .struct
      self.init(value, children: [], displayStyle: style)
    }
  }

  package typealias Part = (label: String?, value: Any)

  /// The parts of a tuple: the runtime labels unnamed ones `.0`, `.1`.
  package var tupleParts: [Part] {
    children.map { ($0.label.flatMap { $0.hasPrefix(".") ? nil : $0 }, $0.value) }
  }

  /// The parts of an enum's payload: one, or a tuple's.
  package var payloadParts: [Part] {
    guard let payload = children.first else { return [] }
    let inner = Mirror(reflecting: payload.value)
    return inner.displayStyle == .tuple ? inner.tupleParts : [(nil, payload.value)]
  }

  /// The members of a struct or a class, inherited ones first.
  package var members: [Child] { (superclassMirror?.members ?? []) + children }

  /// The name of a member in the source: lazy and wrapped properties are stored under another.
  package static func written(_ label: String, isTaken: (String) -> Bool) -> String {
    let lazyPrefix = "$__lazy_storage_$_"
    if label.hasPrefix(lazyPrefix) { return String(label.dropFirst(lazyPrefix.count)) }
    guard label.hasPrefix("_") else { return label }
    let inner = String(label.dropFirst())
    return inner.first?.isLetter == true && !isTaken(inner) ? inner : label
  }

  package static func pair(_ element: Any) -> (key: Any, value: Any)? {
    let parts = Array(Mirror(reflecting: element).children)
    return parts.count == 2 ? (parts[0].value, parts[1].value) : nil
  }
}

/// The runtime's name of an enum's case. The standard library prints cases with this entry point,
/// but prefers a custom `description`; mirrors know only cases with payloads.
package enum EnumCaseName {
  package static func of(_ value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      enumCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name)
  }
}

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
