import ValueTree

/// An event of an effect. Its emissions are steps whose cause names it.
public struct EffectEvent: Sendable, Hashable {
  /// The effect, unique in its session.
  public var effect: EffectID
  /// The newest step at this time.
  public var step: Int
  /// The time since the session's start, if recorded.
  public var time: Duration?
  /// The kind of event.
  public var kind: Kind
  /// Whether a cancellation came from outside: the task of a `send`, or the end of the store.
  /// Replays repeat it, because no reducer will.
  public var isFromOutside: Bool
  /// Whether a cancellation from outside was of this effect alone, in a fork by hand. The rest of
  /// its task continues.
  public var isAlone: Bool
  /// In an exported branch, with its start: whether the user changed what it sends.
  package var isEdited = false

  /// The kinds of events.
  public enum Kind: Sendable, Hashable {
    /// Its task began.
    case started(EffectOrigin)
    /// The effect finished.
    case finished
    /// The effect threw an error with this message.
    case failed(String)
    /// The effect was cancelled.
    case cancelled
  }

  /// Creates an event; `time` counts from the session's start.
  public init(
    effect: EffectID, step: Int, time: Duration? = nil, kind: Kind, isFromOutside: Bool = false,
    isAlone: Bool = false
  ) {
    self.effect = effect
    self.step = step
    self.time = time
    self.kind = kind
    self.isFromOutside = isFromOutside
    self.isAlone = isAlone
  }
}

/// The origin of an effect, by which a re-run recognises it.
public struct EffectOrigin: Sendable, Hashable {
  /// The step that started it.
  public var step: Int
  /// The name in the code, if any.
  public var name: String?
  /// The file of the code.
  public var file: String
  /// A hint for people only, because it changes with the code.
  public var line: Int
  /// A text of the cancel id with its type; nil without one.
  public var cancelID: String?
  /// Its number among the effects of its step.
  public var ordinal: Int
  /// The wait of a debounce or a throttle; nil for other work, and if not recorded.
  public var pause: Duration?
  /// Whether code outside the store called it, such as the user's thunk: ``step`` is the last one
  /// before the call, and did not start it.
  public var isFromOutside = false

  /// Creates an origin.
  public init(
    step: Int, name: String? = nil, file: String, line: Int, cancelID: String? = nil,
    ordinal: Int = 0, pause: Duration? = nil
  ) {
    self.step = step
    self.name = name
    self.file = file
    self.line = line
    self.cancelID = cancelID
    self.ordinal = ordinal
    self.pause = pause
  }
}

/// An effect in flight at the start of a session.
public struct EffectInFlight: Sendable, Hashable {
  /// Its id in the original session.
  public var effect: EffectID
  /// Its origin; the step is before this session's first.
  public var origin: EffectOrigin
  /// Its start, since the start of the whole session.
  public var time: Duration?
  package var unknown: ValueObject = [:]

  /// Creates an effect of an earlier part.
  public init(effect: EffectID, origin: EffectOrigin, time: Duration? = nil) {
    self.effect = effect
    self.origin = origin
    self.time = time
  }
}

extension EffectOrigin {
  package func words(_ effect: EffectID) -> String {
    let name = name.map { " “\($0)”" } ?? ""
    return effect.isOfFork
      ? "the effect\(name) that step \(step) starts here"
      : "effect \(effect)\(name) of step \(step)"
  }
}
