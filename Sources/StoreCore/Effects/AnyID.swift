/// An id of any type. The type is part of it: `"x"` as a `Substring` is not `"x"` as a `String`.
package struct AnyID: Hashable, Sendable {
  package let base: any Hashable & Sendable

  package init(_ base: some Hashable & Sendable) { self.base = base }

  package static func == (left: AnyID, right: AnyID) -> Bool {
    func isEqual<Left: Hashable>(_ left: Left, _ right: any Hashable) -> Bool {
      type(of: right) == Left.self && (right as? Left) == left
    }
    return isEqual(left.base, right.base)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }
}

extension AnyID: CustomStringConvertible {
  /// The type and the value, the same in every run of a program.
  package var description: String {
    let type = stableName(of: type(of: base))
    return "\(type)(\(base))"
  }
}

/// The name of a type, without the addresses that stand in the names of local types.
package func stableName(of type: Any.Type) -> String {
  let name = _typeName(type, qualified: true)
  guard name.contains("(unknown context at ") else { return name }
  var result = ""
  var rest = Substring(name)
  while let start = rest.firstRange(ofLocalContext: "(unknown context at ") {
    result += rest[..<start]
    let tail = rest[start...]
    guard let close = tail.firstIndex(of: ")") else { return result + tail }
    rest = tail[tail.index(after: close)...]
    if rest.first == "." { rest.removeFirst() }
  }
  return result + rest
}

extension Substring {
  fileprivate func firstRange(ofLocalContext text: String) -> Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start }
      start = index(after: start)
    }
    return nil
  }
}
