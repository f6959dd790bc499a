import Platform

final class CaseReader<Root, Value>: Sendable {
  private struct Known {
    var tag: UInt32?
    var others: Set<UInt32> = []
    var isReported = false
  }

  private let embed: @Sendable (Value) -> Root
  private let known = Locked(Known())
  private let holdsFunction = TypeMetadata(Value.self).holdsFunction

  private let name: CasePathName

  init(_ embed: @escaping @Sendable (Value) -> Root, name: CasePathName) {
    self.embed = embed
    self.name = name
  }

  func extract(_ root: Root) -> Value? {
    if holdsFunction {
      reportUnreadable("reflection gives functions in a form that cannot be called")
      return nil
    }
    let tag = EnumTag.of(root)
    let (ours, isOther) = known.withLock { ($0.tag, $0.others.contains(tag)) }
    if let ours {
      return tag == ours ? payload(of: root) : nil
    }
    if isOther { return nil }
    guard let value = payload(of: root), EnumTag.of(embed(value)) == tag else {
      known.withLock { _ = $0.others.insert(tag) }
      return nil
    }
    known.withLock { $0.tag = tag }
    name.check(root)
    return value
  }

  func contains(_ root: Root) -> Bool {
    guard let ours = known.withLock({ $0.tag }) else { return extract(root) != nil }
    return EnumTag.of(root) == ours
  }

  private func payload(of root: Root) -> Value? {
    let mirror = Mirror(reflecting: root)
    if let value = mirror.children.first.flatMap({ Self.value(in: $0.value) }) { return value }
    if mirror.displayStyle != .enum, root is any CustomReflectable {
      reportUnreadable("its mirror does not show the payload")
    }
    return nil
  }

  private static func value(in payload: Any) -> Value? {
    if let value = payload as? Value { return value }
    // The only value of the case has a label.
    let inner = Mirror(reflecting: payload)
    guard inner.displayStyle == .tuple, inner.children.count == 1 else { return nil }
    return inner.children.first?.value as? Value
  }

  private func reportUnreadable(_ reason: String) {
    guard known.withLock({ !exchange(&$0.isReported, with: true) }) else { return }
    reportIssue(
      """
      A path to a case of \(Root.self) with \(Value.self) cannot be derived: \(reason). \
      Write the path by hand: CasePath(embed: …) { … }.
      """)
  }
}

/// The number of an enum's current case.
///
/// Swift has no safe way to ask this, but every enum's value witness table answers it. The table's
/// layout is part of Swift's stable ABI. Values of other types have the tag 0.
package enum EnumTag {
  static func of<Root>(_ root: Root) -> UInt32 {
    let metadata = unsafeBitCast(Root.self as Any.Type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Kind.enumeration else {
      return metadata.load(as: UInt.self) == Kind.optional ? optionalTag(root) : 0
    }
    let witnesses = metadata.load(
      fromByteOffset: -MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer.self)
    let word = MemoryLayout<UnsafeRawPointer>.size
    // Eight functions, size, stride, and two 32-bit numbers come first.
    let getTag = witnesses.load(
      fromByteOffset: 10 * word + 8,
      as: (@convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32).self)
    return withUnsafePointer(to: root) { getTag(UnsafeRawPointer($0), metadata) }
  }

  private static func optionalTag<Root>(_ root: Root) -> UInt32 {
    Mirror(reflecting: root).children.isEmpty ? 1 : 0
  }

  private enum Kind {
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
  }
}
