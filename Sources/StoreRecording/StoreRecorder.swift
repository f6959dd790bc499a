// Its options, its tape and what they are made of come along.
@_exported import Recorder
@_exported import SessionFile
@_exported import SessionWords
import StoreCore

/// Records a store into a session file.
///
/// ```swift
/// let store = Store(
///   initialState: Counter.State(), hooks: StoreRecorder(to: "counter.retcon")
/// ) {
///   Counter()
/// }
/// ```
///
/// The built-in dependencies (date, uuid, random numbers, clock) are on tape. Put the app's own
/// there in one line each:
///
/// ```swift
/// let recording = StoreRecorder<Counter.State, Counter.Action>(to: "counter.retcon")
/// let store = Store(initialState: Counter.State(), hooks: recording) {
///   Counter()
/// } withDependencies: {
///   $0.factClient.fact = recording.tape.closure("fact", $0.factClient.fact)
/// }
/// ```
public final class StoreRecorder<State: Sendable, Action: Sendable>: StoreHooks {
  /// Takes what the store does; a store of one's own would call it directly.
  public let recorder: SessionRecorder<State, Action>
  private let tapesBuiltIns: Bool

  /// Records into the file at a path. Opening it does not throw: trouble goes to
  /// ``RecordingOptions/report``, and the app goes on.
  public init(
    to path: String, options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic, tapesBuiltIns: Bool = true
  ) {
    recorder = SessionRecorder(
      to: path, knowsCauses: true, options: options, encoding: encoding)
    self.tapesBuiltIns = tapesBuiltIns
  }

  /// Puts dependencies on tape.
  public var tape: Tape { recorder.tape }

  /// Writes a note of the app into the log.
  public func signpost(_ text: String) { recorder.signpost(text) }

  /// Returns when everything recorded so far is handed to the system.
  public func flush() { recorder.flush() }

  /// Ends the recording: returns when all is on disk, and says what was lost.
  @discardableResult
  public func finish() -> RecordingStatistics { recorder.finish() }

  /// Puts the built-in dependencies on the tape, where the recorder was told to. The store calls
  /// it.
  public func prepare(_ dependencies: inout DependencyValues) {
    if tapesBuiltIns { dependencies.putBuiltInsOnTape(tape) }
  }

  /// Writes the first state. The store calls it.
  public func started(with state: State) { recorder.start(with: state) }

  /// Writes the step with what its reducer read. The store calls it.
  public func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    recorder.step(number: step.number, action, cause: step.cause, reduce: reduce)
  }

  /// Writes what the effect reads under its number. The store calls it.
  public func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await recorder.effect(effect.number, body: body)
  }

  /// Writes where the effect came from and what became of it. The store calls it.
  public func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    switch change {
    case .started: recorder.effectChanged(effect.number) { .started(EffectOrigin(effect)) }
    case .emitted: break
    case .finished: recorder.effectChanged(effect.number, .finished)
    case .failed(let error): recorder.effectChanged(effect.number, .failed("\(error)"))
    case .cancelled: recorder.effectChanged(effect.number, .cancelled)
    case .stopped: recorder.effectChanged(effect.number, .cancelled, fromOutside: true)
    }
  }

  /// Writes the id among what the effect reads, under the key `cancelID`: what a replay cannot see of
  /// its effects, it knows. The store calls it.
  public func namesCancelID(_ effect: StoreEffect, _ id: String) {
    tape.register(Read.cancelID)
    _ = tape.value(Read.cancelID) { id }
  }
}

extension EffectOrigin {
  package init(_ effect: StoreEffect) {
    self.init(
      step: effect.step, name: effect.name, file: effect.fileID, line: effect.line,
      cancelID: effect.cancelID, ordinal: effect.ordinal)
    switch effect.kind {
    case .work: break
    case .pause(let duration), .window(let duration): pause = duration
    }
  }
}

extension IdentifiedArray: CopiedOnWrite {
  /// The elements and their ids: where both are values, so is the array.
  public static var heldTypes: [Any.Type] { [Element.self, ID.self] }
}
