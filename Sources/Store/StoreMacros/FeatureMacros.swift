@_exported import StoreCore

/// Writes the case paths of an enum, as shown at `CasePathable`.
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
public macro CasePaths() = #externalMacro(module: "StoreMacrosPlugin", type: "CasePathsMacro")

/// Does what ``CasePaths()`` does, under the name of the Composable Architecture.
@attached(member, names: named(AllCasePaths), named(allCasePaths))
@attached(extension, conformances: CasePathable)
public macro CasePathable() = #externalMacro(module: "StoreMacrosPlugin", type: "CasePathsMacro")

/// Writes the boilerplate of a feature.
///
/// On a struct: the `Reducer` conformance, the case paths of its actions, the table of the
/// properties they set, and a missing state, action or body.
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
/// On an enum of features: `State` and `Action` with a case for each, and the reducer that runs the
/// current one. A case with an `AlertState` has its buttons' actions. A case with several values,
/// a label or ``ReducerCaseIgnored()`` is a value without actions.
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
@attached(member, names: named(State), named(Action), named(reducer), named(body), named(init))
@attached(memberAttribute)
@attached(extension, conformances: Reducer, Sendable)
public macro Reducer() = #externalMacro(module: "StoreMacrosPlugin", type: "ReducerMacro")

/// Makes an enum of features a reducer, whose `State` and `Action` get these conformances.
///
/// ```swift
/// @Reducer(state: .codable, .equatable, action: .codable)
/// enum Destination {
///   case alert(AlertState<Alert>)
///   case editor(Editor)
///
///   enum Alert { case confirmed }
/// }
/// ```
@attached(member, names: named(State), named(Action), named(reducer), named(body), named(init))
@attached(memberAttribute)
@attached(extension, conformances: Reducer, Sendable, names: named(_parts))
public macro Reducer(state: FeatureConformance..., action: FeatureConformance...) =
  #externalMacro(module: "StoreMacrosPlugin", type: "ReducerMacro")

/// A protocol that ``Reducer(state:action:)`` lets a state and actions conform to.
public enum FeatureConformance {
  case codable, decodable, encodable, equatable, hashable, sendable
}

/// Gives a public state or action what the compiler infers for types that are not public: ``Reducer()``
/// puts it there.
@attached(member, names: named(init))
@attached(memberAttribute)
@attached(extension, conformances: Sendable)
public macro FeaturePart() = #externalMacro(module: "StoreMacrosPlugin", type: "FeaturePartMacro")

/// Makes another public type in a feature `Sendable`: ``Reducer()`` puts it there.
@attached(extension, conformances: Sendable)
public macro SendablePart() = #externalMacro(module: "StoreMacrosPlugin", type: "ConformanceMacro")

/// Makes the actions of an alert's buttons `Codable`: ``Reducer(state:action:)`` puts it there.
@attached(extension, conformances: Decodable, Encodable)
public macro CodablePart() = #externalMacro(module: "StoreMacrosPlugin", type: "ConformanceMacro")

/// Makes the actions of an alert's buttons `Equatable`: ``Reducer(state:action:)`` puts it there.
@attached(extension, conformances: Equatable)
public macro EquatablePart() = #externalMacro(module: "StoreMacrosPlugin", type: "ConformanceMacro")

/// Writes the list for `BindableState`: all visible, settable properties whose type is `Codable`,
/// `Equatable` and `Sendable`.
///
/// ``Reducer()`` adds it to the state of a feature whose actions are a `BindableAction`.
@attached(member, names: named(bindings))
@attached(extension, conformances: BindableState)
public macro BindableState() =
  #externalMacro(module: "StoreMacrosPlugin", type: "BindableStateMacro")

/// Completes a handwritten state of an enum of features; `@Reducer` on the enum adds it.
@attached(member, names: named(reducer))
@attached(extension, conformances: CaseReducerState)
public macro CaseReducerState<Feature>() =
  #externalMacro(module: "StoreMacrosPlugin", type: "CaseReducerStateMacro")

/// Marks a case of an enum of features that holds a value, although it looks like a feature.
@attached(peer)
public macro ReducerCaseIgnored() =
  #externalMacro(module: "StoreMacrosPlugin", type: "ReducerCaseIgnoredMacro")

/// Does nothing, because no view layer observes states here. It lets existing features compile.
@attached(peer)
public macro ObservableState() =
  #externalMacro(module: "StoreMacrosPlugin", type: "ReducerCaseIgnoredMacro")
