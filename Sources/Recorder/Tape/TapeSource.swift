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
  /// What a read gets. Called once for each read, in order.
  func answer(to question: TapeQuestion) -> TapeAnswer

  /// Whether who can wait is to ask ``answerLater(to:)``.
  var answersLater: Bool { get }

  /// What a read gets that need not be answered at once.
  func answerLater(to question: TapeQuestion) async -> TapeAnswer

  /// The time of the recording, where it is kept how long answers take.
  var recordingTime: Duration? { get }

  /// Takes what a read got that was not answered from a recording. `outcome` may be called later and
  /// on another thread; it encodes the value.
  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome)

  /// Nothing was recorded and nothing can stand in for it: the live dependency is asked now.
  func asksLive(_ question: TapeQuestion)

  /// A recorded outcome was given that the reader cannot take: it does not decode to the type that
  /// is read now, or is an error where none can be thrown. The read goes on as if it had no answer.
  func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer
}

extension TapeSource {
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

  @inlinable var isLive: Bool { if case .live = self { true } else { false } }
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
  func answer(to question: TapeQuestion) -> TapeAnswer { .live }
  func keep(_ question: TapeQuestion, _ outcome: @escaping @Sendable () -> Read.Outcome) {}
}

/// What a tape is asked. The arguments are encoded when somebody wants to know them.
@usableFromInline
package struct TapeQuestion: Sendable {
  package let key: String
  private let encode: (@Sendable () -> [Value])?
  /// When it was asked, where the recording keeps how long answers take.
  @usableFromInline var askedAt: Duration?
  /// The answer may hold an instance, as far as its type tells.
  @usableFromInline var answerMayChange = true

  /// `arguments` may be called later and on another thread; nil for a dependency that takes none.
  @usableFromInline
  package init(_ key: String, arguments: (@Sendable () -> [Value])? = nil) {
    self.key = key
    encode = arguments
  }

  /// One value for each; nil for a dependency that takes none.
  package var arguments: [Value]? { encode?() }

  @usableFromInline
  init(_ key: String, _ arguments: [any Encodable & Sendable], _ references: ReferenceSearch) {
    guard !arguments.isEmpty else {
      self.init(key)
      return
    }
    let encode: @Sendable () -> [Value] = { arguments.map { Self.value(of: $0, references) } }
    if arguments.contains(where: { references.mayBe(inValue: $0) }) {
      let values = encode()
      self.init(key) { values }
    } else {
      self.init(key, arguments: encode)
    }
  }

  /// `mayChange` says that an instance may be among them: then they are encoded now.
  @inlinable
  init<each Argument>(
    _ key: String, _ references: ReferenceSearch, mayChange: Bool,
    _ argument: repeat each Argument
  ) {
    let copied = CopiedArguments(argument: (repeat each argument))
    if mayChange {
      let values = copied.values(references)
      self.init(key) { values }
    } else {
      self.init(key) { copied.values(references) }
    }
  }

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

/// The arguments of one call.
///
/// `@unchecked Sendable`: it goes to another thread only where its types prove that they hold no
/// references, so that this copy is nobody else's.
@usableFromInline
struct CopiedArguments<each Argument>: @unchecked Sendable {
  @usableFromInline let argument: (repeat each Argument)

  @inlinable
  init(argument: (repeat each Argument)) { self.argument = argument }

  @inlinable
  func values(_ references: ReferenceSearch) -> [Value] {
    var values: [Value] = []
    repeat values.append(TapeQuestion.value(of: each argument, references))
    return values
  }
}
