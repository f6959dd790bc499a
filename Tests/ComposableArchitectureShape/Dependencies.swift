public import FoundationEssentials

public struct DependencyValues: Sendable {
  @TaskLocal public static var _current = DependencyValues()

  public var date = DateGenerator { Date() }
  public var uuid = UUIDGenerator { UUID() }
  public var withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
  public var continuousClock: any Clock<Duration> = ContinuousClock()
  @_spi(Internals) public var stackElementID = StackElementIDGenerator.counting
  /// Of the app of the tests.
  public var fact: @Sendable (Int) async throws -> String = { "\($0) is a number" }
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
