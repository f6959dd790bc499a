import StoreCore
import StoreTesting
import ValueTree

/// Expects a condition to hold for a state: one of those that `retcon find` and `retcon check` take, about
/// `state` alone.
///
/// ```swift
/// try expectHolds("state.total >= 0", store.state)
/// ```
public func expectHolds(
  _ rule: String, _ state: some Encodable,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) throws {
  let condition = try Condition(rule)
  let value = try ValueEncoder().encode(state)
  guard try !condition.holds(for: ["state": value]) else { return }
  let places = (condition.paths(in: "state") ?? []).map { place in
    "\nstate\(place) is \(value[place]?.text() ?? "not there")"
  }
  FailureReporter.current.report(
    Failure(
      "The rule does not hold: \(rule)\n" + places.joined(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1)))
}
