import Platform

struct CaseReader<Root, Value>: Sendable {
  private struct Known {
    var tag: UInt32?
    var others: Set<UInt32> = []
    var isReported = false
  }

  let embed: @Sendable (Value) -> Root
  let name: CasePathName
  private let known = Locked(Known())
  private let holdsFunction = TypeMetadata(Value.self).holdsFunction

  func extract(_ root: Root) -> Value? {
    if holdsFunction {
      reportUnreadable("reflection gives functions in a form that cannot be called")
      return nil
    }
    let tag = enumTag(of: root)
    let (ours, isOther) = known.withLock { ($0.tag, $0.others.contains(tag)) }
    if let ours {
      return tag == ours ? payload(of: root) : nil
    }
    if isOther { return nil }
    guard let value = payload(of: root), enumTag(of: embed(value)) == tag else {
      known.withLock { _ = $0.others.insert(tag) }
      return nil
    }
    known.withLock { $0.tag = tag }
    name.check(root)
    return value
  }

  func contains(_ root: Root) -> Bool {
    guard let ours = known.withLock({ $0.tag }) else { return extract(root) != nil }
    return enumTag(of: root) == ours
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

/// The number of an enum's current case; 0 for values of other types.
func enumTag<Root>(of root: Root) -> UInt32 {
  withUnsafePointer(to: root) { TypeMetadata(Root.self).tag(at: $0) ?? 0 }
}
