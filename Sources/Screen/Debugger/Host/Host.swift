import SessionWords
import TimeTravel

struct HostState: Sendable {
  var status: HostStatus
  var report: [String] = []
  private(set) var troubles: [String] = []
  var build: Int?
  /// The number of the newest reported change.
  var change = 0
  var isOld = false
  var isRestarting = false
  var runsAgainByItself = false

  mutating func add(trouble words: String) {
    troubles.removeAll { $0 == words }
    troubles = troubles.suffix(19) + [words]
  }
}

extension DebuggerUpdate {
  mutating func receiveHost(_ host: HostStatus, _ report: HostReport) {
    // News of two threads may change places.
    guard report.change >= state.host.change else { return }
    state.host.change = report.change
    let old = state.host.status
    state.host.status = host
    state.host.report = report.lines
    if case .down(_, let reason) = host { state.host.add(trouble: reason) }
    // A running fork reports its host's end itself.
    if case .down(_, let reason) = host, host != old, state.forks.running == nil {
      say(reason, .failure)
    }
    // A build that does not start gives no results.
    guard case .ready = host, report.build != state.host.build else { return }
    let isFirst = state.host.build == nil
    state.host.build = report.build
    // A restart brought another build, whose results must not mix with the old ones.
    guard !isFirst, !state.host.isRestarting else { return }
    if state.session.statesBy == nil { runAgain() } else { restartHost() }
  }

  mutating func hostWasRebuilt() {
    guard state.host.status != .none else { return }
    state.host.isOld = true
    if state.host.runsAgainByItself {
      restartHost()
    } else {
      say("rebuilt: \(state.key("R")) runs everything again", .warning)
    }
  }

  /// Does the work of the key; only this opens a file again.
  mutating func reload() {
    if state.isFileChanged { reopen() } else { restartHost() }
  }

  mutating func restartHost() {
    guard state.host.status != .none else {
      return say("No reducer is attached: start again with \(state.session.hostOption).", .warning)
    }
    guard !state.host.isRestarting else { return }
    let forks = forksLookedAt()
    if state.forks.running != nil { _ = stopWork() }
    state.forks.toRun = forks
    state.host.isRestarting = true
    say("Starting the reducer again …")
    effects.append(.restartHost())
  }

  mutating func hostRestarted(_ news: RecordingChange?, _ failure: String?) {
    state.host.isRestarting = false
    state.message = nil
    let forks = state.forks.toRun
    if let failure {
      state.forks.toRun = []
      return say("What you see still comes from the old reducer: \(failure)", .failure)
    }
    if let news { receiveRecording(news, []) }
    runAgain(forks)
    if news != nil {
      say("The reducer was reloaded; all states are computed again.")
    } else if state.message == nil, forks.isEmpty {
      say("The reducer was restarted; a fork runs again when you look at it.")
    }
  }

  private mutating func runAgain(_ forks: [BranchID]? = nil) {
    let forks = forks ?? forksLookedAt()
    if state.forks.running != nil { _ = stopWork() }
    let here = state.here
    for index in state.branches.indices where state.branches[index].script?.parent == .main {
      forgetSteps(of: index)
    }
    state.host.isOld = false
    // The same search may find something else now.
    (state.timeline.kept, state.timeline.curve) = (KeptSteps(), [])
    for index in state.searches.results.indices { state.searches.results[index].search = nil }
    state.forks.toRun = forks
    state.forks.asksAgain = forks.contains(here.branch) ? here.branch : nil
    let next = startNextFork()
    effects.append(.runAgain(next))
    state.forks.toShow = nil
    state.go(to: here.step, isJump: false)
    if forks.contains(here.branch) { state.showFork(here.branch, at: here.step) }
  }

  mutating func runNextFork() {
    guard state.forks.running == nil, let next = startNextFork() else { return }
    effects.append(.runFork(next))
  }

  private mutating func startNextFork() -> BranchID? {
    while !state.forks.toRun.isEmpty {
      let fork = state.forks.toRun.removeFirst()
      guard state[branch: fork] != nil else { continue }
      state[branch: fork]?.progress = .running
      state.forks.running = fork
      return fork
    }
    return nil
  }

  private func forksLookedAt() -> [BranchID] {
    var forks: [BranchID] = []
    for fork in [state.forks.running, state.here.branch, state.otherBranch].compactMap(\.self) {
      var chain: [BranchID] = []
      var next = state[branch: fork]
      while let branch = next, let script = branch.script {
        chain.insert(branch.id, at: 0)
        next = state[branch: script.parent]
      }
      for fork in chain where !forks.contains(fork) { forks.append(fork) }
    }
    return forks
  }

  mutating func showHost(_ words: [String]) {
    if ["restart", "R"].contains(words.first) {
      reload()
    } else if state.host.status == .none {
      say("No reducer is attached: start again with \(state.session.hostOption).", .warning)
    } else {
      state.overlay = .list(.text(title: "host", state.host.report.map { ListLine($0) }))
    }
  }
}

package struct HostReport: Sendable, Hashable {
  package var lines: [String]
  package var build: Int
  /// Ascends; the status is at least as new.
  package var change: Int

  package init(lines: [String] = [], build: Int = 0, change: Int = 0) {
    (self.lines, self.build, self.change) = (lines, build, change)
  }
}

package enum HostStatus: Sendable, Hashable {
  case none
  case starting(String)
  case ready(String)
  /// It ended for this reason; a fork restarts it.
  case down(String, reason: String)
}
