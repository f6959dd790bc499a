import Platform
import Synchronization

struct SharedID: Hashable, Sendable {
  var name: String
  /// The path from the named value to a part: names of stored properties, and element ids in
  /// brackets.
  var part: [String] = []
  /// Its file. Not recorded, because it differs on other machines.
  var path: String?

  func part(_ names: [String]) -> SharedID { SharedID(name: name, part: part + names) }

  /// Its own name, for when the whole value is gone.
  var alone: String { ([name] + part).joined(separator: ".") }

  static func == (left: SharedID, right: SharedID) -> Bool {
    left.name == right.name && left.part == right.part
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(part)
  }
}

struct SharedValues: Sendable {
  private struct Entry: Sendable {
    var value: any Sendable
    var version: Int
    var path: String?
  }

  struct File: Sendable {
    var path: String
    var value: any Sendable
  }

  private var entries: [String: Entry] = [:]
  private var numbered = 0
  private var changed: Set<String> = []
  private(set) var isSettled = true

  init() {}

  /// Collects them from a store's first state: values made outside of a store do not know their
  /// files' names yet.
  init<State>(first state: inout State, _ places: SharedPlaces) {
    var names = SharedValues()
    places.visit(&state) { place in
      let (id, other) = names.ownName(of: place.sharedID)
      if let other { Self.reportSameName(id, other) }
      place.sharedID = id
      place.enter(into: &names)
    }
    self.init(in: &state, places)
  }

  /// Collects them from a state. Of differing copies, the one with the most changes counts, then
  /// the first.
  init<State>(in state: inout State, _ places: SharedPlaces) {
    places.visit(&state) { $0.enter(into: &self) }
  }

  /// Those of the running step; nil outside of steps.
  @discardableResult
  static func current<Result>(_ work: (inout SharedValues) -> Result) -> Result? {
    DependencyValues.dependencyScope.values.stepDesk?.withShared(work)
  }

  /// A name for a nameless value: a number, the same in every run.
  static func newName() -> String {
    current { values in
      values.numbered += 1
      return "#\(values.numbered)"
    } ?? "#\(outside.add(1, ordering: .relaxed).newValue)x"
  }

  private static let outside = Atomic<Int>(0)

  func value<Value>(of id: SharedID, as _: Value.Type) -> Value? {
    // In two steps each, because a value may itself be an optional.
    guard let entry = entries[id.name] else {
      guard let alone = entries[id.alone] else { return nil }
      return alone.value as? Value
    }
    if id.part.isEmpty { return entry.value as? Value }
    guard let part = SharedPart.value(id.part[...], of: entry.value) else { return nil }
    return part as? Value
  }

  mutating func set(_ value: any Sendable, of id: SharedID) {
    isSettled = false
    let name = entries[id.name] == nil ? id.alone : id.name
    changed.insert(name)
    var entry = entries[name] ?? Entry(value: value, version: 0, path: id.path)
    if name == id.alone {
      entry.value = value
    } else {
      entry.value = SharedPart.setting(id.part[...], of: entry.value, to: value)
    }
    entry.version += 1
    entries[name] = entry
  }

  mutating func enter(_ id: SharedID, _ value: any Sendable, version: Int = 0) {
    if id.name.hasPrefix("#"), let number = Int(id.name.dropFirst()) {
      numbered = max(numbered, number)
    }
    guard id.part.isEmpty else { return }
    if let known = entries[id.name] {
      if known.version != version { isSettled = false }
      if let path = id.path, known.path == nil { entries[id.name]?.path = path }
      guard known.version < version else { return }
    }
    entries[id.name] = Entry(
      value: value, version: version, path: id.path ?? entries[id.name]?.path)
  }

  /// The name of a file here, extended if another file has it; and for a new extended name, that
  /// file's path.
  func ownName(of id: SharedID) -> (id: SharedID, other: String?) {
    guard let path = id.path, let other = entries[id.name]?.path, other != path else {
      return (id, nil)
    }
    var own = id
    let parts = path.split(separator: "/")
    for count in 2...max(2, parts.count) {
      own.name = parts.suffix(count).joined(separator: "/")
      guard let taken = entries[own.name] else { return (own, other) }
      if taken.path == path { break }
    }
    return (own, nil)
  }

  static func reportSameName(_ own: SharedID, _ other: String) {
    reportIssue(
      """
      Two shared files have one name: \(other) and \(own.path ?? own.name). In this store the second \
      is called \(own.name). To have them run again from a recording, give one a name of its own: \
      .fileStorage(url, name: "…").
      """)
  }

  func version(of id: SharedID) -> Int? { (entries[id.name] ?? entries[id.alone])?.version }

  func settle<State>(_ state: inout State, _ places: SharedPlaces) {
    if !isSettled { places.visit(&state) { $0.settle(self) } }
  }

  /// The same for a store's first state. Values from outside get the numbers they would have here.
  mutating func settleFirst<State>(_ state: inout State, _ places: SharedPlaces) {
    var names: [String: String] = [:]
    places.visit(&state) { place in
      guard place.sharedID.name.hasSuffix("x"), place.sharedID.name.hasPrefix("#") else { return }
      let old = place.sharedID.name
      if names[old] == nil {
        numbered += 1
        names[old] = "#\(numbered)"
        entries["#\(numbered)"] = entries.removeValue(forKey: old)
      }
      place.sharedID.name = names[old] ?? old
    }
    settle(&state, places)
  }

  var changedFiles: [File] {
    changed.sorted().compactMap { name in
      entries[name].flatMap { entry in entry.path.map { File(path: $0, value: entry.value) } }
    }
  }
}

protocol SharedPlace: PlaceInState {
  var sharedID: SharedID { get set }
  mutating func enter(into values: inout SharedValues)
  mutating func settle(_ values: SharedValues)
}

extension Shared: SharedPlace {
  mutating func enter(into values: inout SharedValues) {
    if hasDraft { settle(as: known) }
    values.enter(sharedID, known.value, version: known.version)
  }

  mutating func settle(_ values: SharedValues) {
    guard let value = values.value(of: sharedID, as: Value.self) else { return }
    settle(as: Known(value: value, version: values.version(of: sharedID) ?? known.version))
  }
}
