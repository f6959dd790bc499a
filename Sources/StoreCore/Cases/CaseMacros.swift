/// Lists the paths to the cases of an enum, as ``CasePathable`` has them written by hand.
///
/// ```swift
/// @CasePaths
/// enum Shape {
///   case circle(radius: Int)
///   case empty
/// }
///
/// Shape.circle(radius: 7)[case: \.circle]  // 7
/// ```
@attached(member, names: named(AllCasePaths), named(allCasePaths))
@attached(extension, conformances: CasePathable)
public macro CasePaths() = #externalMacro(module: "StoreMacros", type: "CasePathsMacro")

/// The same as ``CasePaths()``, in the word that people bring along.
@attached(member, names: named(AllCasePaths), named(allCasePaths))
@attached(extension, conformances: CasePathable)
public macro CasePathable() = #externalMacro(module: "StoreMacros", type: "CasePathsMacro")

/// Writes what every feature repeats.
///
/// On a struct: that it is a ``Reducer``, the paths to the cases of its actions, the table of the
/// properties that they set, and a state, actions and a body where it has none.
///
/// ```swift
/// @Reducer
/// struct Counter {
///   struct State: Equatable { var count = 0 }
///   enum Action { case incremented }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, _ in
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
///
/// On an enum of features: its `State` and `Action`, which have a case for each, and the reducer that
/// runs the one that is there. A case that holds an ``AlertState`` has the actions of its buttons; one
/// with several values or a label, or with ``ReducerCaseIgnored()``, is a value without actions.
///
/// ```swift
/// @Reducer
/// enum Destination {
///   case alert(AlertState<Alert>)
///   case editor(Editor)
///
///   enum Alert { case confirmed }
/// }
///
/// Reduce { state, action in .none }
///   .ifLet(\.$destination, action: \.destination)
/// ```
@attached(member, names: named(State), named(Action), named(reducer), named(body))
@attached(memberAttribute)
@attached(extension, conformances: Reducer)
public macro Reducer() = #externalMacro(module: "StoreMacros", type: "ReducerMacro")

/// Lists the properties of a state that views may set, as ``BindableState`` has them written by hand:
/// all that are visible and can be set, and whose type is `Codable`, `Equatable` and `Sendable`.
///
/// ``Reducer()`` puts it on the state of a feature whose actions are a ``BindableAction``.
@attached(member, names: named(bindings))
@attached(extension, conformances: BindableState)
public macro BindableState() = #externalMacro(module: "StoreMacros", type: "BindableStateMacro")

/// Makes a state that is written by hand that of an enum of features: `@Reducer` on the enum puts it
/// there.
@attached(member, names: named(reducer))
@attached(extension, conformances: CaseReducerState)
public macro CaseReducerState<Feature>() =
  #externalMacro(module: "StoreMacros", type: "CaseReducerStateMacro")

/// A case of an enum of features that holds a value, though it looks like a feature.
@attached(peer)
public macro ReducerCaseIgnored() =
  #externalMacro(module: "StoreMacros", type: "ReducerCaseIgnoredMacro")

/// Adds nothing: there is no view layer that observes a state. It stands here so that features that have
/// it compile as they are.
@attached(peer)
public macro ObservableState() =
  #externalMacro(module: "StoreMacros", type: "ReducerCaseIgnoredMacro")

/// A state with a case for each of several features, which knows the reducer of them all.
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
