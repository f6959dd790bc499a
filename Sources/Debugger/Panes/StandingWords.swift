import SessionLog

extension Standing {
  /// Two cells: how the re-run went, and where the values come from.
  public var glyphs: String { outcome.glyph + values.glyph }

  /// `assumed, different`
  public var words: String { "\(values.rawValue), \(outcome.rawValue)" }

  /// The same as a sentence for somebody who sees it the first time.
  public var sentence: String { "\(values.meaning); \(outcome.meaning)" }

  var role: Span.Role {
    switch outcome {
    case .crashed, .timedOut, .undecodable: .failure
    case .different, .orphaned, .unanswered: .warning
    case .new: .added
    case .equal: values == .recorded ? .quiet : .plain
    }
  }
}

extension Standing.Values {
  var glyph: String {
    switch self {
    case .recorded: " "
    case .assumed: "?"
    case .edited: "*"
    }
  }

  var meaning: String {
    switch self {
    case .recorded: "from recorded values"
    case .assumed: "rests on an assumed value"
    case .edited: "rests on an edit"
    }
  }
}

extension Standing.Outcome {
  var glyph: String {
    switch self {
    case .equal: "="
    case .different: "≠"
    case .new: "+"
    case .orphaned: "o"
    case .unanswered: "…"
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
    case .orphaned: "left out: its cause did not happen here"
    case .unanswered: "an effect waits for an answer"
    case .undecodable: "does not decode"
    case .crashed: "the reducer crashed"
    case .timedOut: "the reducer did not return in time"
    }
  }
}
