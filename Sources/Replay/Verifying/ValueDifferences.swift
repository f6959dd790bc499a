import ValueTree

package struct PathDifference {
  package var path: String
  package var left: Value?
  package var right: Value?
}

/// Where two values differ, path by path; whole members that only one side has are not taken apart.
package func differences(
  from left: Value, to right: Value, limit: Int
) -> [PathDifference] {
  var found: [PathDifference] = []
  collect(left, right, Pointer(), &found, limit)
  return found
}

private func collect(
  _ left: Value, _ right: Value, _ path: Pointer, _ found: inout [PathDifference], _ limit: Int
) {
  guard found.count < limit, !left.isExactlyEqual(to: right) else { return }
  switch (left, right) {
  case (.object(let lefts), .object(let rights)):
    for member in lefts {
      add(member.value, rights[member.key], path.appending(member.key), &found, limit)
    }
    for member in rights where lefts[member.key] == nil {
      add(nil, member.value, path.appending(member.key), &found, limit)
    }
  case (.array(let lefts), .array(let rights)):
    for index in 0..<max(lefts.count, rights.count) {
      add(
        element(index, of: lefts), element(index, of: rights), path.appending(index), &found, limit)
    }
  default:
    found.append(PathDifference(path: path.description, left: left, right: right))
  }
}

private func add(
  _ left: Value?, _ right: Value?, _ path: Pointer, _ found: inout [PathDifference], _ limit: Int
) {
  if let left, let right { return collect(left, right, path, &found, limit) }
  guard found.count < limit else { return }
  found.append(PathDifference(path: path.description, left: left, right: right))
}

private func element(_ index: Int, of array: ValueArray) -> Value? {
  guard index < array.count else { return Optional.none }
  return array[index]
}
