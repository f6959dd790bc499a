import SessionWords
import ValueTree

/// A place that a step changed. All elements of a collection have one place; the keys tell which one
/// it was.
struct ChangedPlace {
  let place: StatePlaces.Place
  let keys: [String]
  let old: Value?
  let new: Value?

  var isAdded: Bool { old == nil }
  var isRemoved: Bool { new == nil }
  var key: String { keys.joined(separator: "\0") }
  var growth: Double { (new?.number ?? 0) - (old?.number ?? 0) }
}

/// The places of a session's states. Where an object's members come and go, as records by their ids
/// do, they are elements, like those of a list.
struct StatePlaces {
  enum Aspect: Int { case value, length, elements, computed }

  struct Place: Hashable {
    let node: Int
    let aspect: Aspect
  }

  struct Node {
    var names: [String]
    /// The record that it is a part of, and what part.
    var element: Int?
    var field = ""
    var children: [String: Int] = [:]
    /// Whether the members of objects here are elements.
    var isCollection = false
    var keyCount = 0
    /// The computed value, in words.
    var words: String?
  }

  private(set) var nodes = [Node(names: [])]
  private let collections: Set<[String]>
  private let flags: Set<[String]>

  static let element = "*"
  private static let mostNodes = 50_000

  /// Learns from some states and actions of the session what is a collection, and which fields have
  /// few values.
  init(samples: [Value], actions: [Value]) {
    var survey = StateSurvey(samples: samples, actions: actions)
    collections = survey.collections()
    flags = survey.flags(collections)
  }

  /// A field with few values, such as `status`.
  func isFlag(_ node: Int) -> Bool { flags.contains(nodes[node].names) }

  /// The names on a path, with `*` in place of positions and ids.
  func names(of path: Pointer) -> [String] {
    var names: [String] = []
    for token in path.tokens {
      let isPosition = !token.isEmpty && token.allSatisfy(\.isWholeNumber)
      names.append(isPosition || collections.contains(names) ? Self.element : token)
    }
    return names
  }

  mutating func child(_ name: String, of node: Int) -> Int {
    if let known = nodes[node].children[name] { return known }
    var child = Node(names: nodes[node].names + [name])
    child.isCollection = collections.contains(child.names)
    child.keyCount = nodes[node].keyCount
    (child.element, child.field) = (nodes[node].element, nodes[node].field)
    let id = nodes.count
    if name == Self.element {
      (child.element, child.field) = (id, "")
      child.keyCount += 1
    } else {
      child.field += child.field.isEmpty ? name : ".\(name)"
    }
    nodes.append(child)
    nodes[node].children[name] = id
    return id
  }

  /// A place that the state does not have, but that is computed from it.
  mutating func computed(_ words: String, beside node: Int) -> Place {
    let id = child("\u{1}\(words)", of: node)
    nodes[id].words = words
    return Place(node: id, aspect: .computed)
  }

  func name(_ place: Place) -> String {
    let node = nodes[place.node]
    if let words = node.words { return words }
    let name =
      node.names.isEmpty
      ? "the state"
      : ValuePath(node.names.map { .key($0) }).text.replacing("[\"*\"]", with: "[*]")
    return place.aspect == .length ? "the length of \(name)" : name
  }

  /// The changes from one state to the next.
  mutating func changes(from old: Value?, to new: Value?) -> [ChangedPlace] {
    var found: [ChangedPlace] = []
    // A state with ever new names teaches nothing, and would fill the memory.
    guard nodes.count < Self.mostNodes else { return [] }
    walk(old, new, 0, [], &found)
    return found
  }

  private mutating func walk(
    _ old: Value?, _ new: Value?, _ node: Int, _ keys: [String], _ found: inout [ChangedPlace]
  ) {
    guard !Self.isSame(old, new) else { return }
    func add(_ aspect: Aspect, _ old: Value?, _ new: Value?) {
      found.append(
        ChangedPlace(place: Place(node: node, aspect: aspect), keys: keys, old: old, new: new))
    }
    let (oldList, newList) = (old?.list, new?.list)
    if oldList != nil || newList != nil {
      let counts = (oldList?.count ?? 0, newList?.count ?? 0)
      if counts.0 != counts.1 {
        add(
          .length, oldList.map { .number(Number($0.count)) },
          newList.map { .number(Number($0.count)) })
      }
      if let before = Self.keyed(oldList), let after = Self.keyed(newList),
        !(before.isEmpty && after.isEmpty)
      {
        members(before, after, child(Self.element, of: node), keys, &found)
      } else if Self.isFlat(oldList), Self.isFlat(newList) {
        add(.elements, old, new)
      }
      return
    }
    let (oldObject, newObject) = (old?.object, new?.object)
    guard oldObject != nil || newObject != nil else { return add(.value, old, new) }
    let isElement = nodes[node].names.last == Self.element
    if isElement, (oldObject == nil) != (newObject == nil) {
      add(.value, oldObject.map { _ in [:] }, newObject.map { _ in [:] })
    }
    if nodes[node].isCollection {
      let counts = (oldObject?.count ?? 0, newObject?.count ?? 0)
      if counts.0 != counts.1 {
        add(.length, .number(Number(counts.0)), .number(Number(counts.1)))
      }
      members(
        oldObject.map { $0.map { ($0.key, $0.value) } } ?? [],
        newObject.map { $0.map { ($0.key, $0.value) } } ?? [],
        child(Self.element, of: node), keys, &found)
      return
    }
    for (key, value) in oldObject ?? [:] {
      let next = newObject?[key]
      if !Self.isSame(value, next) { walk(value, next, child(key, of: node), keys, &found) }
    }
    for (key, value) in newObject ?? [:] where oldObject?[key] == nil {
      walk(nil, value, child(key, of: node), keys, &found)
    }
    if !isElement, oldObject == nil, let old { add(.value, old, [:]) }
    if !isElement, newObject == nil, let new { add(.value, [:], new) }
  }

