import SessionLog

extension Standing {
  /// Two cells: how the re-run went, and where the values come from.
  package var glyphs: String { outcome.glyph + values.glyph }

  /// `assumed, different`
  package var words: String { "\(values.rawValue), \(outcome.rawValue)" }

  /// The same as a sentence for somebody who sees it the first time.
  package var sentence: String { "\(values.meaning); \(outcome.meaning)" }

  var role: Span.Role {
    switch outcome {
    case .crashed, .timedOut, .undecodable: .failure
    case .different: .warning
    case .new: .added
    case .equal: values == .recorded ? .quiet : values.areKnown ? .plain : .warning
    }
  }
}

extension Standing.Values {
  var glyph: String {
    switch self {
    case .recorded: " "
    case .assumed: "?"
    case .open: "…"
    case .edited: "*"
    }
  }

  var meaning: String {
    switch self {
    case .recorded: "from recorded values"
    case .assumed: "rests on an assumed value"
    case .open: "rests on the silence of an effect that may speak"
    case .edited: "rests on an edit"
    }
  }
}

extension Assumption {
  /// The effect that it is about.
  var effect: Int? { if case .effect(let effect) = subject { effect } else { nil } }
}

extension BranchReport {
  /// What the branch rests on, and how to settle the first of it; nil when all is known.
  var doubt: String? {
    let unknown = assumptions.filter { !$0.kind.values.areKnown }
    guard let first = unknown.first else { return nil }
    let more = unknown.count > 1 ? " (and \(grouped(unknown.count - 1)) more)" : ""
    return "\(first.kind.rawValue) from \(grouped(first.step)): \(first.sentence)\(more). "
      + first.settling
  }
}

extension Standing.Outcome {
  var glyph: String {
    switch self {
    case .equal: "="
    case .different: "≠"
    case .new: "+"
    case .undecodable: "¿"
    case .crashed: "✗"
    case .timedOut: "T"
    }
  }

  var meaning: String {
    switch self {
    case .equal: "the re-run did as recorded"
    case .different: "the re-run did something else than recorded"
    case .new: "new: nothing to compare with"
    case .undecodable: "does not decode"
    case .crashed: "the reducer crashed"
    case .timedOut: "the reducer did not return in time"
    }
  }
}
