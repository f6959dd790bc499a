/// Reads a dependency from the running code's context.
///
/// ```swift
/// struct Receipts {
///   @Dependency(\.date.now) var now
///   @Dependency(\.uuid) var uuid
/// }
/// ```
///
/// Overrides from where this property was created apply too, unless overridden since.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable
  private let initial: DependencyValues
  private let place: SourcePlace

  /// Reads the dependency with this name.
  public init(
    _ keyPath: any KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.keyPath = keyPath
    initial = .current
    place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Reads the dependency with this key.
  public init<Key: TestDependencyKey>(
    _ key: Key.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Key.Value == Value {
    self.init(
      \DependencyValues.[DependencyKeyBox<Key>()], fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The current value; nothing is cached.
  public var wrappedValue: Value {
    var values = DependencyValues.current.fallingBack(on: initial)
    values.reader = place
    return values[keyPath: keyPath]
  }
}

struct DependencyKeyBox<Key: TestDependencyKey>: Hashable, Sendable {}

extension DependencyValues {
  subscript<Key: TestDependencyKey>(box: DependencyKeyBox<Key>) -> Key.Value {
    self[Key.self, name: "\(Key.self)"]
  }
}

/// Names a dependency and gives its values.
///
/// ```swift
/// struct FactClient: Sendable {
///   var fact: @Sendable (Int) async throws -> String
/// }
///
/// extension FactClient: DependencyKey {
///   static let liveValue = FactClient { number in try await download(number) }
/// }
///
/// extension DependencyValues {
///   var factClient: FactClient {
///     get { self[FactClient.self] }
///     set { self[FactClient.self] = newValue }
///   }
/// }
/// ```
///
/// In a test, reading a dependency without a `testValue` reports an issue.
public protocol DependencyKey<Value>: TestDependencyKey {
  static var liveValue: Value { get }
  static var replayValue: Value { get }

  // The compiler infers `Value` only from members of the protocol that a type names.
  associatedtype Value = Self
  static var testValue: Value { get }
  static var previewValue: Value { get }
}

/// Names a dependency whose live value is in another module.
///
/// ```swift
/// struct TideClient: Sendable {
///   var height: @Sendable () async -> Double
/// }
/// extension TideClient: TestDependencyKey {               // in the module of the features
///   static let testValue = TideClient { 0 }
/// }
/// extension TideClient: DependencyKey {                   // in the module that measures
///   static let liveValue = TideClient { 1.5 }
/// }
/// ```
public protocol TestDependencyKey<Value>: Sendable {
  associatedtype Value: Sendable = Self
  static var testValue: Value { get }
  static var previewValue: Value { get }
}

extension TestDependencyKey {
  /// The test value, by default.
  public static var previewValue: Value { testValue }
}

extension DependencyKey {
  /// The live value, with an issue: a test should state its value.
  public static var testValue: Value {
    DependencyRead.current?.reportMissingTestValue()
    return liveValue
  }

  /// The live value, by default.
  public static var previewValue: Value { liveValue }

  /// The live value; reads through a tape get the recorded answers.
  public static var replayValue: Value { liveValue }

  static func value(forReplay: Bool) -> any Sendable { forReplay ? replayValue : liveValue }
}
