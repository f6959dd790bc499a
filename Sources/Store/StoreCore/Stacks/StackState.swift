/// The features on a navigation stack, each with a stable id.
///
/// ```swift
/// state.path.append(.detail(Detail.State(wish: wish)))
/// state.path[id: 0, case: \.detail]?.isShared = true
/// ```
public struct StackState<Element> {
  /// The ids of the elements, bottom first.
  public private(set) var ids: [StackElementID]
  private(set) var elements: [Element]
  /// The next element's id.
  public private(set) var nextID: StackElementID
  private(set) var insertedCount = 0
  /// Whether it was created since its reducer ran: then it has not continued its predecessor's
  /// count yet.
  private var isNew = true

  /// Creates an empty stack. During a reduction it continues the store's count.
  public init() {
    let counts = DependencyValues.dependencyScope.values.stepDesk?.stacks ?? StackCounts()
    ids = []
    elements = []
    nextID = StackElementID(counts.next)
    insertedCount = counts.inserted
  }

  init(ids: [StackElementID], elements: [Element], nextID: StackElementID, insertedCount: Int) {
    self.ids = ids
    self.elements = elements
    self.nextID = nextID
    self.insertedCount = insertedCount
    isNew = false
  }

  /// Creates a stack, bottom first.
  public init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { append(element) }
  }

  /// Whether an element has this id.
  public func contains(id: StackElementID) -> Bool { ids.contains(id) }

  /// The element with this id. Setting nil removes it; setting an unknown id is an issue, except in
  /// test expectations, which push it.
  public subscript(id id: StackElementID) -> Element? {
    get { ids.firstIndex(of: id).map { elements[$0] } }
    set {
      guard let index = ids.firstIndex(of: id) else {
        guard let newValue else { return }
        guard DependencyValues.dependencyScope.values.isAsserting, push(newValue, id: id) else {
          return reportIssue("No element of the stack has the id \(id).")
        }
        return
      }
      if let newValue {
        elements[index] = newValue
      } else {
        ids.remove(at: index)
        elements.remove(at: index)
      }
    }
  }

  /// The element with this id, if in this case.
  public subscript<Value>(
    id id: StackElementID, case path: CaseKeyPath<Element, Value>
  ) -> Value? where Element: CasePathable {
    get { self[id: id]?[case: path] }
    _modify { yield &self[id: id][presented: path, id] }
    set { self[id: id][presented: path, id] = newValue }
  }

  /// Appends an element with the next id.
  @discardableResult
  public mutating func append(_ element: Element) -> StackElementID {
    let id = makeID()
    ids.append(id)
    elements.append(element)
    return id
  }

  /// Appends an element with its own id; false if that id was used before.
  mutating func push(_ element: Element, id: StackElementID) -> Bool {
    let isCounted = id.number < StackIDSource.firstInserted
    guard !ids.contains(id), !isCounted || id.number >= nextID.number else { return false }
    ids.append(id)
    elements.append(element)
    if isCounted { nextID = StackElementID(id.number + 1) }
    return true
  }

  /// Removes this element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeLast(ids.count - index)
  }

  /// Removes all above this element.
  public mutating func pop(to id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeLast(ids.count - index - 1)
  }

  /// Removes the topmost element.
  @discardableResult
  public mutating func popLast() -> Element? {
    _ = ids.popLast()
    return elements.popLast()
  }

  /// Removes this many elements from the top.
  public mutating func removeLast(_ count: Int = 1) {
    ids.removeLast(count)
    elements.removeLast(count)
  }

  /// Removes all elements. Their ids are not reused.
  public mutating func removeAll() {
    ids = []
    elements = []
  }

  private mutating func makeID() -> StackElementID {
    defer { recordCounts() }
    let source = DependencyValues.current.stackIDSource
    // An id from outside may be in use already.
    guard let number = source.number(counted: nextID.number),
      0..<StackIDSource.firstInserted ~= number, !ids.contains(StackElementID(number))
    else {
      defer { insertedCount += 1 }
      return StackElementID(StackIDSource.firstInserted + insertedCount)
    }
    nextID = StackElementID(Swift.max(nextID.number, number + 1))
    return StackElementID(number)
  }

  var isReplaced: Bool { isNew }

  mutating func noticeReplacement() {
    if isNew { isNew = false }
    recordCounts()
  }

  /// Continues the predecessor's count in a rebuilt stack, so that ids stay unique.
  mutating func continueCounting(after former: StackState) {
    defer { noticeReplacement() }
    guard isNew || nextID.number < former.nextID.number else { return }
    let counted = former.nextID.number
    let fresh = StackIDSource.firstInserted + former.insertedCount
    let isFresh = ids.allSatisfy {
      counted..<StackIDSource.firstInserted ~= $0.number || $0.number >= fresh
    }
    if isFresh {
      nextID = Swift.max(nextID, former.nextID)
      insertedCount = Swift.max(insertedCount, former.insertedCount)
      return
    }
    let told =
      nextID.number > 0
      ? DependencyValues.current.stackIDSource.number(counted: counted) ?? counted : counted
    let first = 0..<StackIDSource.firstInserted - nextID.number ~= told ? told : counted
    ids = ids.map { id in
      let isCounted = id.number < StackIDSource.firstInserted
      return StackElementID(id.number + (isCounted ? first : former.insertedCount))
    }
    let last = ids.last { $0.number < StackIDSource.firstInserted }?.number ?? -1
    nextID = StackElementID(Swift.max(last + 1, counted))
    insertedCount += former.insertedCount
  }

  private func recordCounts() {
    DependencyValues.dependencyScope.values.stepDesk?.record(counts)
  }

  var withoutElements: StackState {
    StackState(ids: [], elements: [], nextID: nextID, insertedCount: insertedCount)
  }

  mutating func update<Result>(
    _ id: StackElementID, _ change: (inout Element) -> Result
  ) -> Result? {
    ids.firstIndex(of: id).map { change(&elements[$0]) }
  }
}

