import Platform
import ValueTree

/// The changes between two values, part by part, with a count of equal parts.
///
/// ```swift
/// let difference = ValueDifference(from: ["total": 9, "open": true], to: ["total": 4, "open": true])
/// difference.changes.map(\.path.text)  // ["total"]
/// difference.keptCount                 // 1
/// ```
package struct ValueDifference: Sendable, Hashable {
  /// At most `limit` changes. In a container: removed, changed, then added parts.
  package private(set) var changes: [ValueChange] = []
  package private(set) var changeCount = 0
  package private(set) var keptCount = 0

  package init(from old: Value, to new: Value, limit: Int = 2_000) {
    let difference = Difference(from: old, to: new, matching: .shown)
    changeCount = difference.changes.count
    changes = difference.changes.prefix(limit).map { ValueChange($0, from: old, to: new) }
    let touched = difference.changes.reduce(0) { count, change in
      change.kind == .moved || change.kind == .removed
        ? count : count + (change.new?.plainValueCount ?? 0)
    }
    keptCount = Swift.max(0, new.plainValueCount - touched)
  }

  package var isEmpty: Bool { changeCount == 0 }
}

extension ValueChange {
  fileprivate init(_ change: Difference.Change, from old: Value, to new: Value) {
    let path = ValuePath(change.path, in: change.kind == .removed ? old : new)
    switch (change.kind, change.old, change.new) {
    case (.added, _, let value?): self.init(path: path, kind: .added(value))
    case (.removed, let value?, _): self.init(path: path, kind: .removed(value))
    case (.moved, _, let value?):
      self.init(path: path, kind: .moved(value, from: ValuePath(change.oldPath, in: old)))
    case (_, let before, let after):
      self.init(path: path, kind: .changed(from: before ?? .null, to: after ?? .null))
    }
  }
}

extension Value {
  /// The number of scalars inside; an empty container counts as one.
  var plainValueCount: Int {
    var (count, seen) = (0, 0)
    var waiting = [self]
    while let next = waiting.popLast() {
      seen += 1
      if seen.isMultiple(of: 4_096), Interruption.isAsked { break }
      switch next {
      case .object(let object) where !object.isEmpty: waiting += object.map(\.value)
      case .array(let array) where !array.isEmpty: waiting += array
      default: count += 1
      }
    }
    return count
  }
}

extension ValuePath {
  /// Converts a pointer: a number is an index in a list, a key in an object.
  package init(_ pointer: Pointer, in root: Value) {
    self.init()
    var value: Value? = root
    for token in pointer.tokens {
      if case .array(let array)? = value, let index = Int(token) {
        parts.append(.index(index))
        value = array.indices.contains(index) ? array[index] : nil
      } else {
        parts.append(.key(token))
        value = value?[token]
      }
    }
  }

  package func value(in root: Value) -> Value? { root[pointer] }
}

package struct ValueChange: Sendable, Hashable {
  package var path: ValuePath
  package var kind: Kind

  package enum Kind: Sendable, Hashable {
    case added(Value)
    case removed(Value)
    case changed(from: Value, to: Value)
    case moved(Value, from: ValuePath)
  }
}
