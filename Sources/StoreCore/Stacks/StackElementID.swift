/// Names an element of a stack as long as it lives. No other element of that stack gets the same.
public struct StackElementID: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, Comparable {
  /// 0, 1, 2 … in the order in which elements came.
  public let number: Int

  /// The id with this number.
  public init(_ number: Int) { self.number = number }
  /// As in `path[id: 0]`.
  public init(integerLiteral number: Int) { self.number = number }

  /// The one that was pushed earlier comes first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Decoded from its number.
  public init(from decoder: any Decoder) throws { number = try Int(from: decoder) }

  /// Encoded as its number.
  public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

extension StackElementID: CustomStringConvertible {
  /// `#3`
  public var description: String { "#\(number)" }
}

/// Where the ids of new elements come from.
package enum StackIDSource: Sendable {
  /// The stack's own count: 0, 1, 2 …
  case counted
  /// A range of its own, which leaves that count alone: a step that somebody inserted into a
  /// recording must not take the ids of those that were recorded after it.
  case inserted
  /// Somebody who is told what the count says: the number to go on with, or nil for one of the
  /// inserted range. An id is a read like any other for who records a store and who runs it again.
  case asked(@Sendable (_ counted: Int) -> Int?)

  static let firstInserted = 1_000_000_000

  /// The number to go on with; nil for one of the inserted range.
  package func number(counted: Int) -> Int? {
    switch self {
    case .counted: counted
    case .inserted: nil
    case .asked(let answer): answer(counted)
    }
  }
}

private enum StackIDSourceKey: DependencyKey {
  static let liveValue = StackIDSource.counted
  static let testValue = StackIDSource.counted
}

extension DependencyValues {
  package var stackIDSource: StackIDSource {
    get { self[StackIDSourceKey.self] }
    set { self[StackIDSourceKey.self] = newValue }
  }
}

/// How far the ids of all stacks in a store have been given.
struct StackCounts: Sendable {
  var next = 0
  var inserted = 0

  mutating func note(_ other: StackCounts) {
    next = max(next, other.next)
    inserted = max(inserted, other.inserted)
  }

  /// Notes the stacks in a state that no reducer has seen. Those in elements of collections have
  /// ids for themselves, because their element has one.
  mutating func note(allIn state: Any) {
    var patience = 1_000
    note(state, &patience)
  }

  private mutating func note(_ value: Any, _ patience: inout Int) {
    guard patience > 0 else { return }
    patience -= 1
    if let stack = value as? any CountingStack { note(stack.counts) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .class: return
    default: for child in mirror.children { note(child.value, &patience) }
    }
  }
}

private protocol CountingStack {
  var counts: StackCounts { get }
}

extension StackState: CountingStack {
  var counts: StackCounts { StackCounts(next: nextID.number, inserted: insertedCount) }
}
