/// Changes one place from the outside in. Takes each value out of its container on the way down, so
/// that unshared storage changes in place.
struct PlaceChange {
  enum Kind {
    case add, remove, replace
  }

  var path: Pointer
  var kind: Kind
  var new: Value
  var arrays: LongArrays

  func apply(to value: inout Value, depth: Int) throws(PatchFault) {
    if var array = value.takeArray() {
      defer { value = .array(array) }
      try apply(to: &array, depth: depth)
    } else if var object = value.takeObject() {
      defer { value = .object(object) }
      try apply(to: &object, depth: depth)
    } else {
      throw .pointer(.noContainer(place(depth), kind: value.kindInWords))
    }
  }

  private func apply(to array: inout ValueArray, depth: Int) throws(PatchFault) {
    let isLast = depth == path.tokens.count - 1
    let index = try index(
      path.tokens[depth], count: arrays.count(of: array), depth: depth, end: isLast && kind == .add)
    if isLast, kind != .replace, arrays[array] == nil { arrays.move(&array, behind: index) }
    if let long = arrays[array] { return try apply(to: long, at: index, depth: depth) }
    switch kind {
    case _ where !isLast:
      var element = array[index]
      array[index] = .null
      defer { array[index] = element }
      try apply(to: &element, depth: depth + 1)
    case .add: array.insert(new, at: index)
    case .remove: array.remove(at: index)
    case .replace: array[index] = new
    }
  }

  private func apply(to array: LongArray, at index: Int, depth: Int) throws(PatchFault) {
    switch kind {
    case _ where depth < path.tokens.count - 1:
      var element = array[index]
      array[index] = .null
      defer { array[index] = element }
      try apply(to: &element, depth: depth + 1)
    case .add: array.insert(new, at: index)
    case .remove: array.remove(at: index)
    case .replace: array[index] = new
    }
  }

  private func apply(to object: inout ValueObject, depth: Int) throws(PatchFault) {
    let token = path.tokens[depth]
    let isLast = depth == path.tokens.count - 1
    guard var member = object[token] else {
      guard isLast, kind == .add else { throw .pointer(.noMember(token, at: place(depth))) }
      return object[token] = new
    }
    guard !isLast else {
      return object[token] = kind == .remove ? Value?.none : .some(new)
    }
    object[token] = .some(.null)
    defer { object[token] = member }
    try apply(to: &member, depth: depth + 1)
  }

  private func place(_ depth: Int) -> Pointer { Pointer(tokens: path.tokens.prefix(depth)) }

  private func index(
    _ token: String, count: Int, depth: Int, end: Bool
  ) throws(PatchFault) -> Int {
    guard let index = token == "-" ? count : Pointer.index(token) else {
      throw .pointer(.noIndex(token, at: place(depth)))
    }
    guard index < count || (end && index == count) else {
      throw .pointer(.noElement(index, at: place(depth), count: count))
    }
    return index
  }
}

extension Value {
  fileprivate mutating func takeArray() -> ValueArray? {
    guard case .array(let array) = self else { return nil }
    self = .null
    return array
  }

  fileprivate mutating func takeObject() -> ValueObject? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }
}
