import Platform
import SessionWords
import ValueTree

/// What stands behind the tapes while a step or an effect runs: a recorder keeps what was read, a
/// replay gives what was recorded.
///
/// It is found through a task-local: ``TapeContext/with(_:_:)`` sets it around a reducer or the body
/// of an effect.
@usableFromInline
package protocol TapeSource: AnyObject, Sendable {
  /// Whether it has answers. A recorder has none: it is asked nothing.
  var answers: Bool { get }

  /// What a read gets. Called once for each read, in order.
  func answer(to question: TapeQuestion) -> TapeAnswer

  /// Whether who can wait is to ask ``answerLater(to:)``.
  var answersLater: Bool { get }

  /// What a read gets that need not be answered at once.
  func answerLater(to question: TapeQuestion) async -> TapeAnswer

  /// The time of the recording, where it is kept how long answers take.
  var recordingTime: Duration? { get }

  /// Takes a read that was not answered from a recording, and when it was asked, where that is kept.
  /// `read` may be called later and on another thread; it encodes.
  func keep(_ read: @escaping PendingRead, askedAt: Duration?)

  /// Nothing was recorded and nothing can stand in for it: the live dependency is asked now.
  func asksLive(_ question: TapeQuestion)

  /// A recorded outcome was given that the reader cannot take: it does not decode to the type that
  /// is read now, or is an error where none can be thrown. The read goes on as if it had no answer.
  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer
}

/// A read of which nothing is encoded yet.
@usableFromInline
package typealias PendingRead = @Sendable () -> Read

extension TapeSource {
  @usableFromInline package var answers: Bool { true }

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

/// What a tape does with a read.
@usableFromInline
package enum TapeAnswer: Sendable {
  /// Asks the live dependency, and hands the value to the source to keep.
  case live
  /// Gives what was recorded.
  case recorded(Read.Outcome)
  /// Nothing was recorded: makes a value from these deterministic sources, and hands it to the
  /// source to keep.
  case assumed(TapeSubstitutes)
}

/// Deterministic sources for reads without a recorded value.
public struct TapeSubstitutes: Sendable {
  /// The next number of a seeded generator.
  public var random: @Sendable () -> UInt64
  /// The date of the step, in seconds since 1970.
  public var secondsSince1970: @Sendable () -> Double
  /// 0, 1, 2 …, for ids; numbers that the recording did not use.
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

/// The task-local through which tapes find their step, their effect, or the replay.
@usableFromInline
package enum TapeContext {
  @TaskLocal static var local: (any TapeSource)?

  /// What stands behind the tapes here; nil outside of steps and effects.
  @usableFromInline
  package static var source: (any TapeSource)? { local }

  /// For what is compiled in the app.
  @usableFromInline
  static var slot: TaskLocal<(any TapeSource)?> { $local }

  /// Behind the tapes while a live dependency answers: what it reads from others is its own affair,
  /// because a replay asks only the outer one.
  @usableFromInline static let silence: any TapeSource = SilentSource()

  /// Runs `work` with a source behind all tapes in it.
  @inlinable
  package static func with<Result>(
    _ source: (any TapeSource)?, _ work: () throws -> Result
  ) rethrows -> Result {
    try slot.withValue(source, operation: work)
  }

  /// Runs `work` with a source behind all tapes in it and in its child tasks.
  @inlinable
  package static func with<Result>(
    isolation: isolated (any Actor)? = #isolation, _ source: (any TapeSource)?,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    try await slot.withValue(source, operation: work)
  }
}

/// Who wants to know which keys are put on tape.
package final class TapeNames: Sendable {
  @TaskLocal package static var current: TapeNames?

  private let names = Locked<Set<String>>([])

  package init() {}

  package var all: Set<String> { names.withLock { $0 } }

  func add(_ key: String) { names.withLock { _ = $0.insert(key) } }
}

private final class SilentSource: TapeSource {
  var answers: Bool { false }
  func keep(_ read: @escaping PendingRead, askedAt: Duration?) {}
}

/// Something that a tape is asked.
@usableFromInline
protocol TapeAsked: Sendable {
  var key: String { get }
  /// One value for each; nil for a dependency that takes none.
  var arguments: [Value]? { get }
  /// The arguments may hold an instance: they have to be encoded before the dependency runs.
  var mayChange: Bool { get }
  /// The answer may hold an instance, as far as its type tells.
  var answerMayChange: Bool { get }
}

/// What a tape is asked. The arguments are encoded when somebody wants to know them.
@usableFromInline
package struct TapeQuestion: TapeAsked {
  @usableFromInline package let key: String
  @usableFromInline let encode: (@Sendable () -> [Value]?)?
  @usableFromInline let answerMayChange: Bool

  /// A dependency that takes no arguments.
  package init(_ key: String) {
    self.key = key
    encode = nil
    answerMayChange = true
  }

  /// Of what may change, the arguments are encoded now.
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

  /// Encoded where it can be, else as all that it shows where that is all that it is.
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
