import Platform

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

public enum DependencyContext: Sendable { case live, preview, test }

/// `DependencyValues.swift`: what is not overridden is the live value; in a test that is an issue.
public struct DependencyValues: Sendable {
  @TaskLocal public static var _current = DependencyValues()
  /// The names of what was asked in a test.
  package static let issues = Locked<[String]>([])

  public var context = DependencyContext.live
  @_spi(Internals) public var cachedValues = CachedValues()
  private var overridden: [String: any Sendable] = [:]
  /// Of the test store that the reducer runs in.
  var sharedChanges: SharedChangeTracker?

  public init() {}

  func value<Value: Sendable>(
    _ live: Value, named name: String = #function, hasTestValue: Bool = false
  ) -> Value {
    if let own = overridden[name] as? Value { return own }
    if context == .test, !hasTestValue { Self.issues.withLock { $0.append(name) } }
    return live
  }

  mutating func override(_ value: some Sendable, named name: String = #function) {
    overridden[name] = value
  }

  public var date: DateGenerator {
    get { value(DateGenerator { Date() }) }
    set { override(newValue) }
  }

  public var uuid: UUIDGenerator {
    get { value(UUIDGenerator { UUID() }) }
    set { override(newValue) }
  }

  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { value(WithRandomNumberGenerator(SystemRandomNumberGenerator())) }
    set { override(newValue) }
  }

  public var continuousClock: any Clock<Duration> {
    get { value(ContinuousClock() as any Clock<Duration>) }
    set { override(newValue) }
  }

  public var calendar: Calendar {
    get { value(Calendar.autoupdatingCurrent) }
    set { override(newValue) }
  }

  public var locale: Locale {
    get { value(Locale.autoupdatingCurrent) }
    set { override(newValue) }
  }

  public var timeZone: TimeZone {
    get { value(TimeZone.autoupdatingCurrent) }
    set { override(newValue) }
  }

  @_spi(Internals) public var stackElementID: StackElementIDGenerator {
    get { value(.counting) }
    set { override(newValue) }
  }

  /// Of the app of the tests.
  public var fact: @Sendable (Int) async throws -> String {
    get { value { @Sendable number in "\(number) is a number" } }
    set { override(newValue) }
  }
}

/// There it holds live values; here only the references of shared ones.
@_spi(Internals) public final class CachedValues: Sendable {
  let references = Locked<[AnyHashable: WeakReference]>([:])
  let inMemory = InMemoryStorage()

  public func resetCache() { references.withLock { $0 = [:] } }
}

@propertyWrapper public struct Dependency<Value> {
  private let keyPath: KeyPath<DependencyValues, Value>

  public init(_ keyPath: KeyPath<DependencyValues, Value>) { self.keyPath = keyPath }

  public var wrappedValue: Value { DependencyValues._current[keyPath: keyPath] }
}

public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues._current
  try change(&values)
  return try DependencyValues.$_current.withValue(values, operation: operation)
}

public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Date

  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  public var now: Date { generate() }
}

public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  public func callAsFunction() -> UUID { generate() }
}

public struct WithRandomNumberGenerator: Sendable {
  private let generator: any RandomNumberGenerator & Sendable

  public init(_ generator: some RandomNumberGenerator & Sendable) { self.generator = generator }

  public func callAsFunction<R>(_ work: (inout any RandomNumberGenerator & Sendable) -> R) -> R {
    var generator = generator
    return work(&generator)
  }
}

public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues._current
  try change(&values)
  return try await DependencyValues.$_current.withValue(values, operation: operation)
}
