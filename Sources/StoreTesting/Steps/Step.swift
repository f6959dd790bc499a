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

  enum Content {
    case send(Action)
    case receive(Action, from: EffectSource?)
    case end(EffectSource)
  }

  let content: Content
  let place: SourcePlace
  let update: ((inout State) throws -> Void)?

  /// `update` gets the state before and makes it equal to the state after; it is left out where
  /// nothing is expected to change. Where effects are ``TestEffects/byHand``, what is received names
  /// the one that sends it.
  public init(
    _ kind: Kind, _ action: Action, from source: EffectSource? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ update: ((inout State) throws -> Void)? = nil
  ) {
    switch kind {
    case .send: content = .send(action)
    case .receive: content = .receive(action, from: source)
    }
    self.update = update
    place = SourcePlace(fileID, filePath, line)
  }

  /// An effect that is ``TestEffects/byHand`` ends, and sends nothing more.
  public init(
    end source: EffectSource,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    content = .end(source)
    update = nil
    place = SourcePlace(fileID, filePath, line)
  }
}
