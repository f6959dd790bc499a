import SessionWords
import TextCanvas
import TimeTravel

/// What lies beside the session, and what is still to be written there.
struct Keeping: Sendable {
  var marks: [Position: String] = [:]
  var undo = UndoHistory()
  /// How much is being written.
  var inFlight = 0
  /// What could not be written, one sentence each.
  var notKept: [String] = []
  var leaving: Leaving?
  /// Whether the place where the session is left is kept.
  var keepsPlace = false
  /// Where it was left the last time, on a fork that is to be run for it.
  var placeToResume: Position?
  /// The file that a branch is being written to.
  var exporting: String?
}

/// Leaving while something is not kept yet.
enum Leaving: Sendable, Hashable {
  /// What was asked for before is still being written.
  case saving
  /// Some of it cannot be written: the person decides.
  case asking
}

/// What lies beside the session: forks and marks, one's own and those of others.
extension Reaction {
  // MARK: Leaving

  /// Leaves when all that was made is kept; else says what is not, and asks.
  mutating func leave() {
    if state.keeping.leaving == nil, state.keeping.keepsPlace {
      work.append(.keepPlace(state.here))
    }
    guard state.keeping.leaving == nil,
      state.keeping.inFlight > 0 || !state.keeping.notKept.isEmpty
        || work.contains(where: \.isKeeping)
    else {
      work.append(.output(.quit))
      return
    }
    state.keeping.leaving = .saving
    if !state.keeping.notKept.isEmpty { work.append(.keepRest) }
  }

  /// A key while one is leaving; false when it means what it always means.
  mutating func handleLeaving(_ event: InputEvent) -> Bool {
    guard let leaving = state.keeping.leaving, case .key(let key) = event, key != .control("z")
    else {
      return false
    }
    if [.character("q"), .control("c")].contains(key) {
      work.append(.output(.quit))
      return true
    }
    state.keeping.leaving = nil
    return leaving == .asking
  }

  // MARK: Coming back

  /// Goes to where the session was left; on a fork, as soon as a host can run it.
  mutating func resume() {
    guard let place = state.keeping.placeToResume else { return }
    guard !state.input.wasTouched,
      let index = state.branches.firstIndex(where: { $0.name == place.branch })
    else {
      state.keeping.placeToResume = nil
      return
    }
    guard case .ready = state.host.status, state.forks.busy == nil else { return }
    state.keeping.placeToResume = nil
    state.branches[index].progress = .running
    state.forks.running = place.branch
    state.showFork(place.branch, at: place.step)
    work.append(.runFork(place.branch))
  }

  // MARK: What was kept

  mutating func takeKept(_ report: KeepingReport) {
    state.keeping.inFlight = max(0, state.keeping.inFlight - 1)
    if let (asked, name) = report.fork {
      takeMade(name, asked: asked, report)
    } else if let failure = report.failure {
      say(failure, .warning)
    }
    takeBranches(report)
    guard state.keeping.leaving == .saving, state.keeping.inFlight == 0 else { return }
    if state.keeping.notKept.isEmpty {
      work.append(.output(.quit))
    } else {
      state.keeping.leaving = .asking
    }
  }

  /// A fork that was asked for is there: it runs, unless that was stopped meanwhile.
  private mutating func takeMade(_ name: String, asked: String, _ report: KeepingReport) {
    if let failure = report.failure {
      if state.forks.running == asked { state.forks.running = nil }
      state.forks.toShow = nil
      return say(failure, .failure)
    }
    guard var fork = report.branches.first(where: { $0.name == name }) else { return }
    let isWanted = state.forks.running == asked
    fork.progress = isWanted ? .running : .stopped
    if let index = state.branches.firstIndex(where: { $0.name == name }) {
      state.branches[index].progress = fork.progress
    } else {
      state.branches.append(fork)
    }
    if name != asked { use(name, insteadOf: asked) }
    guard isWanted else { return }
    state.forks.running = name
    work.append(.runFork(name))
  }

  /// A fork got another name than was asked for, because somebody else has that one.
  private mutating func use(_ name: String, insteadOf asked: String) {
    if state.forks.toShow?.name == asked { state.forks.toShow?.name = name }
    state.keeping.undo.use(name, insteadOf: asked)
    if state.here.branch == asked { state.go(to: Position(branch: name, step: state.here.step)) }
  }

  /// What is beside the session now: forks of others come and go.
  mutating func takeBranches(_ report: KeepingReport) {
    state.keeping.notKept = report.notKept
    state.keeping.keepsPlace = report.keepsPlace
    for branch in report.branches {
      guard let index = state.branches.firstIndex(where: { $0.name == branch.name }) else {
        continue
      }
      state.branches[index].notKept = branch.notKept
    }
    if let remark = report.remarks.first {
      let rest = report.remarks.count - 1
      say(
        rest > 0
          ? "\(remark) And \(grouped(rest)) more; \(state.key("B")) lists the branches." : remark,
        .warning)
    }
    // What is asked for and not done yet, the report does not know.
    guard state.keeping.inFlight == 0 else { return }
    state.keeping.marks = report.marks
    let names = Set(report.branches.map(\.name))
    for gone in state.branches where !gone.isMain && !names.contains(gone.name) {
      // One that leaves another is gone with it.
      guard state.branches.contains(where: { $0.name == gone.name }) else { continue }
      state.keeping.undo.note(.deleted(state.savedForks(from: gone.name)))
      takeAway(gone.name)
    }
    for branch in report.branches where !branch.isMain {
      guard let index = state.branches.firstIndex(where: { $0.name == branch.name }) else {
        state.branches.append(branch)
        continue
      }
      state.branches[index].note = branch.note
      guard state.branches[index].script != branch.script else { continue }
      state.branches[index] = branch
      state.reading.forget(branch.name)
      if state.here.branch == branch.name { state.go(to: state.here.step, isJump: false) }
    }
    scrollOverlay(by: 0)
  }
}
