/// What re-running a recording against today's reducer found.
public struct VerifyReport: Sendable, Hashable {
  /// How many recorded steps were re-run.
  public var steps: Int
  /// In the order of the steps; empty when all is as recorded.
  public var divergences: [Divergence]
  /// Steps whose action does not decode: the recorded state was adopted there.
  public var undecodable: [UndecodableStep]
  /// Keys of reads that no step and no effect owns; replaying cannot give them back.
  public var unattributedReads: [String]
  /// Less than the whole recording was looked at: it was cancelled, or the first finding was enough.
  public var isPartial: Bool

  /// What else a person should know, in a sentence each.
  public var remarks: [String] = []
  /// Steps that nobody can run, because what they need is lost.
  public var unchecked: [UncheckedSteps] = []
  /// The step that the app stopped in; it is not among those that were run.
  public var unfinished: UnfinishedStep?

  /// All was run again and is as recorded.
  public var isEqual: Bool { divergences.isEmpty && undecodable.isEmpty }

  package init(
    steps: Int, divergences: [Divergence] = [], undecodable: [UndecodableStep] = [],
    unattributedReads: [String] = [], isPartial: Bool = false
  ) {
    self.steps = steps
    self.divergences = divergences
    self.undecodable = undecodable
    self.unattributedReads = unattributedReads
    self.isPartial = isPartial
  }
}

/// A recorded step whose action today's types do not decode.
public struct UndecodableStep: Sendable, Hashable {
  /// Its number in the recording.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// What the decoder said.
  public var reason: String

  package init(step: Int, label: String, reason: String) {
    self.step = step
    self.label = label
    self.reason = reason
  }
}

/// Recorded steps that could not be run again.
public struct UncheckedSteps: Sendable, Hashable {
  /// Their numbers in the recording.
  public var steps: ClosedRange<Int>
  /// What they need and nobody has.
  public var reason: String

  package init(steps: ClosedRange<Int>, reason: String) {
    self.steps = steps
    self.reason = reason
  }
}

/// A step that began and never ended when it was recorded.
public struct UnfinishedStep: Sendable, Hashable {
  /// Its number in the recording.
  public var step: Int
  /// The label of its action.
  public var label: String
  /// Whether it came to its end when it was run again; nil when nobody tried. One that does not is a
  /// divergence of the class crash.
  public var endsNow: Bool?

  package init(step: Int, label: String, endsNow: Bool? = nil) {
    self.step = step
    self.label = label
    self.endsNow = endsNow
  }
}

/// What counts as a divergence, and how far to look.
public struct VerifyOptions: Sendable, Hashable {
  /// Recorded values that the re-run does not ask for are no divergence.
  public var allowsUnusedReads = false
  /// Values that the recording does not hold are no divergence.
  public var allowsMissingReads = false
  /// The reducer runs twice on every step and must do the same.
  public var checksDeterminism = true
  /// No more divergences than this are looked for.
  public var limit = 1
  /// Begins with the state that was recorded after this step; nil for the first one.
  public var after: Int?
  /// The last step that is looked at; nil for the last there is.
  public var until: Int?

  /// Ends at the first divergence, and allows nothing.
  public init() {}

  /// Looks on after the first divergence, up to a limit.
  public static var all: Self {
    var options = Self()
    options.limit = 1000
    return options
  }
}
