/// An alert as a value: what it says, and which buttons it has.
///
/// ```swift
/// state.alert = AlertState(
///   title: "The wish could not be saved",
///   message: "The service is not there.",
///   buttons: [ButtonState("Try again", action: .retryTapped), .cancel("Leave it")])
/// ```
///
/// Tapping a button sends its action and dismisses the alert.
public struct AlertState<Action: Sendable>: Sendable, EphemeralState {
  /// Its buttons' actions take it away.
  public static var actionType: Any.Type { Action.self }

  /// What it asks or says.
  public var title: String
  /// What stands under the title; nil for nothing.
  public var message: String?
  /// From the first to the last; there may be none.
  public var buttons: [ButtonState<Action>]

  /// A title, and as many buttons as there are.
  public init(title: String, message: String? = nil, buttons: [ButtonState<Action>] = []) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// The same alert, the actions of its buttons turned into others.
  public func map<Other>(_ transform: (Action) -> Other) -> AlertState<Other> {
    AlertState<Other>(
      title: title, message: message,
      buttons: buttons.map { $0.map(transform) })
  }
}

/// A question as a value, with several answers: what an action sheet or a menu shows.
///
/// ```swift
/// state.dialog = ConfirmationDialogState(
///   title: "Discard the draft?",
///   buttons: [ButtonState("Discard", role: .destructive, action: .discardTapped), .cancel("Keep")])
/// ```
///
/// Tapping a button sends its action and dismisses the dialog.
public struct ConfirmationDialogState<Action: Sendable>: Sendable, EphemeralState {
  /// Its buttons' actions take it away.
  public static var actionType: Any.Type { Action.self }

  /// What it asks.
  public var title: String
  /// Whether the title is shown; the system's choice where it is nil.
  public var isTitleVisible: Bool?
  /// What stands under the title; nil for nothing.
  public var message: String?
  /// From the first to the last.
  public var buttons: [ButtonState<Action>]

  /// A title, and as many answers as there are.
  public init(
    title: String, isTitleVisible: Bool? = nil, message: String? = nil,
    buttons: [ButtonState<Action>] = []
  ) {
    self.title = title
    self.isTitleVisible = isTitleVisible
    self.message = message
    self.buttons = buttons
  }

  /// The same dialog, the actions of its buttons turned into others.
  public func map<Other>(_ transform: (Action) -> Other) -> ConfirmationDialogState<Other> {
    ConfirmationDialogState<Other>(
      title: title, isTitleVisible: isTitleVisible, message: message,
      buttons: buttons.map { $0.map(transform) })
  }
}

/// What a button is for, where it is shown apart.
public enum ButtonRole: String, Codable, Sendable {
  /// Leaves things as they are.
  case cancel
  /// What it does cannot be taken back.
  case destructive
}

/// The text of an alert or a button, in the word that people bring along: texts are plain here.
public typealias TextState = String

/// Collects the buttons of an alert.
@resultBuilder
public enum ButtonStateBuilder<Action: Sendable> {
  /// For the compiler: a button in a block.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// For the compiler: buttons one after another.
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    parts.flatMap(\.self)
  }

  /// For the compiler: the buttons of a `for`.
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    parts.flatMap(\.self)
  }

  /// For the compiler: the buttons of an `if` without `else`.
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    part ?? []
  }

  /// For the compiler: the buttons of an `if`.
  public static func buildEither(first: [ButtonState<Action>]) -> [ButtonState<Action>] { first }
  /// For the compiler: the buttons of an `else`.
  public static func buildEither(second: [ButtonState<Action>]) -> [ButtonState<Action>] { second }
}

/// The same in blocks, one after the other.
///
/// ```swift
/// state.alert = AlertState {
///   TextState("Delete all?")
/// } actions: {
///   ButtonState(role: .destructive, action: .confirmed) { TextState("Delete") }
/// } message: {
///   TextState("They cannot be brought back.")
/// }
/// ```
extension AlertState {
  /// Title, buttons and message, each from a block of its own.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: () -> TextState? = { nil }
  ) {
    self.init(title: title(), message: message(), buttons: actions())
  }
}

extension ConfirmationDialogState {
  /// Title, answers and message, each from a block of its own.
  public init(
    titleVisibility isTitleVisible: Bool? = nil, title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: () -> TextState? = { nil }
  ) {
    self.init(
      title: title(), isTitleVisible: isTitleVisible, message: message(), buttons: actions())
  }
}

extension ButtonState {
  /// A button whose text comes from a block.
  public init(role: Role? = nil, action: Action? = nil, label: () -> TextState) {
    self.init(label(), role: role, action: action)
  }
}

/// A button of an alert.
public struct ButtonState<Action: Sendable>: Sendable {
  /// What a button is for.
  public typealias Role = ButtonRole

  /// What stands on it.
  public var label: String
  /// What it is for, where that is shown.
  public var role: Role?
  /// What it sends; nil where it only dismisses.
  public var action: Action?

  /// A button with this text.
  public init(_ label: String, role: Role? = nil, action: Action? = nil) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// The same button, its action turned into another.
  public func map<Other>(_ transform: (Action) -> Other) -> ButtonState<Other> {
    ButtonState<Other>(label, role: role, action: action.map(transform))
  }

  /// A button that does nothing but dismiss.
  public static func cancel(_ label: String) -> ButtonState { ButtonState(label, role: .cancel) }
}

extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Encodable where Action: Encodable {}
extension AlertState: Decodable where Action: Decodable {}
extension ConfirmationDialogState: Equatable where Action: Equatable {}
extension ConfirmationDialogState: Hashable where Action: Hashable {}
extension ConfirmationDialogState: Encodable where Action: Encodable {}
extension ConfirmationDialogState: Decodable where Action: Decodable {}
extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}
extension ButtonState: Encodable where Action: Encodable {}
extension ButtonState: Decodable where Action: Decodable {}
