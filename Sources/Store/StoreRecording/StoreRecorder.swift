// Exports its options, its tape and their parts.
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
/// It records the built-in dependencies (date, uuid, random numbers, clock). Record the app's own
/// in one line each:
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
  /// The recorder behind it; a custom store would call it directly.
  public let recorder: SessionRecorder<State, Action>
  private let tapesBuiltIns: Bool

  /// Records into the file at a path. Problems go to the `report` of the options, and the app
  /// continues.
  public convenience init(
    to path: String, options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic, tapesBuiltIns: Bool = true
  ) {
    self.init(to: .file(path), options: options, encoding: encoding, tapesBuiltIns: tapesBuiltIns)
  }

  /// Records into a file or, as `StoreRecorder(to: .debugger)`, into the terminal of `retcon listen`.
  public init(
    to destination: RecordingDestination, options: RecordingOptions = RecordingOptions(),
    encoding: RecordingEncoding<State, Action> = .automatic, tapesBuiltIns: Bool = true
  ) {
    recorder = SessionRecorder(
      to: destination, knowsCauses: true, options: options, encoding: encoding)
    self.tapesBuiltIns = tapesBuiltIns
  }

  /// The tape for dependencies.
  public var tape: Tape { recorder.tape }

  /// Writes the app's note into the log.
  public func signpost(_ text: String) { recorder.signpost(text) }

  /// Returns when everything so far is handed to the system.
  public func flush() { recorder.flush() }

  /// Ends the recording: returns when everything is on disk, and reports losses.
  @discardableResult
  public func finish() -> RecordingStatistics { recorder.finish() }

  /// Records the built-in dependencies, unless disabled. The store calls it.
  public func prepare(_ dependencies: inout DependencyValues) {
    if tapesBuiltIns { dependencies.putBuiltInsOnTape(tape) }
  }

  /// Writes the first state. The store calls it.
  public func started(with state: State) { recorder.start(with: state) }

  /// Writes a step with its reads. The store calls it.
  public func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    recorder.step(number: step.number, action, cause: step.cause, reduce: reduce)
  }

  /// Writes an effect's reads. The store calls it.
  public func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await recorder.effect(EffectID(effect.number), body: body)
  }

  /// Writes an effect's events. The store calls it.
  public func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    switch change {
    case .started:
      recorder.effectChanged(EffectID(effect.number)) { .started(EffectOrigin(effect)) }
    case .emitted: break
    case .finished: recorder.effectChanged(EffectID(effect.number), .finished)
    case .failed(let error): recorder.effectChanged(EffectID(effect.number), .failed("\(error)"))
    case .cancelled: recorder.effectChanged(EffectID(effect.number), .cancelled)
    case .stopped: recorder.effectChanged(EffectID(effect.number), .cancelled, fromOutside: true)
    }
  }

  /// Writes a cancel id as a read of the effect, under the key `cancelID`, because a replay cannot
  /// see it otherwise. The store calls it.
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
  /// The elements and their ids: if both are values, so is the array.
  public static var heldTypes: [Any.Type] { [Element.self, ID.self] }
}
