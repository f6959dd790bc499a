import ValueTree

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

  package init(_ path: ValuePath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}
