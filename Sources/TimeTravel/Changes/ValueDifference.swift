import ValueTree

/// What changed between two values, part by part, and how much stayed.
///
/// ```swift
/// let difference = ValueDifference(from: ["total": 9, "open": true], to: ["total": 4, "open": true])
/// difference.changes.map(\.path.text)  // ["total"]
/// difference.keptCount                 // 1
/// ```
public struct ValueDifference: Sendable, Hashable {
  /// At most `limit` of them, in the order of the newer value.
  public private(set) var changes: [ValueChange] = []
  /// All of them, those beyond the limit included.
  public private(set) var changeCount = 0
  /// The plain values (no objects or arrays) that are the same in both.
  public private(set) var keptCount = 0

  private var limit = 2_000

  public init() {}

  public init(from old: Value, to new: Value, limit: Int = 2_000) {
    self.limit = limit
    compare(old, new, at: .root)
  }

  public var isEmpty: Bool { changeCount == 0 }

  private mutating func compare(_ old: Value, _ new: Value, at path: ValuePath) {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      if old.isIdentical(to: new) { return keptCount += Value.object(new).plainValueCount }
      compareMembers(old, new, at: path)
    case (.array(let old), .array(let new)):
      if old.isIdentical(to: new) { return keptCount += Value.array(new).plainValueCount }
      compareElements(old, new, at: path)
    default:
      if old == new {
        keptCount += 1
      } else {
        note(path, .changed(from: old, to: new))
      }
    }
  }

  private mutating func compareMembers(
    _ old: ValueObject, _ new: ValueObject, at path: ValuePath
  ) {
    for (index, (key, value)) in new.enumerated() {
      // Mostly both have their keys in the same order: then no key is looked up.
      let before =
        index < old.count && old[index].key == key ? old[index].value : old[key]
      if let before {
        compare(before, value, at: path.appending(.key(key)))
      } else {
        note(path.appending(.key(key)), .added(value))
      }
    }
    for (index, (key, value)) in old.enumerated()
    where !(index < new.count && new[index].key == key) && new[key] == nil {
      note(path.appending(.key(key)), .removed(value))
    }
  }

  /// What both ends share is kept; between them, elements are compared in pairs.
  private mutating func compareElements(
    _ old: ValueArray, _ new: ValueArray, at path: ValuePath
  ) {
    let shorter = Swift.min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    for element in new.prefix(head) { keptCount += element.plainValueCount }
    for element in new.suffix(tail) { keptCount += element.plainValueCount }
    let pairs = shorter - head - tail
    for index in head..<head + pairs {
      compare(old[index], new[index], at: path.appending(.index(index)))
    }
    for index in head + pairs..<new.count - tail {
      note(path.appending(.index(index)), .added(new[index]))
    }
    for index in head + pairs..<old.count - tail {
      note(path.appending(.index(index)), .removed(old[index]))
    }
  }

  private mutating func note(_ path: ValuePath, _ kind: ValueChange.Kind) {
    changeCount += 1
    if changes.count < limit { changes.append(ValueChange(path, kind)) }
  }
}

extension Value {
  /// How many values other than objects and arrays it holds; an empty object or array counts as one.
  var plainValueCount: Int {
    switch self {
    case .object(let object):
      object.isEmpty ? 1 : object.reduce(0) { $0 + $1.value.plainValueCount }
    case .array(let array): array.isEmpty ? 1 : array.reduce(0) { $0 + $1.plainValueCount }
    default: 1
    }
  }
}

extension ValuePath {
  /// The part of a value that this path leads to.
  public func value(in root: Value) -> Value? {
    var value: Value? = root
    for part in parts {
      switch part {
      case .key(let key): value = value?[key]
      case .index(let index): value = value?[index]
      }
    }
    return value
  }
}
