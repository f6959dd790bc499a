/// An alert as a value.
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
  /// The type of its buttons' actions, which dismiss it.
  public static var actionType: Any.Type { Action.self }

  /// The title.
  public var title: String
  /// The text below the title.
  public var message: String?
  /// The buttons, first to last; may be empty.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert.
  public init(title: String, message: String? = nil, buttons: [ButtonState<Action>] = []) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// This alert with its buttons' actions converted.
  public func map<Other>(_ transform: (Action) -> Other) -> AlertState<Other> {
    AlertState<Other>(
      title: title, message: message,
      buttons: buttons.map { $0.map(transform) })
  }
}

/// A question with several answers as a value: an action sheet or a menu.
///
/// ```swift
/// state.dialog = ConfirmationDialogState(
///   title: "Discard the draft?",
///   buttons: [ButtonState("Discard", role: .destructive, action: .discardTapped), .cancel("Keep")])
/// ```
///
/// Tapping a button sends its action and dismisses the dialog.
public struct ConfirmationDialogState<Action: Sendable>: Sendable, EphemeralState {
  /// The type of its buttons' actions, which dismiss it.
  public static var actionType: Any.Type { Action.self }

  /// The question.
  public var title: String
  /// Whether the title shows; nil leaves it to the system.
  public var isTitleVisible: Bool?
  /// The text below the title.
  public var message: String?
  /// The buttons, first to last.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog.
  public init(
    title: String, isTitleVisible: Bool? = nil, message: String? = nil,
    buttons: [ButtonState<Action>] = []
  ) {
    self.title = title
    self.isTitleVisible = isTitleVisible
    self.message = message
    self.buttons = buttons
  }

  /// This dialog with its buttons' actions converted.
  public func map<Other>(_ transform: (Action) -> Other) -> ConfirmationDialogState<Other> {
    ConfirmationDialogState<Other>(
      title: title, isTitleVisible: isTitleVisible, message: message,
      buttons: buttons.map { $0.map(transform) })
  }
}

/// The role of a button.
public enum ButtonRole: String, Codable, Sendable {
  /// Leaves things as they are.
  case cancel
  /// Cannot be undone.
  case destructive
}

/// The text of an alert or a button. Texts are plain here; the name is the Composable
/// Architecture's.
public typealias TextState = String

/// Collects the buttons of an alert.
@resultBuilder
public enum ButtonStateBuilder<Action: Sendable> {
  /// Used by the compiler for a button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }

  /// Used by the compiler for consecutive buttons.
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    parts.flatMap(\.self)
  }

  /// Used by the compiler for a `for`.
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    parts.flatMap(\.self)
  }

  /// Used by the compiler for an `if` without `else`.
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    part ?? []
  }

  /// Used by the compiler for an `if`.
  public static func buildEither(first: [ButtonState<Action>]) -> [ButtonState<Action>] { first }
  /// Used by the compiler for an `else`.
  public static func buildEither(second: [ButtonState<Action>]) -> [ButtonState<Action>] { second }
}

/// The same with builder blocks:
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
  /// Creates an alert from blocks.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: () -> TextState? = { nil }
  ) {
    self.init(title: title(), message: message(), buttons: actions())
  }
}

extension ConfirmationDialogState {
  /// Creates a dialog from blocks.
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
  /// Creates a button with its text in a block.
  public init(role: Role? = nil, action: Action? = nil, label: () -> TextState) {
    self.init(label(), role: role, action: action)
  }
}

/// A button of an alert.
public struct ButtonState<Action: Sendable>: Sendable {
  /// The role of a button.
  public typealias Role = ButtonRole

  /// The text.
  public var label: String
  /// The role, if any.
  public var role: Role?
  /// The action it sends; nil only dismisses.
  public var action: Action?

  /// Creates a button.
  public init(_ label: String, role: Role? = nil, action: Action? = nil) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// This button with its action converted.
  public func map<Other>(_ transform: (Action) -> Other) -> ButtonState<Other> {
    ButtonState<Other>(label, role: role, action: action.map(transform))
  }

  /// A button that only dismisses.
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
