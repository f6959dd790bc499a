import Platform

/// An id of any type; the type counts: `"x"` as a `Substring` differs from `"x"` as a `String`.
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
  package var description: String {
    if let named = base as? NamedID { return named.name }
    let type = stableName(of: type(of: base))
    return "\(type)(\(base))"
  }
}

/// An id of another language. Its name is all that recordings have of it.
package struct NamedID: Hashable, Sendable {
  let name: String

  package init(_ name: String) { self.name = name }
}

/// A type's name without the addresses and hashes of local and private types.
package func stableName(of type: Any.Type) -> String {
  let key = ObjectIdentifier(type)
  if let known = knownNames.withLock({ $0[key] }) { return known }
  let name = makeStableName(of: type)
  knownNames.withLock { $0[key] = name }
  return name
}

private let knownNames = Locked<[ObjectIdentifier: String]>([:])

private func makeStableName(of type: Any.Type) -> String {
  var result = ""
  var rest = Substring(_typeName(type, qualified: true))
  while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
    let inner = rest[rest.index(after: open)..<close]
    result += rest[..<open]
    rest = rest[rest.index(after: close)...]
    if inner.hasPrefix("unknown context at ") {
      // A local type: the dot after it goes, too.
      if rest.first == "." { rest.removeFirst() }
    } else if let name = nameOfPrivate(inner) {
      result += name
    } else {
      result += "(\(inner))"
    }
  }
  return result + rest
}

private func nameOfPrivate(_ text: Substring) -> Substring? {
  let words = text.split(separator: " ")
  guard words.count == 3, words[1] == "in", words[2].first == "_" else { return nil }
  return words[0]
}
