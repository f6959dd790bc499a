struct DifferenceFinder {
  /// Whether to trust `==` of elements.
  let believesEquality: Bool
  let areEqual: (Any, Any) -> Bool
  private(set) var objects: Set<[ObjectIdentifier]> = []
  private(set) var depth = 0
  /// Deeper values are shown whole, to limit the stack and the text.
  private static let mostDepth = 64

  mutating func node(_ expected: Any, _ actual: Any, isRoot: Bool = false) -> DifferenceNode? {
    if Sameness.haveSameBits(any: expected, actual) { return nil }
    guard depth < Self.mostDepth else {
      return areEqual(actual, expected) ? nil : .replaced(expected: expected, actual: actual)
    }
    depth += 1
    defer { depth -= 1 }
    let (left, right) = (Reflected.unwrapped(expected).value, Reflected.unwrapped(actual).value)
    if let left = left as? any FastSequence { return sequenceNode(left, right) }
    if let left = left as? any FastDictionary { return dictionaryNode(left, right) }
    guard let node = partsNode(Reflected(left), Reflected(right)) else { return nil }
    let isBelieved = believesEquality && !isRoot
    if isBelieved, LeafEquality.areEqualByType(left, right) == true { return nil }
    return node
  }

  private mutating func partsNode(_ expected: Reflected, _ actual: Reflected) -> DifferenceNode? {
    let replaced = DifferenceNode.replaced(expected: expected.value, actual: actual.value)
    switch (expected.shape, actual.shape) {
    case (.closure, .closure): return nil
    case _ where expected.type != actual.type: return replaced
    case (.leaf, .leaf):
      if LeafEquality.areEqual(expected.value, actual.value) { return nil }
      return Self.linesNode(expected.value, actual.value) ?? replaced
    case (.object(let left), .object(let right)):
      guard left != right, objects.insert([left, right]).inserted else { return nil }
      return fieldsNode(expected, actual)
    case (.enumeration(let left), .enumeration(let right)) where left != right: return replaced
    case (.structure, .structure), (.tuple, .tuple), (.enumeration, .enumeration):
      guard expected.parts.count == actual.parts.count else { return replaced }
      return fieldsNode(expected, actual)
    default:
      let (open, close) = Dump.brackets(of: expected)
      return sequenceNode(
        expected.parts.map(\.value), actual.parts.map(\.value), open: open, close: close)
    }
  }

  private mutating func fieldsNode(_ expected: Reflected, _ actual: Reflected) -> DifferenceNode? {
    var entries = DifferenceEntries()
    var hasShownID = false
    for (index, (left, right)) in zip(expected.parts, actual.parts).enumerated() {
      let label = BlockDump.label(left, index, expected.shape)
      if let node = node(left.value, right.value) {
        entries.add(label, .changed(node))
      } else if left.label == "id", !hasShownID {
        hasShownID = true
        entries.add(label, .same(right.value))
      } else {
        entries.addUnchanged()
      }
    }
    let (open, close) = Dump.brackets(of: expected)
    return entries.node(open: open, close: close)
  }
}

extension DifferenceFinder {
  /// Compares on a copy, which forgets the objects it visits.
  private var areSame: (Any, Any) -> Bool {
    { [finder = self] left, right in
      var finder = finder
      return finder.node(left, right) == nil
    }
  }

  private mutating func sequenceNode(
    _ expected: any FastSequence, _ actual: Any, open: String = "[", close: String = "]"
  ) -> DifferenceNode? {
    let answer = expected.align(
      with: actual, believesEquality: believesEquality, areSame: areSame)
    guard let (alignment, actual) = answer else {
      return .replaced(expected: expected, actual: actual)
    }
    var entries = DifferenceEntries()
    for step in alignment.steps {
      switch step {
      case .same(let count): entries.addUnchanged(count)
      case .removed(let index): entries.add("[\(index)]: ", .removed(expected.element(index)))
      case .inserted(let index): entries.add("[\(index)]: ", .inserted(actual.element(index)))
      case .changed where entries.isFull: entries.add("", .hidden(1))
      case .changed(let left, let right):
        if let node = node(expected.element(left), actual.element(right)) {
          entries.add("[\(right)]: ", .changed(node))
        } else {
          entries.addUnchanged()
        }
      }
    }
    return entries.node(open: open, close: close)
  }

  private mutating func dictionaryNode(
    _ expected: any FastDictionary, _ actual: Any
  ) -> DifferenceNode? {
    let answer = expected.compare(
      with: actual, believesEquality: believesEquality, areSame: areSame)
    guard let answer else { return .replaced(expected: expected, actual: actual) }
    let isSet = Reflected.isSet(expected)
    let sorted = answer.changes.map { (label: Dump.line($0.key), change: $0) }
      .sorted { Dump.naturally($0.label, $1.label) }
    var entries = DifferenceEntries()
    for (key, change) in sorted {
      let label = isSet ? "" : key + ": "
      switch (change.expected, change.actual) {
      case _ where entries.isFull: entries.add("", .hidden(1))
      case (let left?, let right?):
        if let node = node(left, right) { entries.add(label, .changed(node)) }
      case (let left?, nil): entries.add(label, .removed(left))
      case (nil, let right?): entries.add(label, .inserted(right))
      case (nil, nil): break
      }
    }
    entries.addUnchanged(answer.sameCount)
    return entries.node(open: isSet ? "Set([" : "[", close: isSet ? "])" : "]")
  }

  private static func linesNode(_ expected: Any, _ actual: Any) -> DifferenceNode? {
    guard let left = expected as? String, let right = actual as? String,
      left.contains("\n") || right.contains("\n")
    else { return nil }
    let expectedLines = left.split(separator: "\n", omittingEmptySubsequences: false)
    let actualLines = right.split(separator: "\n", omittingEmptySubsequences: false)
    let alignment = Alignment(
      Alignment.Question(
        expectedCount: expectedLines.count, actualCount: actualLines.count,
        isSame: { expectedLines[$0].utf8.elementsEqual(actualLines[$1].utf8) }))
    func removed(_ index: Int) -> DifferenceNode.Change { .line(expectedLines[index], sign: "− ") }
    func inserted(_ index: Int) -> DifferenceNode.Change { .line(actualLines[index], sign: "+ ") }
    let changes = alignment.steps.flatMap { step -> [DifferenceNode.Change] in
      switch step {
      case .same(let count): [.folded(count)]
      case .removed(let index): [removed(index)]
      case .inserted(let index): [inserted(index)]
      case .changed(let old, let new): [removed(old), inserted(new)]
      }
    }
    let quotes = "\"\"\""
    return .parts(
      open: quotes, close: quotes, changes.map { DifferenceNode.Entry(label: "", change: $0) })
  }
}
