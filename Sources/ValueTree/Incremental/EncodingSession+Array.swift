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
        let matching = ArrayMatching(
          new: newBase, new.count, old: oldBase, old.count, bits, mayShift: !pathWasRead)
        if matching.isSame { return tree }
        var others: [Value] = []
        others.reserveCapacity(matching.others.count)
        for (index, oldIndex) in matching.others {
          // Where nearly all is new, looking at what was there before does not pay.
          let past = oldIndex.flatMap { oldIndex in
            others.count < 64
              ? Past(tree: oldTree[oldIndex], held: Held(copying: oldBase + oldIndex)) : nil
          }
          let place = EncodingPlace(encoder, .index(index), past: past)
          others.append(try encode(newBase + index, facts, at: place))
        }
        if matching.isInPlace,
          zip(matching.others, others).allSatisfy({ oldTree[$0.index].isExactlyEqual(to: $1) })
        {
          return tree
        }
        return .array(matching.assembled(oldTree, others))
      }
    }
  }
}
