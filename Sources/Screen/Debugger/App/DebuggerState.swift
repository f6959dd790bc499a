import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel

/// Everything that the debugger knows and shows. The screen is a function of it.
///
/// Related state is grouped in types with their own folders; some are features with reducers.
package struct DebuggerState: Sendable {
  package var size: Size
  package var session: RecordingSummary
  package var branches: [Branch]
  var forks = ForkRuns()
  var host: HostState
  var travel: Travel
  var reading = Reading()
  var timeline = Timeline()
  var paneSet = PaneSet()
  var overlay: Overlay?
  var prompt: Prompt?
  /// The choices of the menu of `f` and the line of `:fork`, while one of them is shown.
  var forkLine: ForkLine?
  var input = Input()
  var message: Message?
  var filter = Filter.State()
  var searches = Searches.State()
  var watch = Watch.State()
  var blame = Blame.State()
  var playing = Playing.State()
  var keeping = Keeping()
  var driving = Driving()

  package init(session: RecordingSummary, host: HostStatus = .none, size: Size) {
    self.size = size
    self.session = session
    self.host = HostState(status: host)
    branches = [Branch(.main, steps: session.steps)]
    let start = session.position ?? session.steps.lowerBound
    travel = Travel(
      at: Position(step: min(max(start, session.steps.lowerBound), session.steps.upperBound)))
    showProblems()
  }

  mutating func showProblems() {
    let notices = input.problems + session.notices
    guard let notice = notices.first else { return }
    let count = notices.count
    message = Message(count > 1 ? "1 of \(count), :notices shows all: \(notice)" : notice, .warning)
  }

  package var here: Position {
    get { travel.here }
    set { travel.here = newValue }
  }

  subscript(branch id: BranchID) -> Branch? {
    get { branches[id] }
    set {
      let index = branches.firstIndex { $0.id == id } ?? branches.count
      branches.replaceSubrange(
        index..<min(index + 1, branches.count), with: newValue.map { [$0] } ?? [])
    }
  }

  func name(of id: BranchID) -> String { branches.name(of: id) }

  /// `813`, or `no coupon/813` on a fork.
  func text(of position: Position) -> String { branches.text(of: position) }

  package var branch: Branch { self[branch: here.branch] ?? branches[0] }
  var row: StepRow? { reading.pages[here.branch, here.step] }

  var moment: Moment? { reading.moments[here] }

  var panes: [Pane] { Pane.all(onFork: !branch.isMain) }

  package var pane: Pane { paneSet.current }
  var view: PaneView {
    get { paneSet[pane] }
    _modify { yield &paneSet[pane] }
  }

  var otherBranch: BranchID? {
    if let compared = forks.compared, compared != branch.id,
      self[branch: compared]?.isNotRun == false
    {
      return compared
    }
    return branch.script?.parent
  }
}

package struct Message: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case news, warning, failure
  }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind = .news) { (self.text, self.kind) = (text, kind) }
}

enum Overlay: Sendable, Hashable {
  /// With its selected line, or the first visible one.
  case list(List, at: Int = 0)

  enum List: Sendable, Hashable {
    case help, branches, marks, results, sessions
    case text(title: String, [ListLine])
    case menu(Menu)
  }
}

/// A line of a list, with the step that Enter goes to.
package struct ListLine: Sendable, Hashable, ExpressibleByStringLiteral {
  package var text: String
  package var place: Position?

  package init(_ text: String, at place: Position? = nil) {
    (self.text, self.place) = (text, place)
  }

  package init(stringLiteral text: String) { self.init(text) }
}
