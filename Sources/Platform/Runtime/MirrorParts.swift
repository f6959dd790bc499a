extension Mirror {
  /// A mirror that shows no parts where the runtime would end the program over them.
  package init(showing value: Any) {
    if value is any CustomReflectable || TypeMetadata(type(of: value)).canBeShown {
      self.init(reflecting: value)
    } else {
      let style = TypeMetadata(type(of: value)).isObject ? DisplayStyle.class : .struct
      self.init(value, children: [], displayStyle: style)
    }
  }

  /// A part with the label that stands in the source, where one does.
  package typealias Part = (label: String?, value: Any)

  /// The parts of a tuple: the runtime calls those without a label `.0`, `.1`.
  package var tupleParts: [Part] {
    children.map { ($0.label.flatMap { $0.hasPrefix(".") ? nil : $0 }, $0.value) }
  }

  /// The parts of what a case of an enum holds: one, or those of a tuple.
  package var payloadParts: [Part] {
    guard let payload = children.first else { return [] }
    let inner = Mirror(reflecting: payload.value)
    return inner.displayStyle == .tuple ? inner.tupleParts : [(nil, payload.value)]
  }

  /// The members of a struct, or of a class and its superclasses, the topmost first.
  package var members: [Child] { (superclassMirror?.members ?? []) + children }

  /// Key and value of an element of a dictionary.
  package static func pair(_ element: Any) -> (key: Any, value: Any)? {
    let parts = Array(Mirror(reflecting: element).children)
    return parts.count == 2 ? (parts[0].value, parts[1].value) : nil
  }
}

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
