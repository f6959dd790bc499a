import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel

/// All that the debugger knows and shows. The screen is a function of it.
package struct DebuggerState: Sendable {
  package var size: Size
  package var session: RecordingSummary
  /// What becomes of the recording while it is looked at.
  var life = RecordingLife.resting
  package var host: HostStatus
  /// What the author of the host wants to know, one line each.
  var hostReport: [String] = []
  /// What went wrong with the host, the newest last.
  private(set) var hostTroubles: [String] = []
  /// The build that runs, once one does.
  var hostBuild: Int?
  /// Its files are newer than the process.
  var isHostOld = false
  var isHostRestarting = false
  /// A rebuilt host is started again without being asked for.
  var runsAgainByItself = false
  /// Forks that run one after another, as soon as the one that runs is done.
  var forksToRun: [String] = []
  /// The recording first, then the forks.
  package var branches: [Branch]
  package var here: Position
  var history = History()
  /// The other end of a range of steps.
  var rangeStart: Position?
  /// The range that was asked for, and what changed in it once it was read.
  var spanned: (span: StepSpan, moment: Moment?)?

  // What was read so far.
  var pages = StepPages()
  var moments = MomentCache()
  var timeline = Timeline()

  // What the person sees and where the cursors are.
  package var focus = Focus.steps
  var paneSet = PaneSet()
  /// The first step of the list.
  var listTop: Int
  var overlay: Overlay?
  var prompt: Prompt?
  var typed = TypedBefore()
  var count = CountPrefix()
  /// The keys that the user has chosen.
  var keys = UserKeys()
  /// The files of the app's sources.
  var sources = SourcePlaces()
  /// A file outside of the folder that the same key once more opens.
  var placeToConfirm: SourcePlace?
  /// What is wrong with the configuration, one sentence each.
  var problems: [String] = []
  var message: Message?

  /// What of the branch is listed; nil for all.
  var filter: StepFilter?
  var search: Search?
  var errors: Search?
  /// Conditions that always should hold, and the steps in which one does not.
  var rules: [String] = []
  var broken: Search?
  var watch = Watch.State()
  var searchNumber = 0
  /// The file that a branch is being written to.
  var exporting: String?
  /// What is being looked for in the background, in words.
  var finding: String?
  /// The best that a search over forks has found so far.
  var questBest: Script?
  /// In which share of what was tried from a step on it still happens.
  var curve: [CurvePoint] = []
  /// The moment that was asked for and has not come.
  var awaitedMoment: Position?
  /// The same, once one has waited long enough to notice.
  var lateMoment: Position?
  /// What was typed and cannot be done yet.
  var waiting = WaitingInput()
  /// The moment whose neighbours were asked for.
  var lookedAheadFrom: Position?
  /// The first key of a command of two.
  var pendingKey: Key?
  var drag: Drag?
  var playing = Playing.State()
  /// Whether a key was pressed or the mouse moved since the session was opened.
  var wasTouched = false
  /// What is said to somebody who has not pressed a key yet.
  var welcome: String?
  var marks: [Position: String] = [:]
  var undo = UndoHistory()
  /// How much is being written beside the session.
  var keeping = 0
  /// What could not be written there, one sentence each.
  var notKept: [String] = []
  var leaving: Leaving?
  /// Whether the place where the session is left is kept.
  var keepsPlace = false
  /// Where it was left the last time, on a fork that is to be run for it.
  var placeToResume: Position?
  /// The fork whose script is being changed.
  var changingFork: String?
  /// The fork that the host is running.
  var runningFork: String?
  /// The branch that Compare sets beside the fork; nil for its parent.
  var comparedBranch: String?
  /// Another branch beside the fork in the list.
  var beside: Beside?
  /// What a key is changing, in words.
  var changingWords: String?
  /// What was looked for before somebody began to type another search, and where that was.
  var searchBefore: (search: Search?, place: Position)?
  /// What is to be said besides once it has run.
  var forkRemark: String?
  /// The fork to go to as soon as it has this step, or with nil a step of its own; unless somebody has
  /// gone somewhere else.
  var forkToShow: (name: String, step: Int?)? { didSet { placeBeforeFork = here } }
  private(set) var placeBeforeFork: Position?

  package init(session: RecordingSummary, host: HostStatus = .none, size: Size) {
    self.size = size
    self.session = session
    self.host = host
    branches = [Branch(name: Branch.main, steps: session.steps)]
    let start = session.position ?? session.steps.lowerBound
    here = Position(step: min(max(start, session.steps.lowerBound), session.steps.upperBound))
    listTop = here.step
    noteTroubles()
  }

  /// What is wrong with the configuration and the file, on the way in.
  mutating func noteTroubles() {
    let notices = problems + session.notices
    guard let notice = notices.first else { return }
    let count = notices.count
    message = Message(
      count > 1 ? "1 of \(count), :notices shows all: \(notice)" : notice, .warning)
  }

  mutating func note(hostTrouble words: String) {
    hostTroubles.removeAll { $0 == words }
    hostTroubles = hostTroubles.suffix(19) + [words]
  }

  /// The branch that is looked at.
  package var branch: Branch { branches.first { $0.name == here.branch } ?? branches[0] }

  /// The moment that is looked at, once it was read.
  var moment: Moment? { moments[here] }

  var panes: [Pane] { Pane.all(onFork: !branch.isMain) }

  /// The pane that keys act in, and what it shows.
  package var pane: Pane { paneSet.current }
  var view: PaneView {
    get { paneSet[pane] }
    _modify { yield &paneSet[pane] }
  }

  /// What Compare sets beside the fork that is looked at.
  var otherBranch: String? {
    if let comparedBranch, comparedBranch != branch.name,
      branches.contains(where: { $0.name == comparedBranch && !$0.isNotRun })
    {
      return comparedBranch
    }
    return branch.script?.parent
  }
}

/// What the mouse holds.
enum Drag: Sendable, Hashable {
  case slider
  /// A range that begins at a step.
  case range(from: Int)
  /// The edge between the steps and the panes.
  case edge
}

/// What keys can move in.
package enum Focus: Sendable, Hashable {
  case steps, pane, timeline
}

/// One sentence at the bottom.
package struct Message: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case news, warning, failure
  }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind = .news) {
    self.text = text
    self.kind = kind
  }
}

/// What stands over the panes.
enum Overlay: Sendable, Hashable {
  case help(top: Int)
  case branches(selected: Int)
  case marks(selected: Int)
  case fork(ForkForm)
  case text(title: String, lines: [String], top: Int)
  /// What can be done with what is pointed at.
  case menu(selected: Int, at: Point)
}
