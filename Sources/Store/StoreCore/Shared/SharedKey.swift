import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
  public import struct FoundationEssentials.URL
#else
  import Foundation
  public import struct Foundation.URL
#endif

/// The name of a shared value, and its storage.
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

  /// A key with a default value.
  public struct Default: Sendable {
    let key: SharedKey
    let value: @Sendable () -> Value

    /// Creates a key with a default.
    public static subscript(
      key: SharedKey, default value: @autoclosure @escaping @Sendable () -> Value
    ) -> Default {
      Default(key: key, value: value)
    }
  }

  /// A value in the store, under this name.
  public static func inMemory(_ name: String) -> SharedKey {
    SharedKey(id: SharedID(name: name), load: nil)
  }

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
  /// A value in a JSON file: read when a state first holds it, and written at the end of each turn
  /// that changed it. Recordings use this name, or the file's.
  ///
  /// It does not notice changes by others.
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

/// The files of `.fileStorage`. In tests they are in memory, separate for each test.
///
/// ```swift
/// $0.sharedStorage = .inMemory(["/settings.json": #"{"name":"Blob"}"#])
/// ```
public struct SharedStorage: Sendable {
  /// The text of the file at a path; nil if missing.
  public var load: @Sendable (_ path: String) -> String?
  /// Writes the text of the file at a path.
  public var save: @Sendable (_ path: String, _ text: String) -> Void

  /// Creates a custom storage.
  public init(
    load: @escaping @Sendable (_ path: String) -> String?,
    save: @escaping @Sendable (_ path: String, _ text: String) -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// A storage in memory.
  public static func inMemory(_ files: [String: String] = [:]) -> SharedStorage {
    let files = Locked(files)
    return SharedStorage(
      load: { path in files.withLock { $0[path] } },
      save: { path, text in files.withLock { $0[path] = text } })
  }
}

extension SharedStorage: DependencyKey {
  /// Files on disk, each written whole; a failed write is an issue.
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

  /// A storage in memory, empty for each test.
  public static var testValue: SharedStorage { .inMemory() }

  static func text(of value: any Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension DependencyValues {
  /// The files of `.fileStorage`.
  public var sharedStorage: SharedStorage {
    get { self[SharedStorage.self] }
    set { self[SharedStorage.self] = newValue }
  }
}
