import Platform

/// The values of all dependencies in one context.
public struct DependencyValues: Sendable {
  @TaskLocal static var dependencyScope = DependencyScope(DependencyValues())

  /// The values that apply here.
  public static var current: DependencyValues { dependencyScope.values }

  /// The values for an effect created here: it runs while others reduce.
  static var ofEffects: DependencyValues {
    var values = current
    values.stepDesk = nil
    return values
  }

  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  private var inherited: [ObjectIdentifier: any Sendable] = [:]
  private var statedContext: DependencyContext?
  private var cache: DependencyCache?
  private(set) var caseFacts: CaseFacts?
  private(set) var stepDesk: StepRecorder?
  private(set) var bindingWatch: BindingWatch?
  /// Changes to repeat wherever dependencies are replaced.
  private var upkeep: [Upkeep] = []
  package var isPreparing = false
  /// Whether a test states its expectation: values made there do not affect the store's.
  package var isAsserting = false
  var reader: SourcePlace?

  /// Creates values with every default.
  public init() {}

  /// Creates values with every default of this context.
  public init(context: DependencyContext) {
    statedContext = context
  }

  /// The context that chooses the defaults.
  public var context: DependencyContext {
    get { statedContext ?? .ofThisProcess }
    set { statedContext = newValue }
  }

  /// The value of a key: the override, or its default.
  public subscript<Key: TestDependencyKey>(
    key: Key.Type, name name: String = #function
  ) -> Key.Value {
    get {
      let id = ObjectIdentifier(key)
      // In two steps each, because a value may itself be an optional.
      if let stored = overrides[id], let value = stored as? Key.Value { return value }
      if let stored = inherited[id], let value = stored as? Key.Value { return value }
      return defaultValue(of: key, name: name)
    }
    set { overrides[ObjectIdentifier(key)] = newValue }
  }

  private func defaultValue<Key: TestDependencyKey>(of key: Key.Type, name: String) -> Key.Value {
    let context = context
    func make() -> Key.Value {
      switch context {
      case .preview: return key.previewValue
      case .live, .replay:
        let full = key as? any DependencyKey.Type
        if let value = full?.value(forReplay: context == .replay) as? Key.Value { return value }
        reportIssue(
          """
          The dependency \\.\(name) has no live value here, so its test value is used. Let \(key) \
          conform to DependencyKey, and link the module that does so.
          """)
        return key.testValue
      case .test:
        let read = isPreparing ? nil : DependencyRead(name: "\\.\(name)", place: reader)
        return DependencyRead.$current.withValue(read) { key.testValue }
      }
    }
    guard let cache, !isPreparing else { return make() }
    return cache.value(for: ObjectIdentifier(key), in: context, make: make)
  }

  func fallingBack(on others: DependencyValues) -> DependencyValues {
    guard !others.overrides.isEmpty || others.statedContext != nil else { return self }
    var result = self
    result.inherited = others.overrides
    result.statedContext = statedContext ?? others.statedContext
    return result
  }

  /// Changes values without reporting the reads this takes.
  package mutating func prepare(_ change: (inout DependencyValues) throws -> Void) rethrows {
    let wasPreparing = isPreparing
    isPreparing = true
    defer { isPreparing = wasPreparing }
    try change(&self)
  }

