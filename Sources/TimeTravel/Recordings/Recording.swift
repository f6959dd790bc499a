import SessionFile
import SessionWords
import ValueTree

/// What an open session asks of a recording: a session file, another tool's export, or memory.
///
/// Every function may be called from any thread. Those that are not asynchronous do a bounded amount
/// of work.
package protocol Recording: Sendable {
  var summary: RecordingSummary { get }
  func step(_ number: Int) throws -> Step
  /// The state after a step; nil where the recording holds none.
  func state(after number: Int) throws -> Value?
  /// The effects that were started, in flight or ended in this range of steps, in the order in
  /// which they started; as far as they are known.
  func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan]
  /// The effects that lasted longest, of all or in some steps, as far as they are known.
  func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan]
  /// Finds all effects. May take a while; until then the answers are about the earlier ones. Asked
  /// again, it finds those that came since.
  func findEffects() async throws
  /// Writes some steps as a session file of their own, without what is to be taken out.
  func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction
  ) throws -> SessionTrimmer.Written
  /// The first line of a session that a branch of this recording is written to.
  func header() throws -> SessionHeader
  /// What happened to effects while a step was the newest one.
  func events(after step: Int) throws -> [EffectEvent]
  /// The recorded change of the state by a step; nil where none leads from the step before.
  func patch(at step: Int) throws -> Value?
  /// What dependencies gave to effects, and to nobody known.
  func outsideReads() throws -> [OutsideRead]
  /// What dependencies gave to the body of an effect.
  func reads(ofEffect effect: Int) throws -> [Read]
  /// What its steps rest on and nobody knows, where it was a branch before.
  func assumptions() throws -> AssumptionIndex
  /// Looks whether the recording has changed since the last look; nil when it has not.
  func refresh() throws -> RecordingNews?
}

extension Recording {
  package func findEffects() async throws {}

  package func patch(at step: Int) throws -> Value? { nil }

  package func outsideReads() throws -> [OutsideRead] { [] }

  package func assumptions() throws -> AssumptionIndex { AssumptionIndex() }

  package func refresh() throws -> RecordingNews? { nil }

  package func header() throws -> SessionHeader {
    var header = SessionHeader(
      app: summary.app.map { SessionHeader.App($0) },
      state: try state(after: summary.steps.lowerBound), firstStep: summary.steps.lowerBound)
    header.firstTime = try step(summary.steps.lowerBound).time
    return header
  }

  package func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction
  ) throws -> SessionTrimmer.Written {
    throw Trouble("only a session file can be trimmed", place: summary.name)
  }
}

/// A recording whose steps can be looked through without parsing all of them.
package protocol WalkedRecording: Recording {
  /// Goes through the steps from one on, and follows these places of the state; with nil, none.
  func walk(_ places: [Pointer]?, from step: Int) -> StepWalk
  /// The steps that may hold a text, up to a number of them.
  func steps(
    holding text: TextNeedle, in steps: ClosedRange<Int>, limit: Int
  ) throws -> [Int]
}

extension RecordingSummary {
  /// The option that brings the app's reducer.
  package var hostOption: String { isOfJavaScript ? "--reducer FILE.js" : "--host COMMAND" }

  /// What to type to open it with the app's reducer.
  package var hostedCommand: String {
    let file = ShellWord.quoted(path ?? name)
    if isForeign { return "retcon \(file) \(hostOption)" }
    // The session names its app, and may be a stranger's.
    let app = app.flatMap { ShellWord.isPlain($0) ? $0 : nil } ?? "App"
    return "retcon \(file) --host .build/debug/\(app)Host"
  }
}

/// What is known of a recording as soon as it is open.
package struct RecordingSummary: Sendable, Hashable {
  /// The name to show: the file's, without its folder.
  package var name: String
  /// The name of the app, where the recording tells.
  package var app: String?
  /// The numbers of its steps. A recording that starts in the middle does not begin at 0.
  package var steps: ClosedRange<Int>
  /// Where its author stood when it was written, for formats that tell.
  package var position: Int?
  /// One sentence each: a torn tail, a newer version, a part that was left out.
  package var notices: [String] = []
  /// Whether a host can run it again; a log for browsing only cannot be forked.
  package var canReplay = true
  /// Whether its recorder said that this is all. Otherwise more may come, or it was stopped.
  package var isFinished = false

  /// Whether its file has lost its name while it was open.
  package var isMoved = false

  /// Whether its steps tell what sent them.
  package var knowsCauses = true
  /// Whether its steps tell when they happened.
  package var hasTimes = true
  /// It is a branch that was written as a session: its steps have standings.
  package var wasBranch = false
  /// Where its file is, whether another tool wrote it, and one for apps in JavaScript: for what to type.
  package var path: String?
  package var isForeign = false
  package var isOfJavaScript = false
  /// The host that computed its states when it was opened, because its file has none.
  package var statesBy: String?
}

extension RecordingSummary {
  /// Of steps of which nothing else is known.
  package init(_ name: String, _ steps: ClosedRange<Int>) { self.init(name: name, steps: steps) }
}

/// What a look at a recording that is still open found to be otherwise than before.
package struct RecordingNews: Sendable, Hashable {
  package enum Change: Sendable, Hashable {
    /// There are more steps, or more lines between steps.
    case grew
    /// Its states were computed anew.
    case computed
    /// Only what is known to be wrong with it has changed.
    case notices
    /// The file is not the one that was opened any more: nothing more can be learnt from it.
    case ended
  }

  package var change: Change
  /// All that is known now.
  package var summary: RecordingSummary
  /// What somebody should be told of it at once, in one sentence.
  package var remark: String?
}
