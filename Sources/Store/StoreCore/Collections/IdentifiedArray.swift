/// An ordered collection with fast access by id.
///
/// ```swift
/// var todos: IdentifiedArrayOf<Todo.State> = []
/// todos.append(Todo.State(id: 7))
/// todos[id: 7]?.isDone = true
/// ```
public struct IdentifiedArray<Element: Identifiable> {
  /// The type of the ids.
  public typealias ID = Element.ID

  /// The ids and their places. A reference, so that changes show at once.
  final class Keys {
    var ids: [ID]
    var indexes: [ID: Int]

    init(ids: [ID] = [], indexes: [ID: Int] = [:]) {
      self.ids = ids
      self.indexes = indexes
    }
  }

  /// The elements in their order.
  public private(set) var elements: [Element]
  private(set) var keys: Keys

  /// Creates an empty collection.
  public init() {
    elements = []
    keys = Keys()
  }

  /// Creates a collection; of elements with the same id, the first stays.
  public init(uniqueElements: some Sequence<Element>) {
    self.init()
    for element in uniqueElements { append(element) }
  }

  /// The ids in the order of the elements.
  public var ids: [ID] { keys.ids }

  /// The index of the element with this id.
  public func index(id: ID) -> Int? { keys.indexes[id] }

  /// Whether an element has this id.
  public func contains(id: ID) -> Bool { keys.indexes[id] != nil }

  /// The element with this id. Setting nil removes it; setting an element with another id is an
  /// issue, and changes nothing.
  public subscript(id id: ID) -> Element? {
    get { keys.indexes[id].map { elements[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      guard newValue.id == id else {
        reportIssue("An element with the id \(newValue.id) was set under the id \(id).")
        return
      }
      if let index = keys.indexes[id] {
        elements[index] = newValue
      } else {
        append(newValue)
      }
    }
  }

  /// Appends the element, unless its id exists.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool { insert(element, at: count) }

  /// Inserts the element, unless its id exists.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> Bool {
    guard keys.indexes[element.id] == nil else { return false }
    makeKeysUnique()
    keys.ids.insert(element.id, at: index)
    elements.insert(element, at: index)
    number(from: index)
    return true
  }

  /// Removes the element with this id, and returns it.
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    keys.indexes[id].map { remove(at: $0) }
  }

  /// Removes the element at this index, and returns it.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    makeKeysUnique()
    keys.indexes[keys.ids.remove(at: index)] = nil
    defer { number(from: index) }
    return elements.remove(at: index)
  }

  /// Removes the first element, and returns it.
  @discardableResult
  public mutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes the last element, and returns it.
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: count - 1) }

  /// Appends the elements whose ids do not exist.
  public mutating func append(contentsOf new: some Sequence<Element>) { new.forEach { append($0) } }

  /// Replaces the element with this id, or appends it. Returns the one before.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let before = self[id: element.id]
    self[id: element.id] = element
    return before
  }

  /// Removes all elements that match.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    self = IdentifiedArray(uniqueElements: try elements.filter { try !isRemoved($0) })
  }

  /// Removes elements at offsets, as SwiftUI's `onDelete` does.
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let removed = Set(offsets)
    let kept = elements.indices.filter { !removed.contains($0) }
    self = IdentifiedArray(uniqueElements: kept.map { elements[$0] })
  }

  /// Moves elements before an offset, as SwiftUI's `onMove` does.
  public mutating func move(fromOffsets offsets: some Sequence<Int>, toOffset place: Int) {
    let moved = Set(offsets)
    let rest = { (range: Range<Int>) in range.filter { !moved.contains($0) } }
    let order = rest(0..<place) + moved.sorted() + rest(place..<count)
    self = IdentifiedArray(uniqueElements: order.map { elements[$0] })
  }

  /// Removes all elements.
  public mutating func removeAll() { self = IdentifiedArray() }

  /// Moves an element to an index, counted without it.
  public mutating func move(from source: Int, to destination: Int) {
    let element = remove(at: source)
    insert(element, at: destination)
  }

  /// Sorts the elements.
  public mutating func sort(by isBefore: (Element, Element) throws -> Bool) rethrows {
    self = IdentifiedArray(uniqueElements: try elements.sorted(by: isBefore))
  }

  mutating func update<Result>(_ index: Int, _ change: (inout Element) -> Result) -> Result {
    change(&self[index])
  }

  private mutating func rename(_ index: Int, to id: ID) {
    makeKeysUnique()
    guard keys.indexes[id] == nil else {
      reportIssue("An element took the id \(id), which another element has. It was removed.")
      remove(at: index)
      return
    }
    keys.indexes[keys.ids[index]] = nil
    keys.ids[index] = id
    keys.indexes[id] = index
  }

  private mutating func makeKeysUnique() {
    if isKnownUniquelyReferenced(&keys) { return }
    keys = Keys(ids: keys.ids, indexes: keys.indexes)
  }

  private func number(from start: Int) {
    for index in start..<keys.ids.count { keys.indexes[keys.ids[index]] = index }
  }
}

/// The name in the Composable Architecture.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element>

/// `@unchecked`: the keys change only while this value alone holds them.
extension IdentifiedArray: @unchecked Sendable where Element: Sendable, ID: Sendable {}

extension IdentifiedArray: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at an index, which must be in range. Setting an element with another id replaces
  /// the old one.
  public subscript(index: Int) -> Element {
    get { elements[index] }
    _modify {
      yield &elements[index]
      let id = elements[index].id
      if id != keys.ids[index] { rename(index, to: id) }
    }
  }

  /// Swaps two elements.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    makeKeysUnique()
    elements.swapAt(first, second)
    keys.ids.swapAt(first, second)
    keys.indexes[keys.ids[first]] = first
    keys.indexes[keys.ids[second]] = second
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  /// Creates a collection; of elements with the same id, the first stays.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both have equal elements in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes an array of the elements.
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  /// Decodes an array of the elements.
  public init(from decoder: any Decoder) throws {
    self.init(uniqueElements: try [Element](from: decoder))
  }
}

extension IdentifiedArray: CustomReflectable {
  /// An array of the elements.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

/// An action of one element of a collection.
public enum IdentifiedAction<ID: Hashable & Sendable, Action: Sendable>: Sendable {
  /// An action of the element with this id.
  case element(id: ID, action: Action)
}

/// The element actions of a reducer.
public typealias IdentifiedActionOf<Element: Reducer> = IdentifiedAction<
  Element.State.ID, Element.Action
> where Element.State: Identifiable, Element.State.ID: Sendable

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}

extension CasePath {
  /// The path to the actions of one element: `\.rows[id: 7]`.
  public subscript<ID: Sendable, Action>(id id: ID) -> CasePath<Root, Action>
  where Value == IdentifiedAction<ID, Action> {
    appending(
      CasePath<Value, Action>(embed: { .element(id: id, action: $0) }) { action in
        if case .element(id, let inner) = action { inner } else { nil }
      })
  }
}
