import TimeTravel

/// What a search in the background looks for.
enum SearchTarget: Sendable, Hashable {
  case step(StepFinder, Search.Direction)
  case difference(from: String)
  case forks(ForkSearchState.Kind, progress: String? = nil)

  /// The words after “Looking for the”.
  var words: String {
    switch self {
    case .step(let finder, .forward): "next \(finder.words)"
    case .step(let finder, .backward): "previous \(finder.words)"
    case .difference(let other): "step that differs from “\(other)”"
    case .forks(let kind, let progress): kind.words + (progress.map { " (\($0))" } ?? "")
    }
  }

  func isSearch(of kind: ForkSearchState.Kind) -> Bool {
    if case .forks(kind, _) = self { true } else { false }
  }
}

extension ForkSearchState {
  enum Kind: Sendable, Hashable {
    case minimize, why, explore

    var words: String {
      switch self {
      case .minimize: "smallest session"
      case .why: "reason"
      case .explore: "order that breaks it"
      }
    }
  }
}
