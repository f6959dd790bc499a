import Platform
import Synchronization

/// What shared values are told apart by.
struct SharedID: Hashable, Sendable {
  var name: String
  /// The way from the value of that name to a part of it: names of stored properties, and ids of
  /// elements in brackets.
  var part: [String] = []
  /// The file it is kept in. Not recorded: on another machine it is another.
  var path: String?

  func part(_ names: [String]) -> SharedID { SharedID(name: name, part: part + names) }

  /// Its own name, for when nobody holds any more what it is a part of.
  var alone: String { ([name] + part).joined(separator: ".") }

  static func == (left: SharedID, right: SharedID) -> Bool {
    left.name == right.name && left.part == right.part
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(part)
  }
}

/// The shared values of a state, by their names.
struct SharedValues: Sendable {
  private struct Entry: Sendable {
    var value: any Sendable
    var version: Int
    var path: String?
  }

  /// A file, and what is to be in it.
  struct File: Sendable {
    var path: String
    var value: any Sendable
  }

  private var entries: [String: Entry] = [:]
  private var numbered = 0
  private var changed: Set<String> = []
  /// Whether copies of one value in the state differ.
  private(set) var isSettled = true

  init() {}

  /// Reads them where they lie in the state that a store begins with: what was made outside of a store
  /// does not know yet what its files are called here.
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

  /// Reads them where they lie in a state. Of copies that differ, the one that was changed most often
  /// counts, and of these the first.
  init<State>(in state: inout State, _ places: SharedPlaces) {
    places.visit(&state) { $0.enter(into: &self) }
  }

  /// Those of the step that runs here; nil outside of steps.
  @discardableResult
  static func current<Result>(_ work: (inout SharedValues) -> Result) -> Result? {
    DependencyValues.scene.values.stepDesk?.withShared(work)
  }

  /// A name for what has none: a number that is the same in every run of a store.
  static func newName() -> String {
    current { values in
      values.numbered += 1
      return "#\(values.numbered)"
    } ?? "#\(outside.add(1, ordering: .relaxed).newValue)x"
  }

  /// Counts those that are made while no store is.
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

  /// Adds one that a state holds.
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

  /// The name that a file has in here, which is longer where another file has it already; and, where it
  /// is new, the path of that other.
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

  /// Gives everything in the state that shares a value the same one.
  func settle<State>(_ state: inout State, _ places: SharedPlaces) {
    if !isSettled { places.visit(&state) { $0.settle(self) } }
  }

  /// The same for the state that a store begins with. What was made outside of it gets the numbers
  /// that it would have in here.
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

  /// What has changed and is kept in files.
  var changedFiles: [File] {
    changed.sorted().compactMap { name in
      entries[name].flatMap { entry in entry.path.map { File(path: $0, value: entry.value) } }
    }
  }
}

/// One place in a state that shares a value.
protocol SharedPlace {
  var sharedID: SharedID { get set }
  func enter(into values: inout SharedValues)
  mutating func settle(_ values: SharedValues)
}

extension Shared: SharedPlace {
  func enter(into values: inout SharedValues) { values.enter(sharedID, copy, version: version) }

  mutating func settle(_ values: SharedValues) {
    guard let value = values.value(of: sharedID, as: Value.self) else { return }
    copy = value
    version = values.version(of: sharedID) ?? version
  }
}
