import StoreCore
import StoreTesting
import ValueTree

/// Expects a condition to hold for a state: one of those that `retcon find` and `retcon check` take, about
/// `state`, and about `label` where that of the last action is given. What it asks about other words nobody
/// can answer here, so it fails.
///
/// ```swift
/// try expectHolds("state.total >= 0", store.state)
/// try expectHolds("!(state.isLocked && label == 'typed')", store.state, label: "typed")
/// ```
public func expectHolds(
  _ rule: String, _ state: some Encodable, label: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) throws {
  let condition = try Condition(rule)
  let value = try ValueEncoder().encode(state)
  var words: ValueObject = ["state": value]
  if let label { words["label"] = .string(label) }
  let unknown = condition.paths.compactMap(\.tokens.first).filter { words[$0] == nil }
  guard try !unknown.isEmpty || !condition.holds(for: .object(words)) else { return }
  let places = (condition.paths(in: "state") ?? []).map { place in
    "\nstate\(place) is \(value[place]?.text() ?? "not there")"
  }
  let reason =
    unknown.isEmpty
    ? "The rule does not hold: \(rule)"
    : "The rule asks about \(unknown[0]), which a test does not know: \(rule)"
  FailureReporter.current.report(
    Failure(
      reason + "\n" + places.joined(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1)))
}
