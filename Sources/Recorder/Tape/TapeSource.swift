import SessionWords
import ValueTree

/// What stands behind the tapes while a step or an effect runs: a recorder keeps what was read, a
/// replay gives what was recorded.
///
/// It is found through a task-local: ``TapeContext/with(_:_:)`` sets it around a reducer or the body
/// of an effect.
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
  package var answersLater: Bool { false }

  package func answerLater(to question: TapeQuestion) async -> TapeAnswer { answer(to: question) }

  package var recordingTime: Duration? { nil }

  package func asksLive(_ question: TapeQuestion) {}

  package func refuse(
    _ outcome: Read.Outcome, for question: TapeQuestion, because reason: String
  ) -> TapeAnswer { .live }
}

/// What a tape does with a read.
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