  private mutating func members(
    _ old: [(String, Value)], _ new: [(String, Value)], _ node: Int, _ keys: [String],
    _ found: inout [ChangedPlace]
  ) {
    let after = Dictionary(new, uniquingKeysWith: { $1 })
    let before = Set(old.map(\.0))
    for (key, value) in old {
      let next = after[key]
      if !Self.isSame(value, next) { walk(value, next, node, keys + [key], &found) }
    }
    for (key, value) in new where !before.contains(key) {
      walk(nil, value, node, keys + [key], &found)
    }
  }

  /// Elements with an `id` of their own; nil if one has none.
  fileprivate static func keyed(_ list: ValueArray?) -> [(String, Value)]? {
    guard let list else { return [] }
    var (found, known) = ([(String, Value)](), Set<String>())
    for element in list {
      guard let id = element["id"]?.scalarText, known.insert(id).inserted else { return nil }
      found.append((id, element))
    }
    return found
  }

  private static func isFlat(_ list: ValueArray?) -> Bool {
    list?.allSatisfy { $0.object == nil && $0.list == nil } ?? true
  }

  private static func isSame(_ left: Value?, _ right: Value?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (.object(let left)?, .object(let right)?): left.isIdentical(to: right)
    case (.array(let left)?, .array(let right)?): left.isIdentical(to: right)
    case (.object?, _), (.array?, _), (_, .object?), (_, .array?): false
    default: left == right
    }
  }
}

/// Looks at some states of a session, to tell collections from records.
private struct StateSurvey {
  let samples: [Value]
  /// Ids stand as texts elsewhere; names of fields hardly ever do.
  private var texts: Set<String> = []
  private var keys: [[String]: Set<String>] = [:]
  private var moves: [[String]: Int] = [:]

  init(samples: [Value], actions: [Value]) {
    self.samples = samples
    for value in actions + samples.suffix(1) { gather(value, 0) }
  }

  private mutating func gather(_ value: Value, _ depth: Int) {
    guard depth < 12, texts.count < 1_000_000 else { return }
    switch value {
    case .string(let text): if text.utf8.count < 64 { texts.insert(text) }
    case .array(let list): for element in list { gather(element, depth + 1) }
    case .object(let object): for (_, value) in object { gather(value, depth + 1) }
    default: break
    }
  }

  /// The outer ones first, as those inside of them have elements of one place.
  mutating func collections() -> Set<[String]> {
    var found: Set<[String]> = []
    for _ in 0..<4 {
      (keys, moves) = ([:], [:])
      var before: Value?
      for sample in samples {
        survey(before, sample, [], found)
        before = sample
      }
      let new = keys.filter { path, keys in
        guard !path.isEmpty, !found.contains(path) else { return false }
        let ids = keys.count { $0.contains(where: \.isNumber) || texts.contains($0) }
        return keys.count > 40
          || (moves[path, default: 0] >= 2 || keys.count >= 3) && ids * 10 >= keys.count * 7
      }.keys
      let outer = new.filter { path in
        !new.contains { $0.count < path.count && path.starts(with: $0) }
      }
      if outer.isEmpty { break }
      found.formUnion(outer)
    }
    return found
  }

  private mutating func survey(
    _ old: Value?, _ new: Value?, _ path: [String], _ found: Set<[String]>
  ) {
    guard path.count < 12 else { return }
    if let list = new?.list {
      guard let elements = StatePlaces.keyed(list) else { return }
      for (_, element) in elements { survey(nil, element, path + [StatePlaces.element], found) }
      return
    }
    guard let object = new?.object else { return }
    let before = old?.object
    let isCollection = found.contains(path)
    if !isCollection {
      keys[path, default: []].formUnion(object.keys)
      if let before, !before.isEmpty, !before.isIdentical(to: object) {
        let (old, new) = (Set(before.keys), Set(object.keys))
        moves[path, default: 0] += old.symmetricDifference(new).count
      }
    }
    for (key, value) in object {
      survey(before?[key], value, path + [isCollection ? StatePlaces.element : key], found)
    }
  }

  func flags(_ collections: Set<[String]>) -> Set<[String]> {
    var values: [[String]: (count: Int, texts: Set<String>)] = [:]
    func look(_ value: Value, _ path: [String]) {
      switch value {
      case .object(let object):
        let isCollection = collections.contains(path)
        for (key, value) in object { look(value, path + [isCollection ? "*" : key]) }
      case .array(let list):
        for (_, element) in StatePlaces.keyed(list) ?? [] { look(element, path + ["*"]) }
      case .string, .bool:
        guard path.contains(StatePlaces.element), let text = value.scalarText else { return }
        var known = values[path] ?? (0, [])
        known.count += 1
        if known.texts.count < 10 { known.texts.insert(text) }
        values[path] = known
      default: break
      }
    }
    for sample in samples.suffix(8) { look(sample, []) }
    return Set(
      values.filter { _, known in
        known.texts.count <= 6 && known.count >= max(12, 4 * known.texts.count)
      }.keys)
  }
}

extension Number {
  /// A whole number where it is one.
  init(exact double: Double) { self = Int(exactly: double).map(Number.init) ?? .double(double) }
}

extension Value {
  var number: Double? { if case .number(let number) = self { number.doubleValue } else { nil } }
  var list: ValueArray? { if case .array(let list) = self { list } else { nil } }
  var object: ValueObject? { if case .object(let object) = self { object } else { nil } }
  /// A text, a number or a truth value in one word.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    case .number, .bool: text()
    default: nil
    }
  }
}
