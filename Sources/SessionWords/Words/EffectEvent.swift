import ValueTree

/// A moment in the life of an effect. Its emissions are steps whose cause names it.
public struct EffectEvent: Sendable, Hashable {
  /// The number of the effect, unique in its session.
  public var effect: Int
  /// The step that is the newest one when this happens.
  public var step: Int
  /// Since the start of the session; nil where the recording carried no times.
  public var time: Duration?
  /// What happened to it.
  public var kind: Kind
  /// Of a cancellation: no step did it, but somebody who cancelled the task of a `send`, or let go
  /// of the store. Replaying repeats it, because no reducer will.
  public var isFromOutside: Bool
  /// Of a cancellation from outside: it was cancelled by itself, in a fork and by hand. What else is part
  /// of its task goes on.
  public var isAlone: Bool

  /// The moments of an effect.
  public enum Kind: Sendable, Hashable {
    /// Its task began.
    case started(EffectOrigin)
    /// It came to its end.
    case finished
    /// It threw an error, which says this.
    case failed(String)
    /// It was cancelled.
    case cancelled
  }

  /// Tells of a moment; `time` counts from the start of the session.
  public init(
    effect: Int, step: Int, time: Duration? = nil, kind: Kind, isFromOutside: Bool = false,
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

/// Where an effect comes from; what it is known by when it is looked for again in a re-run.
public struct EffectOrigin: Sendable, Hashable {
  /// The step that started it.
  public var step: Int
  /// The name that the code gave it, where it did.
  public var name: String?
  /// The file of the code that made it.
  public var file: String
  /// A hint for people only: every change of the code moves it.
  public var line: Int
  /// A text for the cancel id with its type, nil when it cannot be cancelled by id.
  public var cancelID: String?
  /// Its place among the effects that the step started.
  public var ordinal: Int
  /// How long it only waits, of a debounce or a throttle; nil for other work, and where nobody
  /// recorded it.
  public var pause: Duration?

  /// Where it comes from; what is left out is not known.
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

/// An effect that was running where a session starts in the middle.
public struct EffectInFlight: Sendable, Hashable {
  /// Its number in the session that it comes from.
  public var effect: Int
  /// Where it comes from; its step lies before the first one here.
  public var origin: EffectOrigin
  /// When it started, since the start of the whole session.
  public var time: Duration?
  /// Members of a header's list that this version does not know.
  package var unknown: ValueObject = [:]

  /// An effect of an earlier part, still running.
  public init(effect: Int, origin: EffectOrigin, time: Duration? = nil) {
    self.effect = effect
    self.origin = origin
    self.time = time
  }
}

extension EffectEvent {
  /// Effects that a branch starts and no recording knows are numbered from here.
  package static let firstOfBranch = 1_000_000_001

  package static func isOfBranch(_ effect: Int) -> Bool { effect >= firstOfBranch }

  /// Which of those that a branch starts it is, from 1; nil for others.
  package static func countInBranch(_ effect: Int) -> Int? {
    isOfBranch(effect) ? effect - firstOfBranch + 1 : nil
  }

  /// As people read it.
  package static func words(_ effect: Int) -> String {
    countInBranch(effect).map { "the fork's own effect \($0)" } ?? "effect \(effect)"
  }
}

extension EffectOrigin {
  /// The effect of this number, with its name and the step that started it.
  package func words(_ effect: Int) -> String {
    let name = name.map { " “\($0)”" } ?? ""
    return EffectEvent.isOfBranch(effect)
      ? "the effect\(name) that step \(step) starts here"
      : "effect \(effect)\(name) of step \(step)"
  }
}
