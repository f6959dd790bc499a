import SessionWords
import TextCanvas
import TimeTravel

extension Painter {
  mutating func drawTitle() {
    let area = layout.title
    var right = titleEnd
    let position = "\(grouped(state.here.step))/\(grouped(state.branch.steps.upperBound))"
    let doubt = state.doubtOfAll.map { "\($0.glyph) \($0.words)" } ?? ""
    let fixed =
      SafeText.width(position + doubt) + SafeText.width(state.branch.name, upTo: 24) + 8
    while !right.isEmpty, fixed + 14 + right.width() > area.width { right.removeFirst() }
    let room = area.width - right.width()
    var column = 1
    let nameRoom = max(6, min(40, room - fixed - (room > 60 ? 16 : 0)))
    func put(_ text: String, _ style: Style, upTo most: Int) {
      let most = min(most, room - column)
      guard most > 1 else { return }
      column = canvas.write(text, at: area.point(column), style: style, width: most)
      column += 3 - area.left
    }
    put(state.session.name, .plain.bold, upTo: nameRoom)
    put(
      state.branch.name,
      state.branch.isMain ? .plain : Style(foreground: state.color(of: state.here.branch)).bold,
      upTo: 24)
    if !doubt.isEmpty {
      column -= 2
      put(doubt, Span.Role.warning.style, upTo: 24)
    }
    put(position, .plain.bold, upTo: 24)
    let time = (state.row?.time ?? state.moment?.step.time).map(\.clockText)
    if let time, room - column > time.count { put(time, .plain, upTo: 16) }
    canvas.write(right, at: area.point(room), width: right.width())
  }

  private var titleEnd: [Span] {
    var spans: [Span] = []
    func reducer(_ name: String, _ sign: Span) -> [Span] {
      [Span("reducer: \(SafeText.truncated(name, to: 24)) ", .quiet), sign]
    }
    switch state.host.status {
    case .none: spans.append(Span("no reducer  ", .quiet))
    case .starting(let name): spans += reducer(name, Span("○  ", .quiet))
    case .ready(let name):
      spans += reducer(name, Span(state.forks.running == nil ? "●  " : "◐  ", .added))
    case .down(let name, _): spans += reducer(name, Span("✗  ", .failure))
    }
    if state.host.isOld { spans.append(Span("rebuilt  ", .warning)) }
    if state.session.isMoved { spans.append(Span("file moved  ", .warning)) }
    switch state.reading.life {
    case .growing: spans.append(Span("growing  ", .added))
    case .resting, .ended: break
    }
    if state.isFileChanged { spans.append(Span("file changed  ", .warning)) }
    let standing = state.row?.standing.map { standing in
      var shown = standing
      if standing.values == state.doubtOfAll { shown.values = .recorded }
      return Span("\(shown.words) ", standing.role)
    }
    let isComputed = state.moment?.isComputed ?? (state.session.statesBy != nil)
    let isGone = state.reading.life == .ended && state.moment?.trouble != nil
    let own =
      isGone
      ? "gone " : state.row?.isLost == true ? "lost " : isComputed ? "computed " : "recorded "
    let shared = state.branch.script.map { "shared with \(state.name(of: $0.parent)) " } ?? own
    return spans + [standing ?? Span(shared, .quiet)]
  }
}
