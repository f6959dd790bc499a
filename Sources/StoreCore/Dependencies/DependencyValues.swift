import Platform

/// The values of all dependencies in one place of the program.
public struct DependencyValues: Sendable {
  @TaskLocal static var scene = DependencyScene(DependencyValues())

  /// The values in force here.
  public static var current: DependencyValues { scene.values }

  /// The values for an effect that is made here: it runs while others reduce.
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
  private(set) var stepDesk: StepDesk?
  private(set) var bindingWatch: BindingWatch?
  /// What is done with dependencies wherever they are replaced.
  private var upkeep: [Upkeep] = []
  package var isPreparing = false
  /// Whether a test states what it expects: values made there leave those of the store alone.
  package var isAsserting = false
  var reader: SourcePlace?

  /// Nothing is set: every key gives its default.
  public init() {}

  /// Nothing is set: every key gives its default in this context.
  public init(context: DependencyContext) {
    statedContext = context
  }

  /// Which values hold where none was set.
  public var context: DependencyContext {
    get { statedContext ?? .ofThisProcess }
    set { statedContext = newValue }
  }

  /// The value of a key: what was set, or else its default.
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

  /// These values where they are stated, and `others` where not.
  func fallingBack(on others: DependencyValues) -> DependencyValues {
    guard !others.overrides.isEmpty || others.statedContext != nil else { return self }
    var result = self
    result.inherited = others.overrides
    result.statedContext = statedContext ?? others.statedContext
    return result
  }

  /// Changes values without the reading that this takes being reported.
  package mutating func prepare(_ change: (inout DependencyValues) throws -> Void) rethrows {
    let wasPreparing = isPreparing
    isPreparing = true
    defer { isPreparing = wasPreparing }
    try change(&self)
  }

  /// Changes a dependency, here and wherever a reducer or an effect replaces it.
  package mutating func keep<Value>(
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

  /// Changes values in the middle of the program.
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

  /// These values, with defaults of their own.
  package func forNewStore() -> DependencyValues {
    var result = self
    result.cache = DependencyCache()
    result.caseFacts = CaseFacts()
    result.stepDesk = StepDesk()
    result.bindingWatch = BindingWatch()
    return result
  }

  /// These values in the store that reduces here, whoever they were made for.
  package var inThisStore: DependencyValues {
    var result = self
    let store = DependencyValues.scene.values
    result.caseFacts = store.caseFacts
    result.stepDesk = store.stepDesk
    result.bindingWatch = store.bindingWatch
    return result
  }

  /// Runs `work` where these values are in force.
  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try DependencyValues.$scene.withValue(DependencyScene(self), operation: work)
  }

  /// Runs `work` where these values are in force.
  package func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await DependencyValues.$scene.withValue(DependencyScene(self), operation: work)
  }
}

/// Dependency values as one reference, so that putting them in force copies nothing.
package final class DependencyScene: Sendable {
  package let values: DependencyValues

  package init(_ values: DependencyValues) { self.values = values }

  /// Runs `work` where these values are in force.
  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try DependencyValues.$scene.withValue(self, operation: work)
  }
}

/// Which of a dependency's values holds where none was set.
public enum DependencyContext: Sendable, Hashable {
  /// An app that runs: `liveValue`.
  case live
  /// A run of tests: `testValue`.
  case test
  /// A picture of a feature while it is written: `previewValue`.
  case preview
  /// A session that is run again: `replayValue`.
  case replay

  /// What this process is: a run of tests, or an app.
  static let ofThisProcess: DependencyContext = {
    if getenv("XCTestConfigurationFilePath") != nil { return .test }
    let program = CommandLine.arguments.first ?? ""
    let isTest =
      program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
      || program.hasSuffix("/swiftpm-testing-helper")
    return isTest ? .test : .live
  }()
}

/// The default values that one store has made, so that a generator that counts goes on counting.
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

/// What was made of values that replaced a dependency. In a re-run the same is made of the same, so that
/// effects which have captured it can be compared.
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

/// One reading of a dependency whose default is being made.
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
