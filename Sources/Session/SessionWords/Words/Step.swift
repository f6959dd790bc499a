import ValueTree

/// One action run through the reducer. Step 0 is the initial state without an action.
public struct Step: Sendable, Hashable {
  /// The number from 1; 0 is the initial state.
  public var number: Int
  /// The time since the session's start, if recorded.
  public var time: Duration?
  /// The short name of the action.
  public var label: String
  /// The encoded action.
  public var action: Value
  /// The sender.
  public var cause: Cause
  /// The reducer's reads in this step, in order for each key.
  public var reads: [Read]
  /// Whether the step was skipped when recorded: its state is the one before.
  public var isSkipped: Bool
  /// The part of the state that the user of a fork set in this step; no reducer ran.
  public var set: SetPart?
  /// The reducer's error, as recorded by another tool.
  public var error: String?
  /// The source places that sent the action, a line for each call, from another tool.
  public var stack: String?
  /// The trust in the step, in an exported branch.
  public var standing: Standing?
  /// The reason why the recording lacks this step, in a sentence; nil if it is intact.
  public var damage: String?
  /// Whether the app stopped inside its reducer: then the result is unknown.
  public var isUnfinished = false
  /// In an exported branch: what became of actions that reducers sent and its user changed.
  package var sends: [OutputEdit] = []

  /// Creates a step.
  public init(
    number: Int, time: Duration? = nil, label: String, action: Value, cause: Cause = .user,
    reads: [Read] = [], isSkipped: Bool = false, error: String? = nil,
    standing: Standing? = nil, damage: String? = nil
  ) {
    self.number = number
    self.time = time
    self.label = label
    self.action = action
    self.cause = cause
    self.reads = reads
    self.isSkipped = isSkipped
    self.error = error
    self.standing = standing
    self.damage = damage
  }
}

/// A part of the state that the user of a fork set.
public struct SetPart: Sendable, Hashable {
  /// Its place in the state, as an RFC 6901 pointer.
  public var pointer: Pointer
  /// The new value there.
  public var value: Value

  /// Creates a part.
  public init(_ pointer: Pointer, value: Value) {
    self.pointer = pointer
    self.value = value
  }
}

extension Step {
  /// Redux DevTools' error of steps after one whose reducer threw: they did not run.
  package static var interrupted: String { "Interrupted by an error up the chain" }

  /// The error of steps that a host did not compute, because an earlier one failed.
  package static func notComputed(after step: Int) -> String { "\(notComputed)\(step) failed" }
  private static let notComputed = "not computed: step "

  /// Whether it did not run, because an earlier step ended in an error.
  package var isNotRun: Bool {
    error == Self.interrupted || error?.hasPrefix(Self.notComputed) == true
  }

  /// The reason why a step with an error left the state as it was. Check that it did.
  package var unchangedByError: String? {
    guard error != nil else { return nil }
    return isNotRun
      ? "the step did not run, because an earlier one ended in an error: this is the state before it"
      : "the step ended in an error: this is the state before it"
  }

  /// Whether the file lost what happened in the step.
  package var isLost: Bool { damage != nil && !isUnfinished }

  /// Whether its cause is proven, also if the app stopped in it.
  package func tellsCause(ifKnown knowsCauses: Bool) -> Bool {
    !isLost && cause.isProven(ifKnown: knowsCauses)
  }

  /// A part of the label of a step that sets a part. Older programs know such a step by its label.
  package static let setByHand = "set by hand"
  private static let setLabel = "state \(setByHand)"

  /// Creates a step that sets a part of the state. Older programs read its label and action.
  package init(_ number: Int = 0, setting part: SetPart) {
    self.init(number: number, label: Self.setLabel, action: part.object.value)
    set = part
  }

  /// Takes ``set`` from the label and the action, for writers that do not know the member.
  package mutating func readSetFromLabel() {
    guard set == nil, cause == .user, label == Self.setLabel,
      let pointer = action["pointer"]?.string.flatMap({ try? Pointer($0) }),
      let value = action["value"]
    else { return }
    set = SetPart(pointer, value: value)
  }
}

/// The sender of an action.
public enum Cause: Sendable, Hashable {
  /// The user, or the code that acts for the user.
  case user
  /// Another source outside the store, such as a socket or a timer, with its name if the app has one.
  case outside(String?)
  /// The recorder had no proof of the sender.
  case unknown
  /// This effect.
  case effect(EffectID)
  /// A synchronous `send` that the reducer returned at this step; a re-run computes it again.
  case output(of: Int)

  /// Whether no effect and no reducer is known to have sent it.
  public var isFromOutside: Bool {
    switch self {
    case .user, .outside, .unknown: true
    case .effect, .output: false
    }
  }

  /// Whether there is a proof of the sender, in a session that knows causes.
  package func isProven(ifKnown knowsCauses: Bool) -> Bool {
    self != .unknown && (self != .user || knowsCauses)
  }

  package var glyph: String {
    switch self {
    case .user: "  "
    case .outside: "⇢ "
    case .unknown: "◦ "
    case .effect: "⚡"
    case .output: "↳ "
    }
  }
}

/// The app's own note in its log.
public struct Signpost: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The newest step at this time.
  public var step: Int
  /// The time since the session's start, if recorded.
  public var time: Duration?
  /// An encoded value to show.
  public var value: Value?

  /// Creates a note after this step.
  public init(_ text: String, step: Int, time: Duration? = nil, value: Value? = nil) {
    self.text = text
    self.step = step
    self.time = time
    self.value = value
  }
}
