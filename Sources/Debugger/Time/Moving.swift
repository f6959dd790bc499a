import TimeTravel

extension DebuggerState {
  /// Goes to a step of the branch. A jump can be taken back with `[`.
  mutating func go(to step: Int, isJump: Bool = true) {
    go(to: Position(branch: here.branch, step: step), isJump: isJump)
  }

  mutating func go(to position: Position, isJump: Bool = true) {
    guard let branch = branches.first(where: { $0.name == position.branch }) else { return }
    let steps = branch.steps
    var target = position
    target.step = min(max(target.step, steps.lowerBound), steps.upperBound)
    if target != here {
      if isJump { travel.history.leave(here) }
      here = target
      leaveCompare()
    }
    // A fork that is running will have the step soon.
    if branch.progress == .running, position.step > target.step, position.step < .max {
      showFork(branch.name, at: position.step)
    }
  }

  mutating func go(toPercent percent: Int) {
    let steps = branch.steps
    go(to: steps.lowerBound + (steps.count - 1) * min(max(percent, 0), 100) / 100)
  }

  mutating func move(by offset: Int) {
    let target = here.step.addingReportingOverflow(offset)
    go(to: target.overflow ? (offset < 0 ? .min : .max) : target.partialValue, isJump: false)
  }

  /// Keeps the step that is looked at in sight; after a jump it stands in the middle.
  mutating func scrollList(height: Int) {
    let height = max(1, height)
    if let rows { return scrollRows(rows, height: height) }
    let steps = branch.steps
    let distance =
      here.step < travel.listTop
      ? travel.listTop - here.step : here.step - (travel.listTop + height - 1)
    if distance > 0 {
      if distance > height / 2 {
        travel.listTop = here.step - height / 2
      } else {
        travel.listTop = here.step < travel.listTop ? here.step : here.step - height + 1
      }
    }
    travel.listTop = max(steps.lowerBound, min(travel.listTop, steps.upperBound - height + 1))
  }

  mutating func centerList(height: Int) { travel.listTop = here.step - max(1, height) / 2 }

  mutating func show(_ pane: Pane) {
    if panes.contains(pane) { paneSet.use(pane) }
  }

  /// On the recording there is nothing to compare with.
  mutating func leaveCompare() {
    if !panes.contains(pane) { paneSet.use(.diff) }
  }
}

/// Where one stands and what is seen around it.
struct Travel: Sendable {
  var here: Position
  var history = History()
  /// The other end of a range of steps.
  var rangeStart: Position?
  /// The first step of the list.
  var listTop: Int

  init(at start: Position) {
    here = start
    listTop = start.step
  }
}

/// Where one has been, for back and forward.
struct History: Sendable, Hashable {
  private var back: [Position] = []
  private var forward: [Position] = []

  mutating func leave(_ position: Position) {
    if back.last != position { back.append(position) }
    if back.count > 200 { back.removeFirst() }
    forward = []
  }

  mutating func goBack(from position: Position) -> Position? {
    guard let target = back.popLast() else { return nil }
    forward.append(position)
    return target
  }

  mutating func goForward(from position: Position) -> Position? {
    guard let target = forward.popLast() else { return nil }
    back.append(position)
    return target
  }

  mutating func rename(_ renamed: (Position) -> Position) {
    back = back.map(renamed)
    forward = forward.map(renamed)
  }

  mutating func forget(_ branch: String) {
    back.removeAll { $0.branch == branch }
    forward.removeAll { $0.branch == branch }
  }
}
