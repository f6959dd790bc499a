import SessionWords
import ValueTree

/// Records the values of dependencies, and returns them in a replay.
///
/// ```swift
/// let tape = recorder.tape
/// let roll = tape.value("dice") { Int.random(in: 1...6) }
///
/// // Any closure, of any number of arguments, in one line:
/// client.fact = tape.closure("fact", client.fact)
/// ```
///
/// A value belongs to its step or effect, and to its arguments. Without a recorder, a tape still
/// serves a replay, and recorded steps and effects around it.
public struct Tape: Sendable {
  @usableFromInline let recorder: (any TapeStorage)?
  @usableFromInline let references: ReferenceSearch

  /// Creates a tape without a recorder, for replays.
  public init() {
    recorder = nil
    references = ReferenceSearch()
  }

  package init(_ recorder: any TapeStorage, _ references: ReferenceSearch) {
    self.recorder = recorder
    self.references = references
  }

  /// The value of `live` now, or the recorded one.
  ///
  /// `arguments` are the inputs of the value: others make another question. `substitute` makes
  /// missing values in a replay; without it, the live dependency is asked.
  public func value<Value: Codable & Sendable, Failure: Error>(
    _ key: String, arguments: [any Encodable & Sendable] = [],
    substitute: ((TapeSubstitutes) -> Value)? = nil, live: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try value(TapeQuestion(key, arguments, references), substitute, live)
  }

  /// The value of `live` now, or the recorded one.
  public func value<Value: Codable & Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ key: String, arguments: [any Encodable & Sendable] = [],
    substitute: ((TapeSubstitutes) -> Value)? = nil, live: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await value(TapeQuestion(key, arguments, references), substitute, live)
  }

  /// The recorded value of this step; nil if it has none, and while recording. For reads that only
  /// some steps have.
  @_spi(Adapters)
  public func valueIfRecorded<Value: Codable & Sendable>(_ key: String) -> Value? {
    guard let source = TapeContext.source ?? recorder, source.hasAnswer(to: key),
      case .recorded(.value(let recorded)) = source.answer(to: TapeQuestion(key))
    else { return nil }
    return try? ValueDecoder().decode(Value.self, from: recorded)
  }

  /// Registers a key, so that the recording's header names it.
  public func register(_ key: String) {
    recorder?.register(key)
    TapeNames.current?.add(key)
  }
}

/// The path of each recorded call, inlined into the app for its types: a generic type lookup would
/// take longer than the rest of a read.
extension Tape {
  @inlinable
  func value<Value: Codable & Sendable, Failure: Error, Asked: TapeAsked>(
    _ asked: @autoclosure () -> Asked, _ substitute: ((TapeSubstitutes) -> Value)?,
    _ live: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let source = TapeContext.source ?? recorder else { return try live() }
    let asked = asked()
    // Recording needs no plan.
    guard source.answers || asked.mayChange else { return try heard(live, asked, source) }
    let question = TapeQuestion(asked)
    let answer = source.answer(to: question)
    if let given = try given(answer, to: question, source, substitute, Failure.self) {
      return given
    }
    return try heard(live, question, source)
  }

  @inlinable
  func value<Value: Codable & Sendable, Failure: Error, Asked: TapeAsked>(
    isolation: isolated (any Actor)? = #isolation,
    _ asked: @autoclosure () -> Asked, _ substitute: ((TapeSubstitutes) -> Value)?,
    _ live: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let source = TapeContext.source ?? recorder else { return try await live() }
    let (asked, askedAt) = (asked(), source.recordingTime)
    guard source.answers || asked.mayChange else {
      return try await heard(live, asked, source, askedAt)
    }
    let question = TapeQuestion(asked)
    let answer =
      source.answersLater
      ? await source.answerLater(to: question) : source.answer(to: question)
    if let given = try given(answer, to: question, source, substitute, Failure.self) {
      return given
    }
    return try await heard(live, question, source, askedAt)
  }

