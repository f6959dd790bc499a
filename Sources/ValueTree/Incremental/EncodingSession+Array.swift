extension EncodingSession {
  /// The array encoded with the elements of last time wherever they are the same; nil where elements
  /// of this type cannot be told to be.
  func encode<Element: Encodable>(
    _ array: [Element], changedFrom old: [Element], _ tree: Value, at place: EncodingPlace
  ) throws -> Value? {
    let facts = facts(of: Element.self)
    guard case .array(let oldTree) = tree, oldTree.count == old.count, !old.isEmpty, !array.isEmpty,
      let bits = facts.bits
    else { return nil }
    let encoder = try encoder(for: place, array)
    defer { giveBack(encoder) }
    return try array.withUnsafeBufferPointer { new in
      try old.withUnsafeBufferPointer { old -> Value? in
        guard let newBase = new.baseAddress, let oldBase = old.baseAddress else { return nil }
        let run = ArrayRun(
          new: newBase, newCount: new.count, old: oldBase, oldCount: old.count, bits: bits,
          mayShift: !pathWasRead)
        if run.isSame { return tree }
        var changed: [(index: Int, value: Value)] = []
        for index in run.prefix..<(new.count - run.suffix) {
          let hasPast = index < old.count - run.suffix
          if hasPast, run.isSame(at: index) { continue }
          // Where nearly all is new, looking at what was there before does not pay.
          let past =
            hasPast && changed.count < 64
            ? Past(tree: oldTree[index], held: Held(copying: oldBase + index)) : nil
          let value = try encode(
            newBase + index, facts, at: EncodingPlace(encoder, .index(index), past: past))
          changed.append((index, value))
        }
        return .array(run.assembled(oldTree, changed))
      }
    }
  }
}

/// Two runs of elements of which the first and the last ones are the same.
struct ArrayRun<Element> {
  let new: UnsafePointer<Element>
  let newCount: Int
  let old: UnsafePointer<Element>
  let oldCount: Int
  let bits: BitComparison
  let prefix: Int
  let suffix: Int

  init(
    new: UnsafePointer<Element>, newCount: Int, old: UnsafePointer<Element>, oldCount: Int,
    bits: BitComparison, mayShift: Bool
  ) {
    (self.new, self.newCount, self.old, self.oldCount) = (new, newCount, old, oldCount)
    self.bits = bits
    let shorter = min(newCount, oldCount)
    prefix = bits.countSame(new, old, upTo: shorter)
    var suffix = 0
    if newCount == oldCount || mayShift {
      while suffix < shorter - prefix,
        bits.areSame(new + (newCount - 1 - suffix), old + (oldCount - 1 - suffix))
      { suffix += 1 }
    }
    self.suffix = suffix
  }

  var isSame: Bool { newCount == oldCount && prefix == newCount }

  func isSame(at index: Int) -> Bool { bits.areSame(new + index, old + index) }

  /// The tree of last time with other elements in the middle.
  func assembled(_ tree: ValueArray, _ changed: [(index: Int, value: Value)]) -> ValueArray {
    guard let source = tree.node else { return ValueArray(changed.map(\.value)) }
    let node = ArrayNode.create(capacity: newCount)
    let elements = node.elements
    let sameEnd = newCount - suffix
    var place = 0
    for (index, value) in changed {
      (elements + place).initialize(from: source.elements + place, count: index - place)
      (elements + index).initialize(to: value)
      place = index + 1
    }
    (elements + place).initialize(from: source.elements + place, count: sameEnd - place)
    (elements + sameEnd).initialize(
      from: source.elements + (oldCount - suffix), count: suffix)
    let highest = changed.reduce(0) { max($0, $1.value.height + 1) }
    node.head.pointee = ArrayNode.Header(
      count: newCount, height: max(source.head.pointee.height, highest))
    return ValueArray(node: node)
  }
}
