import SessionWords
import TimeTravel
import ValueTree

extension PaneWriter {
  mutating func writeState(of moment: Moment) {
    guard let state = moment.state else { return writeNoState(moment) }
    var changed: [ValuePath: Span] = [:]
    for change in moment.difference?.changes ?? [] {
      switch change.kind {
      case .added: changed[change.path] = Span("+", .added)
      case .changed: changed[change.path] = Span("~", .changed)
      case .moved: changed[change.path] = Span("↕", .changed)
      case .removed: break
      }
      var place = change.path
      while !place.isRoot {
        place = place.parent
        if changed[place] == nil { changed[place] = Span("·", .changed) }
      }
    }
    outline(state, changed: changed)
    let isArray = if case .array = state { true } else { false }
    content.footer =
      state.childCount == 0 ? "" : counted(state.childCount, isArray ? "element" : "field")
  }

  mutating func writeAction(of moment: Moment) {
    let step = moment.step
    guard step.number > 0 || !step.label.isEmpty else {
      return remark("The session starts here: no action.")
    }
    add(step.label, .heading)
    writeCause(of: moment)
    if let note, !note.isEmpty { wrap("▲ “\(note)”", .number) }
    if step.isSkipped { add("skipped: the state did not change", .warning) }
    if let error = step.error {
      wrap(step.isNotRun ? error : "✗ \(error)", step.isNotRun ? .warning : .failure)
    }
    if let standing = moment.standing {
      wrap("\(standing.glyphs) \(standing.sentence)", standing.role)
    }
    write(moment.assumptions)
    for remark in moment.remarks { wrap(remark, .warning) }
    add()
    outline(step.action)
    guard let stack = step.stack else { return }
    add()
    remark("Sent from")
    for call in stack.split(separator: "\n") { wrap("  \(call.drop { $0 == " " })", .quiet) }
  }

  private mutating func writeCause(of moment: Moment) {
    switch moment.step.cause {
    case .user, .outside, .unknown: remark(moment.outside.words)
    case .output(let source):
      var row = PaneRow([Span("sent by the reducer at step ", .quiet), Span("\(source)", .place)])
      row.step = source
      add(row)
    case .effect(let number):
      let effect = moment.effects.first { $0.number == number }
      var row = PaneRow([
        Span("⚡ sent by ", .quiet), Span(effect?.name ?? number.words, .plain),
      ])
      if let effect {
        row.spans += [
          Span(", \(effect.origin.startWords) step ", .quiet),
          Span("\(effect.origin.step)", .place),
        ]
        row.step = effect.origin.step
        row.name(SourceLine(effect.origin))
      }
      add(row)
    }
  }

  private mutating func write(_ assumptions: [Assumption]) {
    let shown = assumptions.prefix(5)
    for assumption in shown {
      let sentence = wrap("\(assumption.heading): \(assumption.sentence)", .warning)
      let settling = wrap("  → \(settling(assumption))", .quiet)
      for row in sentence.lowerBound..<settling.upperBound {
        content.rows[row].step = assumption.step
        content.rows[row].effect = assumption.effect
      }
    }
    if assumptions.count > shown.count {
      remark("and \(counted(assumptions.count - shown.count, "assumption")) more")
    }
  }

  static let inReducer = "reducer"

  mutating func writeReads(of moment: Moment) {
    write(moment.step.reads, as: "in the reducer", prefix: Self.inReducer)
    write(moment.effectReads, as: "in the effect that sent the action", prefix: "effect")
    let count = moment.step.reads.count + moment.effectReads.count
    guard count > 0 else {
      let isStale = moment.assumptions.contains { $0.isStaleAnswer(of: moment.step.cause) }
      return remark(
        isStale
          ? "Unknown: the effect may ask something else than it did when it was recorded."
          : "No dependency was read here.")
    }
    content.footer = counted(count, "read")
  }

  private mutating func write(_ reads: [Read], as title: String, prefix: String) {
    if !reads.isEmpty { add(title, .heading) }
    for (index, read) in reads.enumerated() where content.rows.count < Outline.mostRows {
      let path = ValuePath([.key(prefix), .index(index)])
      let name = Question(read).text.shortened(to: max(12, width / 2))
      let shown = read.outcome.isError ? Span("✗ \(name)", .failure) : Span(name, .key)
      outline(read.outcome.content, shown, at: path, indent: 1)
    }
  }
}
