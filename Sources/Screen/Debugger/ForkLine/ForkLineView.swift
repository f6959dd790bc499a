import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension Painter {
  /// The list above the line of `:fork`, and what Enter does.
  mutating func draw(_ line: ForkLine) {
    let size = canvas.size
    guard size.height > 8 else { return }
    let choices = line.choices
    let width = min(size.width, 110)
    let below = words(below: line, width: width - 4)
    let room = max(1, min(14, size.height - 5 - below.count))
    let empty = line.emptyWords
    let rows = min(choices.isEmpty ? (empty == nil ? 0 : 1) : choices.count, room)
    let height = rows + below.count + 2
    let frame = Rectangle(
      column: 0, row: size.height - 1 - height, width: width, height: height)
    let step = grouped(line.position.step)
    let name = state.name(of: line.position.branch)
    let title =
      line.isNew ? "new fork at step \(step) of \(name)" : "change \(name) at step \(step)"
    let keys = " · `↑` `↓` `Tab` take, `Enter` runs, `Esc` back"
    box(frame, title + state.input.keys.words(keys, in: [KeyTable.prompt])) {
      let (top, bottom) = $0.canvas.bounds.split(top: rows)
      if let empty { $0.canvas.write([empty], at: top.origin, width: top.width) }
      $0.drawList(choices.count, selected: line.selected, in: top) {
        $0.draw(choices[$1], at: $2)
      }
      for (row, spans) in below.enumerated() {
        $0.canvas.write(spans, at: bottom.point(0, row), width: bottom.width)
      }
    }
  }

  private mutating func draw(_ choice: ForkChoice, at place: Rectangle) {
    let origin = choice.origin.isEmpty ? "" : "  \(choice.origin)"
    let room = max(0, place.width - SafeText.width(origin))
    let gap = choice.origin.isEmpty ? "  " : " "
    let note = choice.note.isEmpty ? "" : gap + choice.note
    let end = canvas.write(
      [Span(choice.title), Span(note, .quiet)], at: place.origin, width: room)
    canvas.write(
      [Span(origin, .quiet)], at: Point(column: end, row: place.top), width: place.width - room)
  }

  private func words(below line: ForkLine, width: Int) -> [[Span]] {
    if let problem = line.problem {
      return problem.wrapped(to: width).prefix(4).map { [Span($0, .failure)] }
    }
    if line.isSubmitted, line.checking != nil {
      return [[Span("asking the reducer whether this is possible …", .quiet)]]
    }
    guard let edits = line.coming, let first = edits.first else { return [] }
    let script = Script(making: edits, at: line.position)
    var preview = Branch("preview", script: script, steps: 0...0)
    for effect in line.effects { preview.effectNames[effect.number] = effect.name }
    let words = EditWords(branch: preview, branches: state.branches) {
      state.reading.pages[line.position.branch, $0]?.label
    }
    var spans = [Span("▸ ", .added)]
    for index in edits.indices {
      spans += (index > 0 ? [Span(", ", .quiet)] : []) + words.spans(ofEdit: index)
    }
    if case .set(_, let place, _) = first, let old = line.state?[place] {
      spans.append(Span("  was \(ValuePreview.text(old, limit: 40))", .quiet))
    }
    return [spans, [note(below: line, edits)]]
  }

  /// The words about the next part of the edit, or about its doubt.
  private func note(below line: ForkLine, _ edits: [Edit]) -> Span {
    if line.checked?.edits == edits {
      switch line.checked?.outcome {
      case .doubt(let words): return Span(words, .warning)
      case .isThere: return Span("  nothing changes: it is so already", .quiet)
      case .fine, .problem, nil: break
      }
    }
    let later =
      (state[branch: line.position.branch]?.steps.upperBound ?? 0) - line.position.step
    if later <= 0 { return Span("  the fork ends there: this is the last step", .quiet) }
    return Span(
      line.words.stops
        ? "  the fork ends there"
        : "  then \(counted(later, "later step")) \(later == 1 ? "runs" : "run") again",
      .quiet)
  }
}

extension ForkLine {
  /// Why nothing is offered; nil if the text says all itself.
  fileprivate var emptyWords: Span? {
    guard choices.isEmpty, coming == nil, problem == nil else { return nil }
    if words.known == .answer, isAsking {
      return Span("asking the reducer what was recorded …", .quiet)
    }
    if words.known == .answer, let trouble { return Span(trouble, .warning) }
    if mustWait { return Span("looking for recorded actions …", .quiet) }
    return hint.map { Span($0, .warning) }
  }
}
