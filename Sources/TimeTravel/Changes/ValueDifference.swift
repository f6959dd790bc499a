import Platform
import ValueTree

/// What changed between two values, part by part, and how much stayed.
///
/// ```swift
/// let difference = ValueDifference(from: ["total": 9, "open": true], to: ["total": 4, "open": true])
/// difference.changes.map(\.path.text)  // ["total"]
/// difference.keptCount                 // 1
/// ```
package struct ValueDifference: Sendable, Hashable {
  /// At most `limit` of them. Of an object or a list: what went, what changed, what came.
  package private(set) var changes: [ValueChange] = []
  /// All of them, those beyond the limit included.
  package private(set) var changeCount = 0
  /// The plain values (no objects or arrays) that are the same in both.
  package private(set) var keptCount = 0

  package init() {}

  package init(from old: Value, to new: Value, limit: Int = 2_000) {
    let difference = Difference(from: old, to: new)
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
  /// How many values other than objects and arrays it holds; an empty object or array counts as one.
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
  /// The path that a pointer means in a value: a number is an index in a list, a key in an object.
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

  /// The part of a value that this path leads to.
  package func value(in root: Value) -> Value? { root[pointer] }
}

/// One part of a value that differs from the value before.
package struct ValueChange: Sendable, Hashable {
  package var path: ValuePath
  package var kind: Kind

  package enum Kind: Sendable, Hashable {
    case added(Value)
    case removed(Value)
    case changed(from: Value, to: Value)
    /// An element of a list that stands at another place among the others.
    case moved(Value, from: ValuePath)
  }
}
