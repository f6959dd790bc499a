/// The id of a stack element; unique in its stack.
public struct StackElementID: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, Comparable {
  /// 0, 1, 2 … in the order of creation.
  public let number: Int

  /// Creates the id with this number.
  public init(_ number: Int) { self.number = number }
  /// Creates an id, as in `path[id: 0]`.
  public init(integerLiteral number: Int) { self.number = number }

  /// Whether this one was pushed earlier.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Decodes a number.
  public init(from decoder: any Decoder) throws { number = try Int(from: decoder) }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

extension StackElementID: CustomStringConvertible {
  /// `#3`
  public var description: String { "#\(number)" }
}

/// The source of new element ids.
package enum StackIDSource: Sendable {
  /// The stack's own count: 0, 1, 2 …
  case counted
  /// A separate range: a step inserted into a recording must not take the ids of the recorded
  /// elements after it.
  case inserted
  /// A closure that gets the count and returns the number to use, or nil for the separate range.
  /// Recorders and replays treat ids as reads.
  case asked(@Sendable (_ counted: Int) -> Int?)

  static let firstInserted = 1_000_000_000

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

struct StackCounts: Sendable {
  var next = 0
  var inserted = 0

  mutating func merge(_ other: StackCounts) {
    next = max(next, other.next)
    inserted = max(inserted, other.inserted)
  }

  /// Registers the stacks in a state that no reducer has seen. Stacks in collection elements have
  /// separate ids, because their element has one.
  mutating func merge(allIn state: Any) {
    var patience = 1_000
    merge(state, &patience)
  }

  private mutating func merge(_ value: Any, _ patience: inout Int) {
    guard patience > 0 else { return }
    patience -= 1
    if let stack = value as? any CountingStack { merge(stack.counts) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .class: return
    default: for child in mirror.children { merge(child.value, &patience) }
    }
  }
}

private protocol CountingStack {
  var counts: StackCounts { get }
}

extension StackState: CountingStack {
  var counts: StackCounts { StackCounts(next: nextID.number, inserted: insertedCount) }
}
