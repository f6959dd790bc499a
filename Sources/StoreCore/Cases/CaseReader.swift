/// Reads the payload of one case by reflection, and remembers which case that is.
final class CaseReader<Root, Value>: Sendable {
  private struct Known {
    var tag: UInt32?
    var others: Set<UInt32> = []
  }

  private let embed: @Sendable (Value) -> Root
  private let known = LockedBox(Known())

  init(_ embed: @escaping @Sendable (Value) -> Root) { self.embed = embed }

  func extract(_ root: Root) -> Value? {
    let tag = EnumTag.of(root)
    let (ours, isOther) = known.withValue { ($0.tag, $0.others.contains(tag)) }
    if let ours {
      return tag == ours ? payload(of: root) : nil
    }
    if isOther { return nil }
    guard let value = payload(of: root), EnumTag.of(embed(value)) == tag else {
      known.withValue { _ = $0.others.insert(tag) }
      return nil
    }
    known.withValue { $0.tag = tag }
    return value
  }

  func contains(_ root: Root) -> Bool {
    guard let ours = known.withValue({ $0.tag }) else { return extract(root) != nil }
    return EnumTag.of(root) == ours
  }

  private func payload(of root: Root) -> Value? {
    guard let child = Mirror(reflecting: root).children.first else { return nil }
    if let value = child.value as? Value { return value }
    // A tuple of one: the payload of a case whose only value has a label.
    let inner = Mirror(reflecting: child.value)
    guard inner.displayStyle == .tuple, inner.children.count == 1 else { return nil }
    return inner.children.first?.value as? Value
  }
}
