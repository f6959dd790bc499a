import SessionWords
import TimeTravel

extension PaneWriter {
  mutating func writeEffects(of moment: Moment) {
    let here = moment.position.step
    var sections: [(String, [EffectSpan])] = []
    if case .effect(let number) = moment.step.cause {
      sections.append(("sent this action", moment.effects.filter { $0.number == number }))
    }
    let shown = Set(sections.flatMap { $0.1.map(\.number) })
    let others = moment.effects.filter { !shown.contains($0.number) }
    sections.append(("started here", others.filter { $0.origin.step == here }))
    sections.append(
      ("ended here", others.filter { $0.origin.step != here && $0.end?.step == here }))
    sections.append(("in flight", others.filter { $0.origin.step != here && $0.end?.step != here }))
    for (title, spans) in sections where !spans.isEmpty {
      add(title, .heading)
      for span in spans { add(row(span, moment)) }
    }
    let hasQueries = writeQueries(of: moment)
    let count = moment.effects.count
    let inFlight = moment.inFlight.count
    if count == 0, hasQueries { return }
    if count == 0 { return remark("No effect started, ended or ran here.") }
    content.footer =
      counted(count, "effect") + (inFlight > 0 ? ", \(grouped(inFlight)) in flight" : "")
  }

  private func row(_ span: EffectSpan, _ moment: Moment) -> PaneRow {
    let isUnanswered = moment.unanswered.contains(span.number)
    var spans =
      [Span(span.name, .plain), Span("  ", .quiet)] + span.life(isUnanswered: isUnanswered)
    if span.end != nil,
      moment.assumptions.contains(where: { $0.kind == .open && $0.effect == span.number })
    {
      spans.append(Span("  may have sent something before", .warning))
    }
    var row = PaneRow(spans, indent: 1)
    row.name(SourceLine(span.origin))
    row.step = span.origin.step
    if moment.inFlight.contains(where: { $0.number == span.number }) { row.effect = span.number }
    if span.end == nil { row.sign = Span(isUnanswered ? "?" : "!", .warning) }
    return row
  }
}

extension EffectSpan {
  func life(isUnanswered: Bool) -> [Span] {
    let start = Span(
      (origin.isFromOutside ? "after " : "") + "\(grouped(origin.step)) → ", .quiet)
    guard let end else {
      return [
        start, Span("…", .quiet), Span("  " + (isUnanswered ? "unanswered" : endWords), .warning),
      ]
    }
    var spans = [start, Span("\(grouped(end.step))", .quiet)]
    if let started, let time = end.time {
      spans.append(Span("  \((time - started).shortText)", .quiet))
    }
    let words = end.manner == .finished && answersFailure ? "✗ failed" : endWords
    return spans + [Span("  \(words)", look.role)]
  }

  /// Urgent ones failed or never ended.
  var look: (sign: String, role: Span.Role, isUrgent: Bool) {
    switch end?.manner {
    case .finished: answersFailure ? ("✗", .failure, true) : ("┤", .added, false)
    case .cancelled: ("×", .quiet, false)
    case .failed: ("✗", .failure, true)
    case nil: ("▸", .warning, true)
    }
  }
}
