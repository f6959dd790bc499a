import Platform
import SessionWords
import ValueTree

/// The partner of tapes during a step or an effect: a recorder keeps reads, a replay answers them.
///
/// A task-local holds it: ``TapeContext/with(_:_:)`` sets it around a reducer or an effect's body.
@usableFromInline
package protocol TapeSource: AnyObject, Sendable {
  var answers: Bool { get }

  func hasAnswer(to key: String) -> Bool

  /// Answers a read. Called once for each read, in order.
  func answer(to question: TapeQuestion) -> TapeAnswer

  var answersLater: Bool { get }

  func answerLater(to question: TapeQuestion) async -> TapeAnswer

  var recordingTime: Duration? { get }

  /// Records a read without a recorded answer, and the time of the question if recorded. `read`
  /// encodes; it may run later on another thread.
  func record(_ read: @escaping PendingRead, askedAt: Duration?)

  /// Called when neither a recorded nor a substitute answer exists: the live dependency is asked.
  func asksLive(_ question: TapeQuestion)

  /// Called when a recorded answer does not fit: it does not decode to the current type, or is an
  /// error where none can be thrown. The read continues as without an answer.
  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer
}

@usableFromInline
package typealias PendingRead = @Sendable () -> Read

extension TapeSource {
  @usableFromInline package var answers: Bool { true }

  @usableFromInline package func hasAnswer(to key: String) -> Bool { false }

  @usableFromInline package func answer(to question: TapeQuestion) -> TapeAnswer { .live }

  @usableFromInline package var answersLater: Bool { false }

  @usableFromInline package func answerLater(to question: TapeQuestion) async -> TapeAnswer {
    answer(to: question)
  }

  @usableFromInline package var recordingTime: Duration? { nil }

  @usableFromInline package func asksLive(_ question: TapeQuestion) {}

  @usableFromInline package func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer { .live }
}

@usableFromInline
package enum TapeAnswer: Sendable {
  /// Ask the live dependency, and pass the value to the source.
  case live
  case recorded(Read.Outcome)
  /// Make a value from these deterministic sources, and pass it to the source.
  case assumed(TapeSubstitutes)
}

/// Deterministic sources for reads without a recorded value.
public struct TapeSubstitutes: Sendable {
  /// The next number of a seeded generator.
  public var random: @Sendable () -> UInt64
  /// The date of the step, in seconds since 1970.
  public var secondsSince1970: @Sendable () -> Double
  /// 0, 1, 2 …, for ids; numbers not in the recording.
  public var count: @Sendable () -> UInt64

  package init(
    random: @escaping @Sendable () -> UInt64,
    secondsSince1970: @escaping @Sendable () -> Double,
    count: @escaping @Sendable () -> UInt64
  ) {
    self.random = random
    self.secondsSince1970 = secondsSince1970
    self.count = count
  }
}

@usableFromInline
package enum TapeContext {
  @TaskLocal static var local: (any TapeSource)?

  @usableFromInline
  package static var source: (any TapeSource)? { local }

  /// For code inlined into the app.
  @usableFromInline
  static var slot: TaskLocal<(any TapeSource)?> { $local }

  /// The source while a live dependency answers: its own reads of others do not count, because a
  /// replay asks only the outer one.
  @usableFromInline static let silence: any TapeSource = SilentSource()

  /// Runs `work` with a source for all tapes in it.
  @inlinable
  package static func with<Result>(
    _ source: (any TapeSource)?, _ work: () throws -> Result
  ) rethrows -> Result {
    try slot.withValue(source, operation: work)
  }

  /// Runs `work` with a source for all tapes in it and its child tasks.
  @inlinable
  package static func with<Result>(
    isolation: isolated (any Actor)? = #isolation, _ source: (any TapeSource)?,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await slot.withValue(source, operation: work)
  }
}

package final class TapeNames: Sendable {
  @TaskLocal package static var current: TapeNames?

  private let names = Locked<Set<String>>([])

  package init() {}

  package var all: Set<String> { names.withLock { $0 } }

  func add(_ key: String) { names.withLock { _ = $0.insert(key) } }
}

private final class SilentSource: TapeSource {
  var answers: Bool { false }
  func record(_ read: @escaping PendingRead, askedAt: Duration?) {}
}

@usableFromInline
protocol TapeAsked: Sendable {
  var key: String { get }
  /// One value for each; nil without arguments.
  var arguments: [Value]? { get }
  /// Whether the arguments may have instances, so that they are encoded before the call.
  var mayChange: Bool { get }
  /// Whether the answer may have an instance, judging by its type.
  var answerMayChange: Bool { get }
}

@usableFromInline
package struct TapeQuestion: TapeAsked {
  @usableFromInline package let key: String
  @usableFromInline let encode: (@Sendable () -> [Value]?)?
  @usableFromInline let answerMayChange: Bool
  /// Its asker takes errors as they are in the file, because it runs no Swift code.
  @usableFromInline package var takesAnyError = false

  package init(_ key: String) {
    self.key = key
    encode = nil
    answerMayChange = true
  }

  package init(_ question: Question) {
    key = question.key
    if let arguments = question.arguments { encode = { arguments } } else { encode = nil }
    answerMayChange = true
  }

  @inlinable
  init(_ asked: some TapeAsked) {
    key = asked.key
    answerMayChange = asked.answerMayChange
    if asked.mayChange {
      let values = asked.arguments
      encode = { values }
    } else {
      encode = { asked.arguments }
    }
  }

  init(
    _ key: String, _ arguments: [any Encodable & Sendable], _ references: ReferenceSearch
  ) {
    self.key = key
    answerMayChange = true
    guard !arguments.isEmpty else {
      encode = nil
      return
    }
    let encodeAll: @Sendable () -> [Value] = { arguments.map { Self.value(of: $0, references) } }
    if arguments.contains(where: { references.mayBe(inValue: $0) }) {
      let values = encodeAll()
      encode = { values }
    } else {
      encode = encodeAll
    }
  }

  @usableFromInline package var arguments: [Value]? { encode?() }

  @usableFromInline var mayChange: Bool { false }

  /// Encodes if possible, else reflects a value that shows all its parts.
  @usableFromInline
  static func value<Argument>(
    of argument: Argument, _ references: ReferenceSearch
  ) -> Value {
    if let argument = argument as? any Encodable {
      return (try? ValueEncoder().encode(argument)) ?? Question.incomparable(Argument.self)
    }
    if argument is AnyKeyPath || references.mayBe(inValue: argument) {
      return Question.incomparable(Argument.self)
    }
    return Value(reflecting: argument)
  }
}
