import StoreCore
import StoreTesting
import ValueTree

/// The recorded state in a test that goes through a session, whatever store it uses.
public struct RecordedState<State: Codable>: Sendable {
  private var value: Value

  /// The state before the first step, as JSON.
  public init(_ json: String) throws { value = try Value(parsing: Array(json.utf8)) }

  /// The recorded state.
  public func decoded() throws -> State { try ValueDecoder().decode(State.self, from: value) }

  /// Changes the recorded state by RFC 6902 operations, and expects this state to equal it.
  public mutating func expect(
    _ state: State, after changes: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws {
    for change in changes {
      value = try Patch(Value(parsing: Array(change.utf8))).applied(to: value)
    }
    let actual = try ValueEncoder().encode(state)
    guard !actual.isExactlyEqual(to: value) else { return }
    FailureReporter.current.report(
      Failure(
        "The state is not the recorded one; recorded → actual:\n"
          + Difference(from: value, to: actual).description,
        place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)))
  }
}
