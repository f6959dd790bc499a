import StoreCore

/// One line of a script for ``assert(initialValue:reducer:withDependencies:fileID:filePath:line:steps:)``.
public struct Step<State, Action> {
  /// What happens in a step.
  public enum Kind: Sendable {
    /// The user does something.
    case send
    /// An effect, or the reducer itself, sends something.
    case receive
  }

  let kind: Kind
  let action: Action
  let place: SourcePlace
  let update: ((inout State) throws -> Void)?

  /// `update` gets the state before and makes it equal to the state after; it is left out where
  /// nothing is expected to change.
  public init(
    _ kind: Kind, _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ update: ((inout State) throws -> Void)? = nil
  ) {
    self.kind = kind
    self.action = action
    self.update = update
    place = SourcePlace(fileID, filePath, line)
  }
}
