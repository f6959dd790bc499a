import ValueTree

enum DifferenceRows {
  static let topic = Topic(name: "Difference") { _ in
    let catalogue = ValueSample.List(count: 10_000)
    var changed = catalogue
    changed.items[4_321].quantity += 1
    var allChanged = catalogue
    for place in allChanged.items.indices { allChanged.items[place].quantity += 1 }

    let before = try ValueEncoder().encode(catalogue)
    let copied = try ValueEncoder().encode(changed)
    let unlike = try ValueEncoder().encode(allChanged)
    let leaf: Pointer = ["items", "4321", "quantity"]
    let shared = try Patch([.replace(leaf, copied[leaf] ?? .null)]).applied(to: before)
    let encode = Work.timed("Codable → tree, \(before.bytes().count / 1_000) KB") {
      blackHole(try ValueEncoder().encode(catalogue))
    }
    func difference(to after: Value) -> Work {
      .timed { blackHole(Patch(from: before, to: after)) }
    }
    return [
      Row(
        "difference, one leaf, shared subtrees", bar: .ratioAtMost(1.0 / 400),
        difference(to: shared), against: encode, samples: 21),
      Row(
        "difference, one leaf, nothing shared", bar: .ratioAtMost(0.1),
        difference(to: copied), against: encode, samples: 21),
      Row(
        "difference, every element changed, nothing shared",
        bar: .watched("grows with the change"), difference(to: unlike), against: encode),
      try insertRow(into: before),
    ]
  }

  private static func insertRow(into catalogue: Value) throws -> Row {
    guard case .array(let items)? = catalogue["items"] else {
      throw OptionError(text: "the catalogue has no items")
    }
    let added = items[6_000]
    let before = Value.array(ValueArray(items.prefix(5_000)))
    let after = Value.array(ValueArray([added] + items.prefix(5_000)))
    return Row(
      "patch for an insert at the front of 5,000 elements", bar: .ratioAtMost(2),
      .measured(unit: .bytes) { Double(Patch(from: before, to: after).value.bytes().count) },
      against: .measured("bytes of one element", unit: .bytes) { Double(added.bytes().count) },
      samples: 1)
  }
}
