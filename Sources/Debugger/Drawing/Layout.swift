import TextCanvas

/// Where everything stands on a screen of some size. Both drawing and the mouse ask it.
struct Layout: Sendable, Hashable {
  enum Shape: Sendable, Hashable {
    /// Too small for anything.
    case tiny
    /// One thing at a time, without frames.
    case narrow
    /// Steps beside the pane.
    case wide
  }

  var shape: Shape
  var title: Rectangle
  /// One row, when there is room.
  var density: Rectangle?
  var slider: Rectangle
  var forks: Rectangle?
  var effects: Rectangle?
  var tabs: Rectangle
  var steps: Rectangle
  var pane: Rectangle
  var status: Rectangle
  /// The frame around all, with its inner edges.
  var frame: Rectangle?

  init(_ state: DebuggerState) {
    let height = state.size.height
    let lanes = EffectLanes(
      state.longEffects, steps: state.timelineSteps, lastStep: state.session.steps.upperBound,
      width: state.size.width - 2, most: height >= 50 ? 4 : height >= 30 ? 2 : 0)
    self.init(
      size: state.size, forks: state.branches.count - 1, effectLanes: lanes.count,
      focus: state.focus, extraStepsWidth: state.extraStepsWidth)
  }

  init(size: Size, forks: Int, effectLanes: Int, focus: Focus, extraStepsWidth: Int = 0) {
    let screen = Rectangle(size)
    if size.width < 20 || size.height < 5 {
      self.init(tiny: screen)
    } else if size.width < 56 || size.height < 12 {
      self.init(narrow: screen, focus: focus)
    } else {
      self.init(
        wide: screen, forks: forks, effectLanes: effectLanes, extraStepsWidth: extraStepsWidth)
    }
  }

  private init(tiny screen: Rectangle) {
    let nothing = Rectangle(column: 0, row: 0, width: 0, height: 0)
    shape = .tiny
    title = screen
    slider = nothing
    tabs = nothing
    steps = nothing
    pane = nothing
    status = nothing
  }

  private init(narrow screen: Rectangle, focus: Focus) {
    func line(_ row: Int) -> Rectangle {
      Rectangle(column: 0, row: row, width: screen.width, height: 1)
    }
    shape = .narrow
    title = line(0)
    slider = line(1)
    tabs = line(2)
    status = line(screen.height - 1)
    let content = Rectangle(column: 0, row: 3, width: screen.width, height: screen.height - 4)
    let nothing = Rectangle(column: 0, row: 3, width: 0, height: content.height)
    steps = focus == .steps ? content : nothing
    pane = focus == .pane ? content : nothing
  }

  private init(wide screen: Rectangle, forks: Int, effectLanes: Int, extraStepsWidth: Int) {
    shape = .wide
    let inner = screen.width - 2
    func line(_ row: Int) -> Rectangle { Rectangle(column: 1, row: row, width: inner, height: 1) }
    title = Rectangle(column: 0, row: 0, width: screen.width, height: 1)
    status = Rectangle(column: 0, row: screen.height - 1, width: screen.width, height: 1)
    frame = Rectangle(column: 0, row: 1, width: screen.width, height: screen.height - 2)
    var row = 2
    if screen.height >= 16 {
      density = line(row)
      row += 1
    }
    slider = line(row)
    row += 1
    let forkRows = min(forks, screen.height >= 30 ? 3 : screen.height >= 16 ? 1 : 0)
    if forkRows > 0 {
      self.forks = Rectangle(column: 1, row: row, width: inner, height: forkRows)
      row += forkRows
    }
    if effectLanes > 0 {
      effects = Rectangle(column: 1, row: row, width: inner, height: effectLanes)
      row += effectLanes
    }
    let ownWidth = min(max(screen.width * 2 / 5, 27), 72)
    let stepsWidth = min(max(ownWidth + extraStepsWidth, 20), screen.width - 24)
    let height = max(1, screen.height - 2 - (row + 1))
    steps = Rectangle(column: 1, row: row + 1, width: stepsWidth - 1, height: height)
    let left = stepsWidth + 1
    pane = Rectangle(column: left, row: row + 1, width: screen.width - 1 - left, height: height)
    tabs = Rectangle(column: left, row: row, width: screen.width - 1 - left, height: 1)
  }

  /// The step under a column of the slider.
  func step(atColumn column: Int, of steps: ClosedRange<Int>) -> Int {
    let width = max(slider.width - 1, 1)
    let offset = min(max(column - slider.left, 0), width)
    return steps.lowerBound + (offset * (steps.count - 1) + width / 2) / width
  }

  /// The column of the slider, from its left end, for a step.
  func offset(ofStep step: Int, of steps: ClosedRange<Int>) -> Int {
    Self.offset(ofStep: step, of: steps, width: slider.width)
  }

  static func offset(ofStep step: Int, of steps: ClosedRange<Int>, width: Int) -> Int {
    guard steps.count > 1 else { return 0 }
    let place = min(max(step - steps.lowerBound, 0), steps.count - 1)
    return (place * (width - 1) + (steps.count - 1) / 2) / (steps.count - 1)
  }
}
