/// Runs a child's reducer on a part of the parent's state.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   Scope(state: \.counter, action: \.counter) {
///     Counter()
///   }
///   Reduce { state, action in .none }
/// }
/// ```
public struct Scope<ParentState: Sendable, ParentAction: Sendable, Child: Reducer>: Reducer {
  typealias Change =
    @Sendable (inout ParentState, (inout Child.State) -> Effect<Child.Action>) -> Effect<
      Child.Action
    >?

  let child: Child
  let change: Change
  let action: CasePath<ParentAction, Child.Action>
  let part: StatePart
  let place: SourcePlace

  /// Scopes to a property of the state.
  public init<ChildState: Sendable, ChildAction: Sendable>(
    state: any WritableKeyPath<ParentState, ChildState> & Sendable,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Child: Reducer<ChildState, ChildAction>, ParentAction: CasePathable {
    self.child = child()
    self.action = ParentAction.allCasePaths[keyPath: action]
    change = { parent, work in work(&parent[keyPath: state]) }
    part = StatePart(named: ChildPlace<ChildState>(keyPath: state)) { (parent: ParentState) in
      parent[keyPath: state]
    }
    place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Scopes to a case of an enum state: `Scope(case: \.editor, action: \.editor) { Editor() }`.
  public init<ChildState: Sendable, ChildAction: Sendable>(
    case state: CaseKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  )
  where
    Child: Reducer<ChildState, ChildAction>, ParentAction: CasePathable, ParentState: CasePathable
  {
    self.child = child()
    self.action = ParentAction.allCasePaths[keyPath: action]
    let path = ParentState.allCasePaths[keyPath: state]
    change = { parent, work in path.modify(&parent, work) }
    part = StatePart(named: ChildPlace<ChildState>(keyPath: state), path.extract)
    place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Runs the child for its own actions; ignores others.
  public func reduce(
    into state: inout ParentState, action: ParentAction
  ) -> Effect<ParentAction> {
    guard let childAction = self.action.extract(action) else { return .none }
    guard
      let effect = change(&state, { child.reduceNoticing(into: &$0, action: childAction, place) })
    else {
      reportMissingChild(action, in: "another case", place)
      return .none
    }
    return Effect(operation: effect.operation.map(self.action.embed, seenThrough: part))
  }
}

func reportMissingChild(_ action: some Any, in state: String, _ place: SourcePlace) {
  reportIssue(
    """
    An action for a child came while its state was \(state): \(action)
    The child did not get it; its parent did. Either the parent took the child away before its \
    reducer ran, or an effect of the child was still in flight, or somebody sent it too late.
    """, at: place)
}