  @inlinable
  func heard<Value: Encodable & Sendable, Failure: Error>(
    _ live: () throws(Failure) -> Value, _ asked: some TapeAsked, _ source: any TapeSource
  ) throws(Failure) -> Value {
    let result = TapeContext.with(TapeContext.silence) { () -> Result<Value, Failure> in
      Result { () throws(Failure) in try live() }
    }
    return try record(result, asked, source)
  }

  @inlinable
  func heard<Value: Encodable & Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ live: () async throws(Failure) -> Value, _ asked: some TapeAsked,
    _ source: any TapeSource, _ askedAt: Duration?
  ) async throws(Failure) -> Value {
    let result = await TapeContext.with(TapeContext.silence) { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await live()) } catch { return .failure(error) }
    }
    // A service's answer to a cancelled caller may differ.
    return try record(result, asked, source, askedAt, Task.isCancelled)
  }

  @inlinable
  func record<Value: Encodable & Sendable, Failure: Error>(
    _ result: Result<Value, Failure>, _ asked: some TapeAsked, _ source: any TapeSource,
    _ askedAt: Duration? = nil, _ isCancelled: Bool = false
  ) throws(Failure) -> Value {
    switch result {
    case .success(let value): return record(value, asked, source, askedAt, isCancelled)
    case .failure(let error):
      let outcome = Read.Outcome.failure(TapedError.value(of: error))
      source.record({ Read(asked, outcome, isCancelled) }, askedAt: askedAt)
      throw error
    }
  }

  @inlinable
  func record<Value: Encodable & Sendable>(
    _ value: Value, _ asked: some TapeAsked, _ source: any TapeSource, _ askedAt: Duration? = nil,
    _ isCancelled: Bool = false
  ) -> Value {
    if asked.answerMayChange, references.mayBe(inValue: value) {
      let outcome = Read.Outcome(encoding: value)
      source.record({ Read(asked, outcome, isCancelled) }, askedAt: askedAt)
    } else {
      source.record({ Read(asked, Read.Outcome(encoding: value), isCancelled) }, askedAt: askedAt)
    }
    return value
  }
}

extension Tape {
  /// The replay's value, or a substitute; nil means to ask the live dependency.
  @usableFromInline
  func given<Value: Codable & Sendable, Failure: Error>(
    _ answer: TapeAnswer, to question: TapeQuestion, _ source: any TapeSource,
    _ substitute: ((TapeSubstitutes) -> Value)?, _: Failure.Type
  ) throws(Failure) -> Value? {
    var answer = answer
    if case .recorded(let outcome) = answer {
      switch outcome {
      case .value(let recorded):
        do {
          return try ValueDecoder().decode(Value.self, from: recorded)
        } catch {
          answer = source.refuse(
            outcome, for: question,
            because: (error as? DecodingError).map { DecodingFault($0).sentence } ?? "\(error)")
        }
      case .failure(let recorded):
        if let error = TapedError.error(recorded, as: Failure.self) { throw error }
        answer = source.refuse(
          outcome, for: question,
          because: "no \(Failure.self) can be made of the recorded error")
      }
    }
    guard case .assumed(let substitutes) = answer else { return nil }
    guard let substitute else {
      source.asksLive(question)
      return nil
    }
    return record(substitute(substitutes), question, source)
  }
}

extension Read {
  @inlinable
  init(_ asked: some TapeAsked, _ outcome: Outcome, _ isCancelled: Bool) {
    self.init(
      key: asked.key, arguments: asked.arguments, outcome: outcome, isCancelled: isCancelled)
  }
}

extension Read.Outcome {
  /// Records a value that does not encode as an error.
  @usableFromInline
  package init(encoding value: some Encodable) {
    do {
      self = .value(try ValueEncoder().encode(value))
    } catch {
      self = .failure(["notEncodable": .string("\(error)")])
    }
  }
}

/// A recorder as a tape sees it: takes reads without a step or an effect.
@usableFromInline
package protocol TapeStorage: TapeSource {
  func register(_ key: String)
}
