extension ValueArray {
  /// Inserts an element; in place when nobody else has this storage and there is room.
  public mutating func insert(_ element: Value, at position: Int) {
    precondition(position >= 0 && position <= endIndex, "index outside an array")
    makeRoom(for: endIndex + 1)
    guard let node else { return }
    let place = node.elements + position
    (place + 1).moveInitialize(from: place, count: node.head.pointee.count - position)
    place.initialize(to: element)
    node.head.pointee.count += 1
    node.head.pointee.height = Swift.max(node.head.pointee.height, element.height + 1)
  }

  /// Takes out an element; in place when nobody else has this storage.
  @discardableResult
  public mutating func remove(at position: Int) -> Value {
    precondition(position >= 0 && position < endIndex, "index outside an array")
    makeRoom(for: endIndex)
    guard let node else { return .null }
    let place = node.elements + position
    let element = place.move()
    place.moveInitialize(from: place + 1, count: node.head.pointee.count - position - 1)
    node.head.pointee.count -= 1
    if node.head.pointee.count == 0 { self.node = nil }
    return element
  }

  private mutating func makeRoom(for count: Int) {
    let isUnique = isKnownUniquelyReferenced(&node)
    guard let current = node else {
      node = ArrayNode.create(capacity: Swift.max(count, 4))
      return
    }
    guard !isUnique || current.capacity < count else { return }
    let room =
      count > current.head.pointee.count ? Swift.max(count, current.head.pointee.count * 2) : count
    let copy = ArrayNode.create(capacity: room)
    copy.elements.initialize(from: current.elements, count: current.head.pointee.count)
    copy.head.pointee = current.head.pointee
    node = copy
  }
}
