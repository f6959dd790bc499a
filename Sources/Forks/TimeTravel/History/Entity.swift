import ValueTree

/// One thing of the app, known by its id: `order 4711`, or `4711` alone.
///
/// ```swift
/// let order = Entity("order 4711")
/// order?.portrait(in: ["orders": [["id": 4711, "open": true]], "chosenOrderID": 4711])
/// // ["orders": ["id": 4711, "open": true], "chosenOrderID": 4711]
/// ```
package struct Entity: Sendable, Hashable {
  /// A part of the names of its places, if ids of several kinds are equal.
  package var kind: String?
  package var id: String
  /// The members of its records so far: one of another list may move there without its kind.
  package var members: Set<String> = []

  package init?(_ text: String) {
    let words = text.split { $0.isWhitespace }
    guard let id = words.last, words.count <= 2 else { return nil }
    self.id = String(id)
    kind = words.count == 2 ? words[0].lowercased() : nil
  }

  package var words: String { (kind.map { $0 + " " } ?? "") + id }

  /// The parts of a value that belong to it, by the places' names: its records, and values that
  /// refer to it. An element of a list has the list's name, so that it may move there.
  package func portrait(in value: Value) -> ValueObject {
    var search = EntitySearch(entity: self)
    search.look(into: value, isOfKind: kind == nil)
    return search.found
  }

  /// Whether an action is about it.
  package func isNamed(in action: Value, label: String) -> Bool {
    var search = EntitySearch(entity: self)
    search.look(into: action, isOfKind: isKind(label))
    return !search.found.isEmpty
  }

  func isID(_ value: Value?) -> Bool {
    switch value {
    case .string(let text)?: text == id
    case .number(let number)?: number.text == id
    default: false
    }
  }

  func isKind(_ name: String) -> Bool { kind.map(name.lowercased().contains) ?? true }
}

private struct EntitySearch {
  let entity: Entity
  var found: ValueObject = [:]
  private var path = ValuePath()

  init(entity: Entity) { self.entity = entity }

  /// `isOfKind`: whether a name above says the kind.
  mutating func look(into value: Value, isOfKind: Bool) {
    switch value {
    case .array(let elements):
      for element in elements {
        if entity.isID(element), isReference(isOfKind) { add(element) }
        look(into: element, isOfKind: isOfKind)
      }
    case .object(let members):
      if isRecord(members, isOfKind) { return add(value) }
      for (key, member) in members {
        let isOfKind = isOfKind || entity.isKind(key)
        if key == entity.id, isOfKind, isContainer(member) {
          add(member)
          continue
        }
        path.parts.append(.key(key))
        if entity.isID(member), isReference(isOfKind) { add(member) }
        look(into: member, isOfKind: isOfKind)
        path.parts.removeLast()
      }
    default: break
    }
  }

  private func isContainer(_ value: Value) -> Bool {
    switch value {
    case .object, .array: true
    default: false
    }
  }

  private func isRecord(_ members: ValueObject, _ isOfKind: Bool) -> Bool {
    for key in ElementMatching.standard.identityKeys where entity.isID(members[key]) {
      let known = members.count { entity.members.contains($0.key) }
      return isOfKind || known > 1 && known * 3 >= members.count * 2
    }
    return false
  }

  /// Equal numbers are everywhere: only a name of ids makes one a reference.
  private func isReference(_ isOfKind: Bool) -> Bool {
    guard case .key(let name)? = path.parts.last else { return false }
    let isNamed = ["id", "ids", "key", "keys"].contains { name.lowercased().hasSuffix($0) }
    return isNamed && isOfKind || entity.kind != nil && entity.isKind(name)
  }

  private mutating func add(_ value: Value) {
    var name = path.isRoot ? "the state" : path.text
    var number = 1
    while found[name] != nil {
      number += 1
      name = "\(path.text) (\(number))"
    }
    found[name] = value
  }
}
