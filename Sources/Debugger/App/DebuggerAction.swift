import SessionFile
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

/// Something that happened: a key, or news from work in the background.
enum DebuggerAction: Sendable {
  case started
  /// With what the picture says of the place that was clicked.
  case input(InputEvent, link: Link? = nil)
  /// What was typed and had to wait can be done.
  case goesOn
  case filter(Filter.Action)
  case overlay(OverlayAction)
  case playing(Playing.Action)
  case searches(Searches.Action)
  case watch(Watch.Action)
  case stepsRead(StepPages.PageID, [StepRow])
  case momentRead(Moment)
  /// Somebody has waited for it long enough to notice.
  case momentIsLate(Position)
  case momentFailed(Position, String)
  case timelineRead(TimelineExtent, Density?, [EffectSpan])
  case spanRead(StepSpan, Moment)
  case effectsFound
  case surveyed(SessionSurvey)
  /// The steps of another branch that stand beside those of a fork.
  case aligned(String, String, [Int: Int])
  /// The step that was looked for, with what there is to say of it.
  case stepFound(Int?, words: String?)
  /// A search over forks of this name has come further, or to its end.
  case questGrew(String, ForkQuestNews)
  case forkGrew(Branch)
  /// Something was kept beside the session, or could not be.
  case kept(KeepingReport)
  /// Somebody else has changed what is beside the session.
  case othersWorked(KeepingReport)
  case forkFailed(name: String, String)
  case scriptChanged(name: String, ChangedScript, left: Position)
  case scriptNotChanged(String)
  /// What came back from the person's editor.
  case composed(String)
  /// The host came or went.
  case hostChanged(HostStatus, HostReport)
  /// Its files are others than those that it was started from.
  case hostRebuilt
  /// With the recording, where its states are the host's; else why they were not computed anew.
  case hostRestarted(RecordingNews?, failure: String?)
  /// No fork has steps any more; this one is to be run.
  case runsForgotten(next: String?)
  /// The recording shall be looked at again and again, at this interval.
  case follows(every: Duration)
  case recordingChanged(RecordingNews, effects: [EffectSpan])
  /// It has not grown for a while.
  case recordingRests
  /// What is said to somebody who has just come, and the fork that is to be seen then.
  case welcomed(String, fork: String?)
  /// Where the panes stood the last time.
  case arranged(String)
  /// The keys of the user's own, and what is wrong with the configuration.
  case configured(UserKeys, problems: [String])
  /// The files of the sources that a log names; nil for one that is not there.
  case sourcesFound([String: SourceFiles.Found?])
  case said(Message)
  /// A branch was written, or was not.
  case exported(Message)
}

/// What the debugger asks of the program around it.
package enum DebuggerOutput: Sendable, Hashable {
  case quit
  case suspend
  /// Text for the clipboard; it has been made safe.
  case copy(String)
  /// To be shown in the person's editor; `name` is a hint for a file name.
  case edit(String, name: String)
  /// To be changed there: what comes back is given to ``DebuggerApp/handle(_:)``.
  case compose(String, name: String)
  /// A file that is there, at a line.
  case open(String, line: Int)
}

/// What shall be done in the background, as a value.
enum Work: Sendable, Equatable {
  case goOn
  case filter(Filter.Action)
  case form(ForkFormFeature.Action)
  case playing(Playing.Action)
  case searches(Searches.Action)
  case watch(Watch.Action)
  case readSteps([StepPages.PageID])
  case readMoment(Position, comparedWith: String? = nil)
  /// Moments that will probably be looked at next.
  case readAhead([Position], comparedWith: String? = nil)
  case readTimeline(TimelineExtent)
  /// What changed from the first of some steps to the last.
  case readSpan(StepSpan)
  case findEffects
  case follow(every: Duration)
  case survey
  case align(String, with: String, ClosedRange<Int>)
  case find(StepFinder, from: Position, Search.Direction)
  /// The first step that is not as on another branch.
  case findDifference(of: String, with: String)
  /// A search over forks.
  case seek(ForkQuest)
  case stopFinding
  /// Makes a fork that is to be run then.
  case fork(String, Script)
  /// Gives a fork another script, by which it is to be run then.
  case refork(String, Script)
  case runFork(String)
  case stopFork
  /// Works a change into the script of the fork, or, with a name, into that of a new one.
  case change(BranchChange, at: Position, newFork: String?)
  case restartHost
  /// What forks ran is not true any more: they are forgotten, and the first of those that are looked
  /// at is run.
  case runAgain(String?)
  case deleteFork(String)
  /// Brings deleted forks back; the first of them is to be run then.
  case restoreForks([SavedBranch])
  case renameFork(String, to: String)
  case noteFork(String, String?)
  case saveMark(Position, String?)
  /// Tries again to keep what could not be kept.
  case keepRest
  /// Where the session is left.
  case keepPlace(Position)
  case trim(ClosedRange<Int>, path: String, RedactionWords)
  /// The branch as a session of its own.
  case exportBranch(String, path: String, RedactionWords)
  case stopExport
  case exportState(Position, path: String)
  case findSources([String])
  case output(DebuggerOutput)
}

extension DebuggerAction: CasePathable {
  static func form(_ action: ForkFormFeature.Action) -> Self { .overlay(.fork(action)) }

  struct AllCasePaths: Sendable {
    let filter = CasePath(DebuggerAction.filter)
    let overlay = CasePath(DebuggerAction.overlay)
    let playing = CasePath(DebuggerAction.playing)
    let searches = CasePath(DebuggerAction.searches)
    let watch = CasePath(DebuggerAction.watch)
  }
  static let allCasePaths = AllCasePaths()
}

extension Work {
  /// The action of a feature inside the debugger, which is sent in the same turn; nil for what is done in the
  /// background.
  var action: DebuggerAction? {
    switch self {
    case .goOn: .goesOn
    case .filter(let action): .filter(action)
    case .form(let action): .form(action)
    case .playing(let action): .playing(action)
    case .searches(let action): .searches(action)
    case .watch(let action): .watch(action)
    default: nil
    }
  }

  /// Whether something is written beside the session: nobody leaves before that is done.
  var isKeeping: Bool {
    switch self {
    case .fork, .refork, .restoreForks, .deleteFork, .renameFork, .noteFork, .saveMark, .keepRest,
      .keepPlace:
      true
    default: false
    }
  }
}

/// What is beside the session after a change.
package struct KeepingReport: Sendable {
  /// The fork that was asked for, and its name: another one where somebody else has that.
  var fork: (asked: String, name: String)?
  /// Why it could not be made.
  var failure: String?
  var remarks: [String] = []
  var branches: [Branch]
  var marks: [Position: String]
  /// What would be gone with this debugger, one sentence each.
  var notKept: [String]
  var keepsPlace: Bool

  init(_ session: OpenSession) {
    branches = session.branches
    marks = session.marks
    notKept = session.notKept
    keepsPlace = session.keepsPlace
  }
}
