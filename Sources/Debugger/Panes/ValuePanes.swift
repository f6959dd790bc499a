import SessionWords
import TimeTravel
import ValueTree

enum StatePane {
  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    guard let state = moment.state else {
      return PaneContent(rows: PaneRow.noState(moment, width: width))
    }
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
    var outline = Outline(folds: folds, changed: changed, width: width)
    outline.add(state)
    let isArray = if case .array = state { true } else { false }
    return PaneContent(
      rows: outline.rows,
      footer: state.childCount == 0 ? "" : counted(state.childCount, isArray ? "element" : "field"))
  }
}

enum ActionPane {
  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    let step = moment.step
    guard step.number > 0 || !step.label.isEmpty else {
      return PaneContent(rows: [.note("The session starts here: no action.")])
    }
    var rows = [PaneRow([Span(step.label, .heading)]), cause(of: moment)]
    if step.isSkipped {
      rows.append(PaneRow([Span("skipped: the state did not change", .warning)]))
    }
    func add(_ text: String, _ role: Span.Role) {
      rows += PaneRow.lines(text, role, width: width)
    }
    if let error = step.error { add("✗ \(error)", .failure) }
    if let standing = moment.standing {
      add("\(standing.glyphs) \(standing.sentence)", standing.role)
    }
    rows += assumptions(moment.assumptions, width: width)
    for remark in moment.remarks { add(remark, .warning) }
    rows.append(PaneRow([]))
    var outline = Outline(folds: folds, width: width)
    outline.add(step.action)
    rows += outline.rows
    if let stack = step.stack {
      rows += [PaneRow([]), .note("Sent from")]
      for call in stack.split(separator: "\n") { add("  \(call.drop { $0 == " " })", .quiet) }
    }
    return PaneContent(rows: rows)
  }

  static func cause(of moment: Moment) -> PaneRow {
    var row: PaneRow
    switch moment.step.cause {
    case .user where !moment.knowsCause: return .note("the file does not say what sent it")
    case .user: return .note("sent by the user")
    case .output(let source):
      row = PaneRow([Span("sent by the reducer at step ", .quiet), Span("\(source)", .place)])
      row.step = source
    case .effect(let number):
      let effect = moment.effects.first { $0.number == number }
      row = PaneRow([
        Span("⚡ sent by ", .quiet), Span(effect?.name ?? EffectEvent.words(number), .plain),
      ])
      guard let effect else { break }
      row.spans += [Span(", started at step ", .quiet), Span("\(effect.origin.step)", .place)]
      row.step = effect.origin.step
      row.name(SourceLine(effect.origin))
    }
    return row
  }

  private static func assumptions(_ assumptions: [Assumption], width: Int) -> [PaneRow] {
    let shown = assumptions.prefix(mostAssumptions)
    var rows = shown.flatMap { assumption -> [PaneRow] in
      let from = "\(assumption.kind.values.glyph) from step \(grouped(assumption.step)):"
      let lines =
        PaneRow.lines("\(from) \(assumption.sentence)", .warning, width: width)
        + PaneRow.lines("  → \(assumption.settling)", .quiet, width: width)
      return lines.map { line in
        var line = line
        line.step = assumption.step
        line.effect = assumption.effect
        return line
      }
    }
    if assumptions.count > shown.count {
      rows.append(.note("and \(counted(assumptions.count - shown.count, "assumption")) more"))
    }
    return rows
  }

  private static let mostAssumptions = 5
}

enum ReadsPane {
  static let inReducer = "reducer"

  static func content(_ moment: Moment, folds: Folds, width: Int) -> PaneContent {
    var rows: [PaneRow] = []
    if !moment.step.reads.isEmpty {
      rows.append(.heading("in the reducer"))
      rows += list(moment.step.reads, folds: folds, width: width, prefix: inReducer)
    }
    if !moment.effectReads.isEmpty {
      rows.append(.heading("in the effect that sent the action"))
      rows += list(moment.effectReads, folds: folds, width: width, prefix: "effect")
    }
    if rows.isEmpty { rows = [.note("No dependency was read here.")] }
    let count = moment.step.reads.count + moment.effectReads.count
    return PaneContent(rows: rows, footer: count == 0 ? "" : counted(count, "read"))
  }

  private static func list(
    _ reads: [Read], folds: Folds, width: Int, prefix: String
  ) -> [PaneRow] {
    var outline = Outline(folds: folds, width: width)
    for (index, read) in reads.enumerated() {
      let path = ValuePath([.key(prefix), .index(index)])
      let name = Question(read).text.shortened(to: max(12, width / 2))
      let shown = read.outcome.isError ? Span("✗ \(name)", .failure) : Span(name, .key)
      outline.add(read.outcome.content, name: shown, at: path, indent: 1)
    }
    return outline.rows
  }
}