  /// Changes a dependency, here and wherever a reducer or an effect replaces it.
  package mutating func changeEverywhere<Value>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    _ change: @escaping @Sendable (inout Value) -> Void
  ) {
    prepare { change(&$0[keyPath: keyPath]) }
    var probe = DependencyValues()
    probe[keyPath: keyPath] = self[keyPath: keyPath]
    let kept = KeptReplacements<Value>()
    upkeep.append(
      Upkeep(keys: Set(probe.overrides.keys)) { values in
        values.prepare { values in
          guard values.context == .replay else { return change(&values[keyPath: keyPath]) }
          values[keyPath: keyPath] = kept.made(of: values[keyPath: keyPath], change)
        }
      })
  }

  private struct Upkeep: Sendable {
    var keys: Set<ObjectIdentifier>
    var change: @Sendable (inout DependencyValues) -> Void
  }

  mutating func replace(_ change: (inout DependencyValues) throws -> Void) rethrows {
    guard !upkeep.isEmpty else { return try prepare(change) }
    let (before, outer) = (overrides, inherited)
    overrides = [:]
    inherited = outer.merging(before) { $1 }
    try prepare(change)
    let replaced = overrides
    overrides = before.merging(replaced) { $1 }
    inherited = outer
    for rule in upkeep where !rule.keys.isDisjoint(with: replaced.keys) { rule.change(&self) }
  }

  package func forNewStore() -> DependencyValues {
    var result = self
    result.cache = DependencyCache()
    result.caseFacts = CaseFacts()
    result.stepDesk = StepRecorder()
    result.bindingWatch = BindingWatch()
    return result
  }

  package var inThisStore: DependencyValues {
    var result = self
    let store = DependencyValues.dependencyScope.values
    result.caseFacts = store.caseFacts
    result.stepDesk = store.stepDesk
    result.bindingWatch = store.bindingWatch
    return result
  }

  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try DependencyValues.$dependencyScope.withValue(DependencyScope(self), operation: work)
  }

  package func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await DependencyValues.$dependencyScope.withValue(DependencyScope(self), operation: work)
  }
}

/// Dependency values as one reference, so that applying them copies nothing.
package final class DependencyScope: Sendable {
  package let values: DependencyValues

  package init(_ values: DependencyValues) { self.values = values }

  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try DependencyValues.$dependencyScope.withValue(self, operation: work)
  }
}

/// The context that chooses a dependency's default.
public enum DependencyContext: Sendable, Hashable {
  /// A running app: `liveValue`.
  case live
  /// A test: `testValue`.
  case test
  /// A preview: `previewValue`.
  case preview
  /// A replayed session: `replayValue`.
  case replay

  static let ofThisProcess: DependencyContext = {
    if getenv("XCTestConfigurationFilePath") != nil { return .test }
    let program = CommandLine.arguments.first ?? ""
    let isTest =
      program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
      || program.hasSuffix("/swiftpm-testing-helper")
    return isTest ? .test : .live
  }()
}

/// The defaults that one store has made, so that counting generators continue.
final class DependencyCache: Sendable {
  private struct Slot: Hashable {
    var key: ObjectIdentifier
    var context: DependencyContext
  }

  private let values = Locked<[Slot: any Sendable]>([:])

  /// `make` runs outside the lock, because it may read other dependencies.
  func value<Value: Sendable>(
    for key: ObjectIdentifier, in context: DependencyContext, make: () -> Value
  ) -> Value {
    let slot = Slot(key: key, context: context)
    if let known = values.withLock({ $0[slot] }), let value = known as? Value { return value }
    let made = make()
    return values.withLock { values in
      if let known = values[slot], let value = known as? Value { return value }
      values[slot] = made
      return made
    }
  }
}

/// Values made from replaced dependencies. A re-run makes the same ones from the same values, so
/// that effects which captured them can be compared.
private final class KeptReplacements<Value>: Sendable {
  private let known = Locked<[(given: Value, made: Value)]>([])
  private static var limit: Int { 16 }

  func made(of given: Value, _ change: (inout Value) -> Void) -> Value {
    let before = known.withLock { known in
      known.first { MemoryComparison.areSame($0.given, given) }?.made
    }
    if let before { return before }
    var made = given
    change(&made)
    known.withLock { $0 = $0.suffix(Self.limit - 1) + [(given, made)] }
    return made
  }
}

struct DependencyRead: Sendable {
  @TaskLocal static var current: DependencyRead?

  var name: String
  var place: SourcePlace?

  func reportMissingTestValue() {
    reportIssue(
      """
      \(name) has no test value, but a test reads it. \
      Override it for this test, or give its key a testValue.
      """, at: place)
  }
}
