import SessionWords

extension Standing {
  /// Two cells: how the re-run went, and where the values come from.
  package var glyphs: String { outcome.glyph + values.glyph }

  /// `differs: your edit`
  package var words: String {
    values == .recorded ? outcome.words : "\(outcome.words): \(values.words)"
  }

  /// The same as a sentence for somebody who sees it the first time.
  package var sentence: String { "\(outcome.meaning); \(values.meaning)" }

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

  var words: String {
    switch self {
    case .recorded: "recorded values"
    case .assumed: "a guess"
    case .open: "an open answer"
    case .edited: "your edit"
    }
  }

  var meaning: String {
    switch self {
    case .recorded: "all it used was recorded"
    case .assumed: "it used a value that nobody recorded for this: a guess"
    case .open: "an effect that may speak here has no answer yet"
    case .edited: "it comes of your edit"
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

  var words: String {
    switch self {
    case .equal: "as recorded"
    case .different: "differs"
    case .new: "new step"
    case .undecodable: "does not decode"
    case .crashed: "crashed"
    case .timedOut: "did not return"
    }
  }

  var meaning: String {
    switch self {
    case .equal: "run again, this step did as recorded"
    case .different: "run again, this step did something else than recorded"
    case .new: "this step is new: nothing recorded stands beside it"
    case .undecodable: "the reducer's program cannot read this action"
    case .crashed: "the reducer crashed"
    case .timedOut: "the reducer did not return in time"
    }
  }
}
