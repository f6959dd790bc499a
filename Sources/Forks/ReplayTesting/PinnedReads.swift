import Platform
import Recorder
import SessionWords
public import StoreCore
import StoreRecording
import StoreTesting
import ValueTree

/// Recorded dependency values for the reducer of a `TestStore`.
///
/// ```swift
/// let reads = PinnedReads()
/// let store = TestStore(initialState: Dice.State()) {
///   Dice()
/// } withDependencies: {
///   $0.replay(reads)
///   $0.dice.roll = reads.tape.closure("dice", $0.dice.roll)
/// }
/// reads.pin("dice", 4)
/// await store.send(.rolled) { $0.face = 4 }
/// ```
///
/// The test fails if the reducer reads a value that is not pinned, or, if `strict`, leaves a pinned
/// one.
public final class PinnedReads: Sendable {
  private let line: PinnedLine
  private let isStrict: Bool

  /// Creates an empty list; missing and unused values fail at the line that creates it.
  public init(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    isStrict = strict
    self.line = PinnedLine(
      SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1))
  }

  deinit { if isStrict { line.checkAtEnd() } }

  /// The tape for dependencies.
  public var tape: Tape { Tape(line, ReferenceSearch()) }

  /// Pins the next value of a dependency.
  public func pin(_ key: String, _ value: some Encodable & Sendable) {
    line.pin(key, Read.Outcome(encoding: value))
  }

  /// Pins the next value of a dependency as recorded. With `asked`, the arguments as a JSON array,
  /// it answers only this question.
  public func pin(_ key: String, asked arguments: String? = nil, json: String) throws {
    try line.pin(key, .value(Value(parsing: Array(json.utf8))), asked: arguments)
  }

  /// Pins the next error of a dependency as recorded.
  public func pin(_ key: String, asked arguments: String? = nil, errorJSON: String) throws {
    try line.pin(key, .failure(Value(parsing: Array(errorJSON.utf8))), asked: arguments)
  }
}

extension DependencyValues {
  /// Sets up a replay: the test controls effects (``TestEffects/byHand``), reducers get the pinned
  /// reads, and the test advances the clock. Actions for removed children are allowed, because they
  /// were recorded.
  public mutating func replay(_ reads: PinnedReads? = nil) {
    let executor = effectExecutor
    let clock = continuousClock
    context = .replay
    effectExecutor = executor
    continuousClock = clock
    effects = .byHand
    issueReporter = IssueReporter { _ in }
    if let reads { putBuiltInsOnTape(reads.tape) }
  }
}

/// Whether two values have the same JSON, for types that are not `Equatable`.
public func areEncodedAlike<Value: Encodable>(_ one: Value, _ other: Value) -> Bool {
  let encoder = ValueEncoder()
  guard let one = try? encoder.encode(one), let other = try? encoder.encode(other) else {
    return false
  }
  return one.isExactlyEqual(to: other)
}

/// Decodes a value from JSON in a test.
public func decoded<Value: Decodable>(_ json: String) throws -> Value {
  try ValueDecoder().decode(
    Value.self, from: ValueTree.Value(parsing: Array(json.utf8)))
}

/// Changes a value by RFC 6902 operations, if its parts cannot be set.
public func change<Changed: Codable>(_ value: inout Changed, by operations: String) throws {
  let patch = try Patch(Value(parsing: Array(operations.utf8)))
  value = try ValueDecoder().decode(
    Changed.self, from: patch.applied(to: ValueEncoder().encode(value)))
}

private final class PinnedLine: TapeStorage {
  private let pinned = Locked<[String: [Read]]>([:])
  private let reporter = FailureReporter.current
  private let place: SourcePlace

  init(_ place: SourcePlace) { self.place = place }

  func pin(_ key: String, _ outcome: Read.Outcome) {
    pinned.withLock { $0[key, default: []].append(Read(key: key, outcome: outcome)) }
  }

  func pin(_ key: String, _ outcome: Read.Outcome, asked arguments: String?) throws {
    var read = Read(key: key, outcome: outcome)
    if let arguments {
      guard case .array(let values) = try Value(parsing: Array(arguments.utf8)) else {
        return report("The arguments of “\(key)” are no JSON array: \(arguments)")
      }
      read.arguments = Array(values)
    }
    pinned.withLock { [read] in $0[key, default: []].append(read) }
  }

  func hasAnswer(to key: String) -> Bool { pinned.withLock { $0[key]?.isEmpty == false } }

  func answer(to question: TapeQuestion) -> TapeAnswer {
    let arguments = question.arguments
    func isAnswer(_ read: Read) -> Bool {
      guard let pinned = read.arguments else { return true }
      guard let arguments, arguments.count == pinned.count else { return false }
      return zip(pinned, arguments).allSatisfy { $0.isExactlyEqual(to: $1) }
    }
    let next = pinned.withLock { pinned -> Read? in
      guard let reads = pinned[question.key], !reads.isEmpty else { return nil }
      return pinned[question.key]?.remove(at: reads.firstIndex(where: isAnswer) ?? 0)
    }
    if let next {
      if !isAnswer(next) {
        let asked = Question(Read(key: question.key, arguments: arguments, outcome: next.outcome))
        report(
          "The reducer asks \(asked.text), but the pinned answer is for \(Question(next).text).")
      }
      return .recorded(next.outcome)
    }
    report("The reducer reads “\(question.key)”, and no value is pinned for it.")
    return .live
  }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {}

  func register(_ key: String) {}

  func checkAtEnd() {
    let left = pinned.withLock { $0.filter { !$0.value.isEmpty }.keys.sorted() }
    guard !left.isEmpty else { return }
    report(
      "Pinned, but not read: \(left.map { "“\($0)”" }.joined(separator: ", ")). Is it on tape here?"
    )
  }

  private func report(_ message: String) {
    reporter.report(Failure(message, place: place))
  }
}
