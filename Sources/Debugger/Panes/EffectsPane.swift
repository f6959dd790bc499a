import SessionWords
import TimeTravel

enum EffectsPane {
  static func content(_ moment: Moment, width: Int) -> PaneContent {
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
    var rows: [PaneRow] = []
    for (title, spans) in sections where !spans.isEmpty {
      rows.append(.heading(title))
      rows += spans.map { row($0, moment) }
    }
    if rows.isEmpty { rows = [.note("No effect started, ended or ran here.")] }
    let count = moment.effects.count
    let inFlight = moment.inFlight.count
    return PaneContent(
      rows: rows,
      footer: count == 0
        ? "" : counted(count, "effect") + (inFlight > 0 ? ", \(grouped(inFlight)) in flight" : ""))
  }

  private static func row(_ span: EffectSpan, _ moment: Moment) -> PaneRow {
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
    let start = Span("\(grouped(origin.step)) → ", .quiet)
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
    return spans + [Span("  \(words)", role)]
  }

  package var endWords: String {
    switch end?.manner {
    case .finished: answersFailure ? "✗ answered with a failure" : "finished"
    case .cancelled: "cancelled"
    case .failed(let reason): "✗ \(reason)"
    case nil: "never ended"
    }
  }
}
