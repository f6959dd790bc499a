import SessionWords
import TextCanvas
import TimeTravel

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
    if state.leaving == nil, state.keepsPlace { work.append(.keepPlace(state.here)) }
    guard state.leaving == nil,
      state.keeping > 0 || !state.notKept.isEmpty || work.contains(where: \.isKeeping)
    else {
      work.append(.output(.quit))
      return
    }
    state.leaving = .saving
    if !state.notKept.isEmpty { work.append(.keepRest) }
  }

  /// A key while one is leaving; false when it means what it always means.
  mutating func handleLeaving(_ event: InputEvent) -> Bool {
    guard let leaving = state.leaving, case .key(let key) = event, key != .control("z") else {
      return false
    }
    if [.character("q"), .control("c")].contains(key) {
      work.append(.output(.quit))
      return true
    }
    state.leaving = nil
    return leaving == .asking
  }

  // MARK: Coming back

  /// Goes to where the session was left; on a fork, as soon as a host can run it.
  mutating func resume() {
    guard let place = state.placeToResume else { return }
    guard !state.wasTouched,
      let index = state.branches.firstIndex(where: { $0.name == place.branch })
    else {
      state.placeToResume = nil
      return
    }
    guard case .ready = state.host, state.busyFork == nil else { return }
    state.placeToResume = nil
    state.branches[index].progress = .running
    state.runningFork = place.branch
    state.forkToShow = (place.branch, place.step)
    work.append(.runFork(place.branch))
  }

  // MARK: What was kept

  mutating func takeKept(_ report: KeepingReport) {
    state.keeping = max(0, state.keeping - 1)
    if let (asked, name) = report.fork {
      takeMade(name, asked: asked, report)
    } else if let failure = report.failure {
      say(failure, .warning)
    }
    takeBranches(report)
    guard state.leaving == .saving, state.keeping == 0 else { return }
    if state.notKept.isEmpty {
      work.append(.output(.quit))
    } else {
      state.leaving = .asking
    }
  }

  /// A fork that was asked for is there: it runs, unless that was stopped meanwhile.
  private mutating func takeMade(_ name: String, asked: String, _ report: KeepingReport) {
    if let failure = report.failure {
      if state.runningFork == asked { state.runningFork = nil }
      state.forkToShow = nil
      return say(failure, .failure)
    }
    guard var fork = report.branches.first(where: { $0.name == name }) else { return }
    let isWanted = state.runningFork == asked
    fork.progress = isWanted ? .running : .stopped
    if let index = state.branches.firstIndex(where: { $0.name == name }) {
      state.branches[index].progress = fork.progress
    } else {
      state.branches.append(fork)
    }
    if name != asked { use(name, insteadOf: asked) }
    guard isWanted else { return }
    state.runningFork = name
    work.append(.runFork(name))
  }

  /// A fork got another name than was asked for, because somebody else has that one.
  private mutating func use(_ name: String, insteadOf asked: String) {
    if state.forkToShow?.name == asked { state.forkToShow?.name = name }
    state.undo.use(name, insteadOf: asked)
    if state.here.branch == asked { state.go(to: Position(branch: name, step: state.here.step)) }
  }

  /// What is beside the session now: forks of others come and go.
  mutating func takeBranches(_ report: KeepingReport) {
    state.notKept = report.notKept
    state.keepsPlace = report.keepsPlace
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
    guard state.keeping == 0 else { return }
    state.marks = report.marks
    let names = Set(report.branches.map(\.name))
    for gone in state.branches where !gone.isMain && !names.contains(gone.name) {
      // One that leaves another is gone with it.
      guard state.branches.contains(where: { $0.name == gone.name }) else { continue }
      state.undo.note(.deleted(state.savedForks(from: gone.name)))
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
      state.pages.forget(branch.name)
      state.moments.forget(branch.name)
      if state.here.branch == branch.name { state.go(to: state.here.step, isJump: false) }
    }
    scrollOverlay(by: 0)
  }
}
