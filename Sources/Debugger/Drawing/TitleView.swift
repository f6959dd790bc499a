import SessionWords
import TextCanvas
import TimeTravel

/// The first line: the file, the branch, the place in time, the host, and what the step is worth.
enum TitleView {
  static func draw(_ state: DebuggerState, in area: Rectangle, on canvas: inout Canvas) {
    let width = area.width
    var right = right(state)
    let position = "\(grouped(state.here.step))/\(grouped(state.branch.steps.upperBound))"
    let fixed = SafeText.width(position) + SafeText.width(state.here.branch, upTo: 24) + 8
    while let first = right.first, fixed + 14 + cells(right) > width, right.count > 0 {
      _ = first
      right.removeFirst()
    }
    let room = width - cells(right)
    var column = 1
    let nameRoom = max(6, min(40, room - fixed - (room > 60 ? 16 : 0)))
    func put(_ text: String, _ style: Style, upTo most: Int) {
      let most = min(most, room - column)
      guard most > 1 else { return }
      column = canvas.write(
        text, at: Point(column: area.left + column, row: area.top), style: style, width: most)
      column += 3 - area.left
    }
    put(state.session.name, .plain.bold, upTo: nameRoom)
    put(
      state.here.branch,
      state.branch.isMain ? .plain : Style(foreground: state.color(of: state.here.branch)).bold,
      upTo: 24)
    put(position, .plain.bold, upTo: 24)
    if let time = time(state), room - column > time.count { put(time, .plain, upTo: 16) }
    canvas.write(
      right, at: Point(column: area.left + width - cells(right), row: area.top),
      width: cells(right))
  }

  private static func time(_ state: DebuggerState) -> String? {
    let time =
      state.row?.time ?? state.moment?.step.time
    return time.map(\.clockText)
  }

  /// From the least to the most important.
  private static func right(_ state: DebuggerState) -> [Span] {
    var spans: [Span] = []
    switch state.host.status {
    case .none: spans.append(Span("no reducer  ", .quiet))
    case .starting(let name):
      spans += [
        Span("reducer: \(SafeText.truncated(name, to: 24)) ", .quiet), Span("○  ", .quiet),
      ]
    case .ready(let name):
      spans += [
        Span("reducer: \(SafeText.truncated(name, to: 24)) ", .quiet),
        Span(state.forks.running == nil ? "●  " : "◐  ", .added),
      ]
    case .down(let name, _):
      spans += [
        Span("reducer: \(SafeText.truncated(name, to: 24)) ", .quiet), Span("✗  ", .failure),
      ]
    }
    if state.host.isOld { spans.append(Span("rebuilt  ", .warning)) }
    if state.session.isMoved { spans.append(Span("file moved  ", .warning)) }
    switch state.reading.life {
    case .resting: break
    case .growing: spans.append(Span("growing  ", .added))
    case .ended: spans.append(Span("file changed  ", .warning))
    }
    if !state.branch.isMain {
      let row = state.row
      if let standing = row?.standing {
        spans.append(Span("\(standing.words) ", standing.role))
      } else {
        spans.append(Span("as \(state.branch.script?.parent ?? Branch.main) ", .quiet))
      }
    } else {
      spans.append(Span("recorded ", .quiet))
    }
    return spans
  }

  private static func cells(_ spans: [Span]) -> Int {
    spans.reduce(0) { $0 + SafeText.width($1.text) }
  }
}
