import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
  public import struct FoundationEssentials.URL
#else
  import Foundation
  public import struct Foundation.URL
#endif

/// The name under which a value is shared, and where it is kept.
///
/// ```swift
/// extension SharedKey<[Todo]>.Default {
///   static var todos: Self { Self[.fileStorage(URL(filePath: "todos.json")), default: []] }
/// }
///
/// @Shared(.todos) var todos
/// ```
public struct SharedKey<Value: Sendable>: Sendable {
  let id: SharedID
  private let load: (@Sendable () -> Value?)?

  private init(id: SharedID, load: (@Sendable () -> Value?)? = nil) {
    self.id = id
    self.load = load
  }

  /// A key with the value that holds where there is none yet.
  public struct Default: Sendable {
    let key: SharedKey
    let value: @Sendable () -> Value

    /// A key and its default.
    public static subscript(
      key: SharedKey, default value: @autoclosure @escaping @Sendable () -> Value
    ) -> Default {
      Default(key: key, value: value)
    }
  }

  /// In the store, under this name.
  public static func inMemory(_ name: String) -> SharedKey { SharedKey(id: SharedID(name: name)) }

  /// What a state holds of it: the value that is shared already, or is in its file, or else this one.
  func shared(orElse make: () -> Value) -> Shared<Value> {
    let (id, other) = SharedValues.current { $0.ownName(of: self.id) } ?? (self.id, nil)
    if let other { SharedValues.reportSameName(id, other) }
    if let known = SharedValues.current({ $0.value(of: id, as: Value.self) }) ?? nil {
      return Shared(id: id, copy: known)
    }
    let value = load?() ?? make()
    SharedValues.current { $0.enter(id, value) }
    return Shared(id: id, copy: value)
  }
}

extension SharedKey where Value: Codable {
  /// In a JSON file: read when a state first holds the value, and written at the end of every turn that
  /// changed it. Recordings know it by this name, or by that of the file.
  ///
  /// Who else changes the file meanwhile is not noticed.
  public static func fileStorage(_ url: URL, name: String? = nil) -> SharedKey {
    let path = url.path
    return SharedKey(id: SharedID(name: name ?? url.lastPathComponent, path: path)) {
      let storage = DependencyValues.current.sharedStorage
      guard let text = storage.load(path) else { return nil }
      do {
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
      } catch {
        reportIssue("\(url.lastPathComponent) holds no shared value that can be read: \(error)")
        return nil
      }
    }
  }
}

/// Where shared values with `.fileStorage` are kept. In tests that is a memory which each test has to
/// itself.
///
/// ```swift
/// $0.sharedStorage = .inMemory(["/settings.json": #"{"name":"Blob"}"#])
/// ```
public struct SharedStorage: Sendable {
  /// The text of the file at a path; nil where there is none.
  public var load: @Sendable (_ path: String) -> String?
  /// Writes the text of the file at a path.
  public var save: @Sendable (_ path: String, _ text: String) -> Void

  /// Keeps files in a way of its own.
  public init(
    load: @escaping @Sendable (_ path: String) -> String?,
    save: @escaping @Sendable (_ path: String, _ text: String) -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// Files that are none.
  public static func inMemory(_ files: [String: String] = [:]) -> SharedStorage {
    let files = Locked(files)
    return SharedStorage(
      load: { path in files.withLock { $0[path] } },
      save: { path, text in files.withLock { $0[path] = text } })
  }
}

extension SharedStorage: DependencyKey {
  /// Files, each written whole; one that cannot be written is an issue.
  public static var liveValue: SharedStorage {
    SharedStorage { path in
      (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    } save: { path, text in
      do {
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
      } catch {
        reportIssue("A shared value could not be written to \(path): \(error)")
      }
    }
  }

  /// In memory, empty for each test.
  public static var testValue: SharedStorage { .inMemory() }

  static func text(of value: any Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension DependencyValues {
  /// Where shared values with `.fileStorage` are kept.
  public var sharedStorage: SharedStorage {
    get { self[SharedStorage.self] }
    set { self[SharedStorage.self] = newValue }
  }
}
