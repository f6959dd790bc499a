import Platform

@propertyWrapper public struct PresentationState<State> {
  private final class Storage: @unchecked Sendable {
    var state: State?
    init(_ state: State?) { self.state = state }
  }

  private var storage: Storage

  public init(wrappedValue: State?) { storage = Storage(wrappedValue) }

  public var wrappedValue: State? {
    get { storage.state }
    set { storage = Storage(newValue) }
  }
}

extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension PresentationState: Codable where State: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try State?(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

public enum PresentationAction<Action> {
  case dismiss
  indirect case presented(Action)
}

extension PresentationAction: Sendable where Action: Sendable {}
extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Decodable where Action: Decodable {}
extension PresentationAction: Encodable where Action: Encodable {}

public struct StackElementID: Hashable, Sendable {
  @_spi(Internals) public var generation: Int

  @_spi(Internals) public init(generation: Int) { self.generation = generation }
}

/// In a test only, as there.
extension StackElementID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(generation: value) }
}

@_spi(Internals) public struct StackElementIDGenerator: Sendable {
  public let next: @Sendable () -> StackElementID
  public let peek: @Sendable () -> StackElementID

  static let counting: Self = {
    let count = Locked(0)
    return Self(
      next: {
        count.withLock { count in
          defer { count += 1 }
          return StackElementID(generation: count)
        }
      }, peek: { StackElementID(generation: count.withLock { $0 }) })
  }()
}

public struct StackState<Element>: RandomAccessCollection, RangeReplaceableCollection {
  private var elements: [(id: StackElementID, element: Element)] = []
  @Dependency(\.stackElementID) private var stackElementID

  public init() {}

  public var ids: [StackElementID] { elements.map(\.id) }
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position].element }

  public subscript(id id: StackElementID) -> Element? {
    get { elements.first { $0.id == id }?.element }
    set {
      guard let index = ids.firstIndex(of: id) else {
        // In a test, it makes the element.
        if let newValue { elements.append((id, newValue)) }
        return
      }
      if let newValue { elements[index].element = newValue } else { elements.remove(at: index) }
    }
  }

  public mutating func replaceSubrange(
    _ range: Range<Int>, with new: some Collection<Element>
  ) {
    elements.replaceSubrange(range, with: new.map { (stackElementID.next(), $0) })
  }
}

extension StackState: @unchecked Sendable where Element: Sendable {}

extension StackState: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StackState: Equatable where Element: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.ids == right.ids && left.elementsEqual(right)
  }
}

extension StackState: Codable where Element: Codable {
  public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

public enum StackAction<State, Action> {
  indirect case element(id: StackElementID, action: Action)
  case popFrom(id: StackElementID)
  case push(id: StackElementID, state: State)
}

extension StackAction: Sendable where State: Sendable, Action: Sendable {}
extension StackAction: Equatable where State: Equatable, Action: Equatable {}

public struct IdentifiedArray<ID: Hashable, Element>: RandomAccessCollection {
  private var pairs: [(id: ID, element: Element)] = []

  public var ids: [ID] { pairs.map(\.id) }
  public var startIndex: Int { 0 }
  public var endIndex: Int { pairs.count }
  public subscript(position: Int) -> Element { pairs[position].element }

  public subscript(id id: ID) -> Element? {
    get { pairs.first { $0.id == id }?.element }
    set {
      guard let index = ids.firstIndex(of: id) else { return }
      if let newValue { pairs[index].element = newValue } else { pairs.remove(at: index) }
    }
  }

  @discardableResult public mutating func remove(id: ID) -> Element? {
    ids.firstIndex(of: id).map { pairs.remove(at: $0).element }
  }

  public mutating func removeAll() { pairs = [] }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  public init(arrayLiteral elements: Element...) { for element in elements { append(element) } }

  public mutating func append(_ element: Element) {
    if !ids.contains(element.id) { pairs.append((element.id, element)) }
  }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.ids == right.ids && left.elementsEqual(right)
  }
}

extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  public init(from decoder: any Decoder) throws {
    for element in try [Element](from: decoder) { append(element) }
  }
}

extension IdentifiedArray: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

public struct ObservationStateRegistrar: Sendable, Codable, Equatable {
  /// There it holds the observers.
  private final class Observers: Sendable {}
  private let observers = Observers()

  public init() {}
  public init(from _: any Decoder) {}
  public func encode(to _: any Encoder) {}
  public static func == (_: Self, _: Self) -> Bool { true }
}

public protocol ObservableState: SendableMetatype {}

public typealias _SendablePartialKeyPath<Root> = any PartialKeyPath<Root> & Sendable

public struct BindingAction<Root>: Sendable {
  public let keyPath: _SendablePartialKeyPath<Root>
  let set: @Sendable (inout Root) -> Void
  let value: any Sendable

  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> Self where Root: ObservableState {
    let path = keyPath as WritableKeyPath<Root, Value>
    nonisolated(unsafe) let set = { (root: inout Root) in root[keyPath: path] = value }
    return Self(keyPath: keyPath, set: { set(&$0) }, value: value)
  }

  /// Does the same as a `BindingReducer` there.
  public func apply(to root: inout Root) { set(&root) }
}