extension StackState: RandomAccessCollection {
  /// Always 0, the bottom of the stack.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at an index from the bottom, which must be in range.
  public subscript(index: Int) -> Element { elements[index] }
}

extension StackState: Sendable where Element: Sendable {}

/// Equal if the elements are: ids and counts belong to the store.
extension StackState: Equatable where Element: Equatable {
  /// Compares the elements, not their ids.
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension StackState: Hashable where Element: Hashable {
  /// Hashes the elements, not their ids.
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension StackState: ExpressibleByArrayLiteral {
  /// Creates a stack with new ids, bottom first.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StackState: CustomReflectable {
  /// The elements with their ids.
  public var customMirror: Mirror {
    let children = zip(ids, elements).map { Mirror.Child(label: "\($0)", value: $1) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

private enum StackKey: String, CodingKey {
  case ids, elements, nextID, insertedCount
}

/// Encodes the ids and the next one, so that a decoded stack continues like the original.
extension StackState: Encodable where Element: Encodable {
  /// Encodes the elements and ids.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StackKey.self)
    try container.encode(ids, forKey: .ids)
    try container.encode(elements, forKey: .elements)
    try container.encode(nextID, forKey: .nextID)
    if insertedCount > 0 { try container.encode(insertedCount, forKey: .insertedCount) }
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Decodes a stack; throws if ids and elements do not match.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StackKey.self)
    let ids = try container.decode([StackElementID].self, forKey: .ids)
    let elements = try container.decode([Element].self, forKey: .elements)
    guard ids.count == elements.count, Set(ids).count == ids.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .ids, in: container,
        debugDescription: "A stack of \(elements.count) elements needs as many different ids.")
    }
    let nextID = try container.decode(StackElementID.self, forKey: .nextID)
    let insertedCount = try container.decodeIfPresent(Int.self, forKey: .insertedCount) ?? 0
    let counts = 0...StackIDSource.firstInserted
    guard counts.contains(nextID.number), counts.contains(insertedCount) else {
      throw DecodingError.dataCorruptedError(
        forKey: .nextID, in: container,
        debugDescription:
          "This is no valid stack: nextID is \(nextID.number), and \(insertedCount) were inserted.")
    }
    self.init(ids: ids, elements: elements, nextID: nextID, insertedCount: insertedCount)
  }
}
