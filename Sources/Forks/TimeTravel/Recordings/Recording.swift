import SessionFile
import SessionWords
import ValueTree

/// The source of an open session: a session file, another tool's export, or memory.
///
/// You may call every function from any thread. Synchronous ones do a bounded amount of work.
package protocol Recording: Sendable {
  var summary: RecordingSummary { get }
  func step(_ number: Int) throws -> Step
  func state(after number: Int) throws -> Value?
  /// The next step from here on whose line holds its whole state.
  func keyframe(from number: Int) -> Int?
  /// Whether a host computed this state, before the recording was opened.
  func isComputed(stateAfter number: Int) -> Bool
  func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan]
  func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan]
  /// Finds all effects, which may take a while; meanwhile only earlier ones are known. A later call
  /// finds new ones.
  func findEffects() async throws
  func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction
  ) throws -> SessionTrimmer.Written
  func header() throws -> SessionHeader
  func events(after step: Int) throws -> [EffectEvent]
  /// The recorded change by a step; nil if none leads from the step before.
  func patch(at step: Int) throws -> Value?
  /// The texts of steps, each with this change.
  func writtenSteps(_ numbers: ClosedRange<Int>) throws -> [WrittenStep]
  func outsideReads() throws -> [OutsideRead]
  func reads(ofEffect effect: EffectID) throws -> [OutsideRead]
  func assumptions() throws -> AssumptionIndex
  func refresh() throws -> RecordingChange?
  /// Whether all steps are known. Otherwise ``refresh()`` finds more at once.
  var isScanned: Bool { get }
}

extension Recording {
  package func keyframe(from number: Int) -> Int? { nil }
  package func writtenSteps(_ numbers: ClosedRange<Int>) throws -> [WrittenStep] {
    try numbers.map { WrittenStep(try step($0), patch: try patch(at: $0)) }
  }
  package func isComputed(stateAfter number: Int) -> Bool { false }
}

/// A recording whose steps can be searched without parsing all of them.
package protocol WalkedRecording: Recording {
  /// Walks from a step on, following parts of the state; nil follows nothing.
  func walk(_ places: [Pointer]?, from step: Int) -> StepWalk
  func steps(
    holding text: TextNeedle, in steps: ClosedRange<Int>, limit: Int
  ) throws -> [Int]
}

extension RecordingSummary {
  package var hostOption: String {
    let option = hostOptions[0]
    return hasTypes ? "\(option) or \(hostOptions[1])" : option
  }

  private var hostOptions: [String] {
    let all = ["--reducer FILE.js", "--host COMMAND"]
    return isOfJavaScript || hasTypes ? all : all.reversed()
  }

  package var unknownReason: String {
    isRedacted ? "a value is redacted, or a state unknown" : "a state is unknown"
  }

  /// Whether a part of a value is redacted.
  package func isRedacted(in value: Value?) -> Bool {
    isRedacted && value?.text().contains(Redaction.mark) == true
  }

  package static let redactedCaveat =
    "Redacted values look alike: changes between them cannot be seen."

  package var hostedCommand: String {
    let file = ShellWord.quoted(path ?? name)
    if isForeign { return "retcon \(file) \(hostOptions[0])" }
    // The app's name may come from a stranger.
    let app = app.flatMap { ShellWord.isPlain($0) ? $0 : nil } ?? "App"
    return "retcon \(file) --host .build/debug/\(app)Host"
  }
}

/// The facts known as soon as a recording is open.
package struct RecordingSummary: Sendable, Hashable {
  package var name: String
  package var app: String?
  /// A recording that starts in the middle does not begin at 0.
  package var steps: ClosedRange<Int>
  package var position: Int?
  /// Problems, one sentence each: a torn tail, a newer version, an omitted part.
  package var notices: [String] = []
  /// Whether a host can replay it; a log for browsing cannot be forked.
  package var canReplay = true
  /// Whether the recorder finished. Otherwise it may grow, or was stopped.
  package var isFinished = false

  package var isMoved = false
  /// Whether the file has changed since, and is not followed.
  package var isOutdated = false

  /// Whether values were redacted. These look alike, so their answers and changes are unknown.
  package var isRedacted = false

  package var knowsCauses = true
  package var hasTimes = true
  /// Whether it is an exported branch, with standings.
  package var wasBranch = false
  /// For commands to suggest: the file's path, its tool, and whether the app is JavaScript.
  package var path: String?
  package var isForeign = false
  /// Whether a tool's file begins with its first action: no line that could tell a state before it is
  /// missing.
  package var beginsWithAction = false
  package var isOfJavaScript = false
  /// Whether the log is of any language, and its actions have a `type` as those of Redux.
  package var hasTypes = false
  /// The host that computed its states, if the file has none.
  package var statesBy: String?
}

extension RecordingSummary {
  package init(_ name: String, _ steps: ClosedRange<Int>) { self.init(name: name, steps: steps) }
}

package struct RecordingChange: Sendable, Hashable {
  package enum Change: Sendable, Hashable {
    case grew
    case computed
    case notices
    case ended
  }

  package var change: Change
  package var summary: RecordingSummary
  package var remark: String?
}
