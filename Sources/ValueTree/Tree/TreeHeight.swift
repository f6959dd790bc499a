/// What depends on how deep a tree is: trees up to a height are walked by plain recursion, taller ones
/// with a list of work, so that no tree can exhaust the stack.
enum TreeHeight {
  static let recursionLimit = 200

  /// The height of a container that holds these values.
  static func above(_ values: UnsafeMutablePointer<Value>, count: Int) -> Int {
    var height = 0
    for index in 0..<count { height = max(height, values[index].height) }
    return height + 1
  }

  static func free(_ values: UnsafeMutablePointer<Value>, count: Int, height: Int) {
    guard height > recursionLimit else {
      values.deinitialize(count: count)
      return
    }
    var waiting: [AnyObject] = []
    take(values, count: count, into: &waiting)
    while !waiting.isEmpty {
      // Asked in place: a local variable may count as a second reference in unoptimised builds.
      let isUnique = isKnownUniquelyReferenced(&waiting[waiting.count - 1])
      let node = waiting.removeLast()
      guard isUnique else { continue }
      // A pointer into a node does not keep it, and nobody else does any more.
      withExtendedLifetime(node) { empty(node, into: &waiting) }
    }
  }

  private static func empty(_ node: AnyObject, into waiting: inout [AnyObject]) {
    if let array = node as? ArrayNode {
      take(array.elements, count: array.head.pointee.count, into: &waiting)
      array.head.pointee.count = 0
    } else if let object = node as? ObjectNode {
      take(object.elements, count: object.head.pointee.count, into: &waiting)
      object.head.pointee.count = 0
    }
  }

  /// Ends these values, but for the tall ones, whose nodes are left in `waiting`.
  private static func take(
    _ values: UnsafeMutablePointer<Value>, count: Int, into waiting: inout [AnyObject]
  ) {
    for index in 0..<count {
      if values[index].height > recursionLimit, let node = values[index].node {
        waiting.append(node)
      }
      (values + index).deinitialize(count: 1)
    }
  }
}

extension Value {
  /// 0 for a scalar, else how many containers are inside one another at most.
  var height: Int {
    switch self {
    case .array(let array): array.node?.read { header, _ in header.height } ?? 1
    case .object(let object): object.node?.read { header, _ in header.height } ?? 1
    default: 0
    }
  }

  /// The storage of a container that has children.
  var node: AnyObject? {
    switch self {
    case .array(let array): array.node
    case .object(let object): object.node
    default: nil
    }
  }
}
