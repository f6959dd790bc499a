extension Value {
  /// This value, or the old one where all its children are the same storage.
  func sharingChildren(with old: Value) -> Value {
    switch (self, old) {
    case (.array(let new), .array(let before)):
      guard new.count == before.count else { return self }
      return zip(new, before).allSatisfy { $0.isSame(as: $1) } ? old : self
    case (.object(let new), .object(let before)):
      guard new.count == before.count, let shape = new.node?.read({ header, _ in header.shape }),
        let oldShape = before.node?.read({ header, _ in header.shape }),
        shape.hasSameKeys(as: oldShape)
      else { return new.isEmpty && before.isEmpty ? old : self }
      return zip(new, before).allSatisfy { $0.value.isSame(as: $1.value) } ? old : self
    default: return self
    }
  }

  /// This value with each part that is exactly the same in the old one taken from there.
  func sharing(with old: Value, levels: Int = 100) -> Value {
    guard levels > 0 else { return self }
    switch (self, old) {
    case (.array(let new), .array(let before)):
      let children = zip(new, before).map { $0.sharing(with: $1, levels: levels - 1) }
      return Value.array(ValueArray(children + new.dropFirst(children.count)))
        .sharingChildren(with: old)
    case (.object(let new), .object(let before)):
      let members = new.map { key, value in
        (key: key, value: before[key].map { value.sharing(with: $0, levels: levels - 1) } ?? value)
      }
      return Value.object(ValueObject(members)).sharingChildren(with: old)
    default: return self
    }
  }

  /// Whether both are the same without looking inside: equal scalars or shared storage.
  private func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.array, _), (.object, _): false
    default: isExactlyEqual(to: other)
    }
  }
}
