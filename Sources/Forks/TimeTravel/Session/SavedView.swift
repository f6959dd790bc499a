import SessionWords
import ValueTree

/// The user's questions about a session, kept beside it for the next time.
package struct SavedView: Sendable, Hashable {
  /// Conditions that should hold.
  package var rules: [String] = []
  /// Rules that name the user's own functions: they wait until the user types them.
  package var waiting: [String] = []
  /// Places of the state.
  package var watches: [String] = []
  package var filter: String?
  /// The condition that was searched last.
  package var search: String?
  /// The debugger writes the changes that undo can take back, and the results of searches.
  package var undo: [Value] = []
  package var results: [Value] = []

  package static let mostChanges = 50
  package static let mostLines = 200

  package init() {}

  /// Takes what fits of a sidecar, which is as untrusted as the session.
  init(_ value: Value) {
    func text(_ value: Value?) -> String? {
      value?.string.flatMap { $0.utf8.count > Self.longest ? nil : $0 }
    }
    func texts(_ value: Value?) -> [String] {
      guard case .array(let array)? = value else { return [] }
      return array.prefix(Self.most).compactMap(text)
    }
    func lines(_ value: Value?) -> [Value] {
      guard case .array(let array)? = value, array.count <= Self.most else { return [] }
      return Array(array)
    }
    (rules, watches) = (texts(value["rules"]), texts(value["watches"]))
    (undo, results) = (lines(value["undo"]), lines(value["results"]))
    (filter, search) = (text(value["filter"]), text(value["search"]))
    waiting = rules.filter(Self.isCode)
    rules.removeAll(where: Self.isCode)
    watches.removeAll(where: Self.isCode)
    if filter.map(Self.isCode) == true { filter = nil }
    if search.map(Self.isCode) == true { search = nil }
  }

  /// Whether a text may name a function. A filter has more words than its condition.
  private static func isCode(_ text: String) -> Bool {
    text.contains("#") && (try? Condition(text))?.code.isEmpty != true
  }

  private static let most = mostChanges
  private static let longest = 2_000

  var value: Value {
    Value.line([
      "rules": Value.array(ValueArray((rules + waiting).map { .string($0) })),
      "watches": Value.array(ValueArray(watches.map { .string($0) })),
      "filter": filter, "search": search,
      "undo": undo.isEmpty ? nil : Value.array(ValueArray(undo)),
      "results": results.isEmpty ? nil : Value.array(ValueArray(results)),
    ])
  }
}
