#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// `SwiftNavigation`, which the library exports.

public struct TextState: Equatable, Hashable, Sendable {
  let text: String

  public init(verbatim content: String) { text = content }
}

extension String {
  public init(state: TextState, locale _: Locale? = nil) { self = state.text }
}

public enum ButtonStateRole: Sendable, Equatable { case cancel, destructive }

public struct ButtonStateAction<Action> {
  public let action: Action?

  public static func send(_ action: Action?) -> Self { Self(action: action) }
}

public struct ButtonState<Action>: Identifiable {
  public let id = UUID()
  public let action: ButtonStateAction<Action>
  public let label: TextState
  public let role: ButtonStateRole?

  public init(
    role: ButtonStateRole? = nil, action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    (self.role, self.action, self.label) = (role, action, label())
  }
}

@resultBuilder public enum ButtonStateBuilder<Action> {
  public static func buildBlock(_ buttons: ButtonState<Action>...) -> [ButtonState<Action>] {
    buttons
  }
}

public struct AlertState<Action>: Identifiable {
  public let id = UUID()
  public var buttons: [ButtonState<Action>]
  public var message: TextState?
  public var title: TextState

  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    (self.title, buttons, self.message) = (title(), actions(), message?())
  }
}

public enum ConfirmationDialogStateTitleVisibility: Sendable { case automatic, hidden, visible }

public struct ConfirmationDialogState<Action>: Identifiable {
  public let id = UUID()
  public var buttons: [ButtonState<Action>]
  public var message: TextState?
  public var title: TextState
  public var titleVisibility: ConfirmationDialogStateTitleVisibility

  public init(
    titleVisibility: ConfirmationDialogStateTitleVisibility, title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    (self.title, buttons, self.message) = (title(), actions(), message?())
    self.titleVisibility = titleVisibility
  }

  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.init(titleVisibility: .automatic, title: title, actions: actions, message: message)
  }
}

extension ButtonStateAction: Sendable where Action: Sendable {}
extension ButtonState: Sendable where Action: Sendable {}
extension AlertState: Sendable where Action: Sendable {}
extension ConfirmationDialogState: Sendable where Action: Sendable {}
