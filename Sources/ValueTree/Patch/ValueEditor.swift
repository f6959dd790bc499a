/// Applies many operations or many patches to a value, copying each container that they touch once.
///
/// ```swift
/// let editor = ValueEditor(keyframe)
/// for patch in patches { try editor.apply(patch) }
/// editor.value
/// ```
package final class ValueEditor {
  /// Pointers that go deeper are refused, so that opened parts stay shallow enough for recursion.
  static let depthLimit = 1_000

  private var root: Draft

  package init(_ value: Value) { root = .whole(value) }

  package var value: Value { root.value }

  /// Applies all operations in order. After an error those before the failing one stay applied.
  package func apply(_ patch: Patch) throws(PatchError) {
    for (index, operation) in patch.operations.enumerated() {
      do throws(PatchFault) {
        try apply(operation)
      } catch {
        throw PatchError(fault: error, operation: operation, index: index)
      }
    }
  }

  package func apply(_ operation: PatchOperation) throws(PatchFault) {
    switch operation {
    case .add(let path, let value): try add(.whole(value), at: path)
    case .remove(let path): try remove(at: path)
    case .replace(let path, let value): try replace(at: path, with: value)
    case .move(let from, let path): try move(from: from, to: path)
    case .copy(let from, let path): try add(.whole(try value(at: from)), at: path)
    case .test(let path, let expected):
      let found = try value(at: path)
      guard found.isNumericallyEqual(to: expected) else {
        throw .tested(expected: expected, found: found)
      }
    }
  }

  /// What lies at a place now.
  package func value(at path: Pointer) throws(PatchFault) -> Value {
    var draft = root
    for (depth, token) in path.tokens.enumerated() {
      let place = { Pointer(tokens: path.tokens.prefix(depth)) }
      switch draft {
      case .whole(let value):
        do throws(PointerError) {
          return try value.resolve(Pointer(tokens: path.tokens.suffix(from: depth)))
        } catch {
          throw .pointer(error.moved(into: place()))
        }
      case .array(let array):
        draft = array.elements[try index(token, in: array, at: place, end: false)]
      case .object(let object):
        guard let member = object[token] else { throw .pointer(.noMember(token, at: place())) }
        draft = member
      }
    }
    return draft.value
  }

  private func move(from: Pointer, to path: Pointer) throws(PatchFault) {
    guard from != path else {
      _ = try value(at: from)
      return
    }
    guard !path.starts(with: from) else { throw .movedIntoItself }
    let moved = try value(at: from)
    guard !path.isRoot else { return root = .whole(moved) }
    try remove(at: from)
    try add(.whole(moved), at: path)
  }

  private func add(_ draft: Draft, at path: Pointer) throws(PatchFault) {
    guard let last = path.tokens.last else { return root = draft }
    switch try container(of: path) {
    case .object(let object): object[last] = draft
    case .array(let array):
      let index = try index(
        last, in: array, at: { Pointer(tokens: path.tokens.dropLast()) }, end: true)
      array.elements.insert(draft, at: index)
    case .whole(let value): throw .pointer(.noContainer(path.parent ?? [], kind: value.kindInWords))
    }
  }

  private func remove(at path: Pointer) throws(PatchFault) {
    guard let last = path.tokens.last else { throw .removedWhole }
    switch try container(of: path) {
    case .object(let object):
      guard object[last] != nil else {
        throw .pointer(.noMember(last, at: path.parent ?? []))
      }
      object[last] = nil
    case .array(let array):
      let place = { Pointer(tokens: path.tokens.dropLast()) }
      array.elements.remove(at: try index(last, in: array, at: place, end: false))
    case .whole(let value): throw .pointer(.noContainer(path.parent ?? [], kind: value.kindInWords))
    }
  }

  private func replace(at path: Pointer, with value: Value) throws(PatchFault) {
    guard let last = path.tokens.last else { return root = .whole(value) }
    switch try container(of: path) {
    case .object(let object):
      guard object[last] != nil else {
        throw .pointer(.noMember(last, at: path.parent ?? []))
      }
      object[last] = .whole(value)
    case .array(let array):
      let place = { Pointer(tokens: path.tokens.dropLast()) }
      array.elements[try index(last, in: array, at: place, end: false)] = .whole(value)
    case .whole(let value): throw .pointer(.noContainer(path.parent ?? [], kind: value.kindInWords))
    }
  }

  /// The opened container that a place lies in. Forgets what was frozen on the way to it.
  private func container(of path: Pointer) throws(PatchFault) -> Draft {
    guard path.tokens.count <= Self.depthLimit else {
      throw .pointer(.tooDeep(limit: Self.depthLimit))
    }
    if case .whole(let value) = root { root = Draft(opening: value) }
    var draft = root
    for (depth, token) in path.tokens.dropLast().enumerated() {
      let place = { Pointer(tokens: path.tokens.prefix(depth)) }
      switch draft {
      case .array(let array):
        let index = try index(token, in: array, at: place, end: false)
        array.frozen = nil
        if case .whole(let value) = array.elements[index] {
          array.elements[index] = Draft(opening: value)
        }
        draft = array.elements[index]
      case .object(let object):
        guard var member = object[token] else { throw .pointer(.noMember(token, at: place())) }
        object.frozen = nil
        if case .whole(let value) = member {
          member = Draft(opening: value)
          object[token] = member
        }
        draft = member
      case .whole(let value):
        throw .pointer(.noContainer(place(), kind: value.kindInWords))
      }
    }
    switch draft {
    case .array(let array): array.frozen = nil
    case .object(let object): object.frozen = nil
    case .whole: break
    }
    return draft
  }

  private func index(
    _ token: String, in array: DraftArray, at place: () -> Pointer, end: Bool
  ) throws(PatchFault) -> Int {
    let count = array.elements.count
    guard let index = token == "-" ? count : Pointer.index(token) else {
      throw .pointer(.noIndex(token, at: place()))
    }
    guard index < count || (end && index == count) else {
      throw .pointer(.noElement(index, at: place(), count: count))
    }
    return index
  }
}

extension PointerError {
  /// The same error seen from outside, for a pointer that was followed from `place` on.
  func moved(into place: Pointer) -> PointerError {
    switch self {
    case .noMember(let key, let inner): .noMember(key, at: place.appending(inner))
    case .noElement(let index, let inner, let count):
      .noElement(index, at: place.appending(inner), count: count)
    case .noIndex(let token, let inner): .noIndex(token, at: place.appending(inner))
    case .noContainer(let inner, let kind): .noContainer(place.appending(inner), kind: kind)
    case .noLeadingSlash, .badEscape, .tooDeep: self
    }
  }
}
