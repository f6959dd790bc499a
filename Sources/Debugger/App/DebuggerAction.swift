import SessionFile
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

enum DebuggerAction: Sendable {
  case started
  /// The link is what the picture shows at the clicked place.
  case input(InputEvent, link: Link? = nil)
  case goesOn
  case blame(Blame.Action)
  case filter(Filter.Action)
  case offers(ForkFormFeature.Action)
  case form(ForkFormFeature.Action)
  case playing(Playing.Action)
  case searches(Searches.Action)
  case watch(Watch.Action)
  case stepsRead(StepPages.PageID, [StepRow])
  case momentRead(Moment)
  case momentIsLate(Position)
  case momentFailed(Position, String)
  case timelineRead(TimelineExtent, Density?, [EffectSpan])
  case spanRead(StepSpan, Moment)
  case effectsFound
  case surveyed(SessionSurvey)
  case aligned(String, String, [Int: Int])
  case stepFound(Int?, words: String?)
  case questGrew(ForkSearchState.Kind, ForkSearchUpdate)
  case forkGrew(Branch)
  case kept(KeepingReport)
  /// Another program changed the files beside the session.
  case othersWorked(KeepingReport)
  case forkFailed(name: String, String)
  case scriptChanged(name: String, ChangedScript, left: Position)
  case scriptNotChanged(String)
  case composed(String)
  case hostChanged(HostStatus, HostReport)
  /// The host's files are newer than the running host.
  case hostRebuilt
  /// With the recording, if the host's states replaced the recorded ones; else the reason why not.
  case hostRestarted(RecordingChange?, failure: String?)
  case runsForgotten(next: String?)
  case follows(every: Duration)
  case recordingChanged(RecordingChange, effects: [EffectSpan])
  case recordingRests
  case welcomed(String, fork: String?)
  case arranged(String)
  case configured(UserKeys, problems: [String])
  case sourcesFound([String: SourceFiles.Found?])
  case said(Message)
  case exported(Message)
}

package enum DebuggerOutput: Sendable, Hashable {
  case quit
  case suspend
  case copy(String)
  case edit(String, name: String)
  case compose(String, name: String)
  case open(String, line: Int)
}

enum Work: Sendable, Equatable {
  case readSteps([StepPages.PageID])
  case readMoment(Position, comparedWith: String? = nil)
  /// Reads the moments that will probably be looked at next.
  case readAhead([Position], comparedWith: String? = nil)
  case readTimeline(TimelineExtent)
  case readSpan(StepSpan)
  case findEffects
  case follow(every: Duration)
  case survey
  case align(String, with: String, ClosedRange<Int>)
  case find(StepFinder, from: Position, Search.Direction)
  case findDifference(of: String, with: String)
  case seek(ForkSearchState)
  case stop(Background.Job)
  case fork(String, Script)
  case refork(String, Script)
  case runFork(String)
  /// Changes the script of this fork, or of a new one if it has a name.
  case change(BranchChange, at: Position, newFork: String?)
  case restartHost
  /// The forks' steps are outdated: forget them, and run the first one in view.
  case runAgain(String?)
  case deleteFork(String)
  case restoreForks([SavedBranch])
  case renameFork(String, to: String)
  case noteFork(String, String?)
  case saveMark(Position, String?)
  case keepRest
  case keepPlace(Position)
  case trim(ClosedRange<Int>, path: String, RedactionWords)
  case exportBranch(String, path: String, RedactionWords)
  case writeTest(ClosedRange<Int>, of: String, path: String)
  case exportState(Position, path: String)
  case report(Position, path: String, replaces: Bool, RedactionWords)
  case findSources([String])
  case drive(Drive)
  case output(DebuggerOutput)
}

extension DebuggerAction: CasePathable {
  struct AllCasePaths: Sendable {
    let blame = CasePath(DebuggerAction.blame)
    let filter = CasePath(DebuggerAction.filter)
    let offers = CasePath(DebuggerAction.offers)
    let form = CasePath(DebuggerAction.form)
    let playing = CasePath(DebuggerAction.playing)
    let searches = CasePath(DebuggerAction.searches)
    let watch = CasePath(DebuggerAction.watch)
  }
  static let allCasePaths = AllCasePaths()
}

extension Work {
  /// Whether it writes a file beside the session; the debugger waits for that before it quits.
  var isKeeping: Bool {
    switch self {
    case .fork, .refork, .restoreForks, .deleteFork, .renameFork, .noteFork, .saveMark, .keepRest,
      .keepPlace:
      true
    default: false
    }
  }
}

package struct KeepingReport: Sendable {
  /// The requested fork, and its real name: another one if the name was taken.
  var fork: (asked: String, name: String)?
  var failure: String?
  var remarks: [String] = []
  var branches: [Branch]
  var marks: [Position: String]
  var notKept: [String]
  var keepsPlace: Bool

  init(_ session: OpenSession) {
    branches = session.branches
    marks = session.marks
    notKept = session.notKept
    keepsPlace = session.keepsPlace
  }
}
