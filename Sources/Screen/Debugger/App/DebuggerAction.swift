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
  case forkLine(ForkLineFeature.Action)
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
  case aligned(BranchID, BranchID, [Int: Int])
  case stepFound(Int?, words: String?)
  case findingFailed(String)
  case rulesNamed(NamedRules)
  case questGrew(ForkSearchState.Kind, ForkSearchUpdate)
  case forkGrew(Branch)
  case kept(KeepingReport)
  /// Another program changed the files beside the session.
  case othersWorked(KeepingReport)
  case forkFailed(BranchID, String)
  case scriptChanged(BranchID, ChangedScript, left: Position)
  case scriptNotChanged(String)
  case composed(String)
  case hostChanged(HostStatus, HostReport)
  /// The host's files are newer than the running host.
  case hostRebuilt
  /// With the recording, if the host's states replaced the recorded ones; else the reason why not.
  case hostRestarted(RecordingChange?, failure: String?)
  case follows(every: Duration)
  case recordingChanged(RecordingChange, effects: [EffectSpan])
  case recordingRests
  case welcomed(String, fork: BranchID?)
  case arranged(String)
  case recalled(String)
  /// A rule that the command line named.
  case ruleSet(String)
  case functionsListed([String])
  case configured(UserKeys, problems: [String])
  case sourcesFound([String: SourceFiles.Found?])
  case said(Message)
  case showingFailed(String)
  case sessionsListed([AppSession])
  case sendableFound([ActionTemplate])
  case leavesForSession(String, at: Int64?)
  case exported(Message)
}

package enum DebuggerOutput: Sendable, Hashable {
  case quit
  /// Opens the file again at this step: it has changed, or gets another reducer.
  case reopen(step: Int, reducer: String? = nil)
  /// Opens another session of the app, at a moment in milliseconds since 1970; nil is its end.
  case openSession(String, at: Int64?)
  case suspend
  case redraw
  case copy(String)
  case edit(String, name: String)
  case compose(String, name: String)
  case open(String, line: Int)
}

extension DebuggerAction: CasePathable {
  struct AllCasePaths: Sendable {
    let blame = CasePath(DebuggerAction.blame)
    let filter = CasePath(DebuggerAction.filter)
    let forkLine = CasePath(DebuggerAction.forkLine)
    let playing = CasePath(DebuggerAction.playing)
    let searches = CasePath(DebuggerAction.searches)
    let watch = CasePath(DebuggerAction.watch)
  }
  static let allCasePaths = AllCasePaths()
}
