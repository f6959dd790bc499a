/// A state with a case for each of several features, and their common reducer.
public protocol CaseReducerState: Sendable {
  associatedtype CaseReducer: Reducer where CaseReducer.State == Self
  static var reducer: CaseReducer { get }
}

extension Reducer where Action: CasePathable {
  /// Runs the features of a presented `@Reducer` enum.
  public func ifLet<Child: CaseReducerState, ChildAction: Sendable>(
    _ state: any WritableKeyPath<State, PresentationState<Child>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> PresentationReducer<Self, Child.CaseReducer> where Child.CaseReducer.Action == ChildAction {
    PresentationReducer(
      base: self, child: Child.reducer, state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs the features of a `@Reducer` enum that are on a navigation stack.
  public func forEach<Child: CaseReducerState, ChildAction: Sendable>(
    _ state: any WritableKeyPath<State, StackState<Child>> & Sendable,
    action: CaseKeyPath<Action, StackAction<Child, ChildAction>>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> StackReducer<Self, Child.CaseReducer> where Child.CaseReducer.Action == ChildAction {
    StackReducer(
      base: self, child: Child.reducer, state: state, action: Action.allCasePaths[keyPath: action],
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
