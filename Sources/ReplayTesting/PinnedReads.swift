import Platform
import Recorder
import SessionWords
public import StoreCore
import StoreRecording
import StoreTesting
import ValueTree

/// What dependencies give to the reducer of a ``TestStore``, value by value: what a recording had.
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
/// A reducer that reads what is not pinned, or leaves out what is, fails the test.
public final class PinnedReads: Sendable {
  private let line: PinnedLine

  /// With nothing pinned yet; what is missing or left over is told at the line that makes it.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    self.line = PinnedLine(
      SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1))
  }

  deinit { line.checkAtEnd() }

  /// Puts dependencies on tape.
  public var tape: Tape { Tape(line, ReferenceSearch()) }

  /// The next value of the dependency with this key.
  public func pin(_ key: String, _ value: some Encodable & Sendable) {
    line.pin(key, Read.Outcome(encoding: value))
  }

  /// The next value of the dependency with this key, as it stands in the recording. With `asked`, the
  /// arguments as a JSON array, it is the answer to this question alone.
  public func pin(_ key: String, asked arguments: String? = nil, json: String) throws {
    try line.pin(key, .value(Value(parsing: Array(json.utf8))), asked: arguments)
  }

  /// The error that the dependency with this key throws next, as it stands in the recording.
  public func pin(_ key: String, asked arguments: String? = nil, errorJSON: String) throws {
    try line.pin(key, .failure(Value(parsing: Array(errorJSON.utf8))), asked: arguments)
  }
}

extension DependencyValues {
  /// As in a replay: effects speak when the test says so (``TestEffects/byHand``), reducers get the
  /// pinned reads, and the clock waits to be advanced. What came for a child that had gone did so in
  /// the recording too, and is no mistake here.
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

/// A value of a test that stands in it as JSON.
public func decoded<Value: Decodable>(_ json: String) throws -> Value {
  try ValueDecoder().decode(
    Value.self, from: ValueTree.Value(parsing: Array(json.utf8)))
}

/// Changes a value by RFC 6902 operations, where its parts cannot be set.
public func change<Changed: Codable>(_ value: inout Changed, by operations: String) throws {
  let patch = try Patch(Value(parsing: Array(operations.utf8)))
  value = try ValueDecoder().decode(
    Changed.self, from: patch.applied(to: ValueEncoder().encode(value)))
}

/// What is pinned and was not read yet, by key.
private final class PinnedLine: TapeKeeper {
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
          "The reducer asks \(asked.text), and pinned is the answer to \(Question(next).text).")
      }
      return .recorded(next.outcome)
    }
    report("The reducer reads “\(question.key)”, and no value is pinned for it.")
    return .live
  }

  func keep(_ read: @escaping PendingRead, askedAt: Duration?) {}

  func register(_ key: String) {}

  func checkAtEnd() {
    let left = pinned.withLock { $0.filter { !$0.value.isEmpty }.keys.sorted() }
    guard !left.isEmpty else { return }
    report(
      "Pinned and not read: \(left.map { "“\($0)”" }.joined(separator: ", ")). Is it on tape here?")
  }

  private func report(_ message: String) {
    reporter.report(Failure(message, place: place))
  }
}
