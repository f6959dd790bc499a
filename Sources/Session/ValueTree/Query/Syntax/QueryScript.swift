extension Condition {
  /// The condition as an expression in JavaScript about `root`, an object with the words as keys. It
  /// calls functions that the test defines.
  package var javaScript: String { expression.script("root") }
}

extension LogicalExpression {
  /// `current` names the value that `@` stands for.
  fileprivate func script(_ current: String) -> String {
    switch self {
    case .any(let parts): return "(\(parts.map { $0.script(current) }.joined(separator: " || ")))"
    case .all(let parts): return "(\(parts.map { $0.script(current) }.joined(separator: " && ")))"
    case .not(let inner): return "!\(inner.script(current))"
    case .exists(let query): return "(\(query.script(current)).length > 0)"
    case .isTrue(let query):
      let word = query.isRule ? "isKept" : "isTrue"
      return "\(query.script(current)).some(\(word))"
    case .comparison(let left, let symbol, let right):
      let sign = [.equal: "===", .notEqual: "!=="][symbol] ?? symbol.rawValue
      return "(order(\(left.script(current)), \(right.script(current))) \(sign) 0)"
    case .matches(let text, let source, let whole):
      return "isMatch(\(text.script(current)), \(source.script(current)), \(whole))"
    case .elements(let test, let query): return "\(test.script)(\(query.script(current)))"
    // A test knows one step, and is not written for conditions about several.
    case .neighbour: return "undefined"
    }
  }
}

extension ElementTest {
  fileprivate var script: String { self == .unique ? "areUnique" : "areSorted" }
}

extension PatternSource {
  fileprivate func script(_ current: String) -> String {
    switch self {
    case .written(let pattern): Value.string(pattern.text).text()
    case .invalid: "undefined"
    case .found(let comparand): comparand.script(current)
    }
  }
}

extension Comparand {
  fileprivate func script(_ current: String) -> String {
    switch self {
    case .literal(let literal): literal.value.text()
    case .single(let query): "\(query.script(current))[0]"
    case .length(let inner): "length(\(inner.script(current)))"
    case .count(let query): "\(query.script(current)).length"
    case .value(let query): "only(\(query.script(current)))"
    case .sum(let query): "sum(\(query.script(current)))"
    }
  }
}

extension InnerQuery {
  fileprivate func script(_ current: String) -> String {
    let picks = segments.map { segment in
      var picks = segment.selectors.map(\.script)
      if case .descendants = segment { picks.insert("inside", at: 0) }
      return ", [\(picks.joined(separator: ", "))]"
    }
    return "find(\(origin == .root ? "root" : current)\(picks.joined()))"
  }
}

extension QuerySelector {
  fileprivate var script: String {
    switch self {
    case .name(let name): "key(\(Value.string(name).text()))"
    case .index(let index): "item(\(index))"
    case .wildcard: "children"
    case .slice(let slice):
      "slice(\(slice.start?.description ?? "undefined"), "
        + "\(slice.end?.description ?? "undefined"), \(slice.step))"
    case .filter(let filter): "where((it) => \(filter.script("it")))"
    }
  }
}
