import ComposableArchitecture
import SessionLog

/// Encoded as its text, without its look.
extension ComposableArchitecture.TextState: Swift.Encodable, Swift.Decodable,
  SessionLog.CopiedOnWrite
{
  public static var heldTypes: [Any.Type] { [] }

  public func encode(to encoder: any Encoder) throws {
    try String(state: self).encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws { self.init(verbatim: try String(from: decoder)) }
}

private struct Shown<Action> {
  var title: ComposableArchitecture.TextState
  var titleVisibility: String?
  var message: ComposableArchitecture.TextState?
  var buttons: [ComposableArchitecture.ButtonState<Action>]
}

extension Shown: Encodable where Action: Encodable {}
extension Shown: Decodable where Action: Decodable {}

/// `{"title":"Delete?","buttons":[{"label":"Yes","role":"destructive","action":"deleteConfirmed"}]}`
extension ComposableArchitecture.AlertState: Swift.Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try Shown(title: title, message: message, buttons: buttons).encode(to: encoder)
  }
}

extension ComposableArchitecture.AlertState: Swift.Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let shown = try Shown<Action>(from: decoder)
    self.init(title: { shown.title })
    (message, buttons) = (shown.message, shown.buttons)
  }
}

extension ComposableArchitecture.ConfirmationDialogState: Swift.Encodable
where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let visibility = "\(titleVisibility)"
    try Shown(title: title, titleVisibility: visibility, message: message, buttons: buttons)
      .encode(to: encoder)
  }
}

extension ComposableArchitecture.ConfirmationDialogState: Swift.Decodable
where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let shown = try Shown<Action>(from: decoder)
    switch shown.titleVisibility {
    case "hidden": self.init(titleVisibility: .hidden, title: { shown.title })
    case "visible": self.init(titleVisibility: .visible, title: { shown.title })
    default: self.init(title: { shown.title })
    }
    (message, buttons) = (shown.message, shown.buttons)
  }
}

private struct ShownButton<Action> {
  var label: ComposableArchitecture.TextState
  var role: String?
  var action: Action?
}

extension ShownButton: Encodable where Action: Encodable {}
extension ShownButton: Decodable where Action: Decodable {}

extension ComposableArchitecture.ButtonState: Swift.Encodable where Action: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let role = role.map { "\($0)" }
    try ShownButton(label: label, role: role, action: action.action).encode(to: encoder)
  }
}

extension ComposableArchitecture.ButtonState: Swift.Decodable where Action: Decodable {
  public init(from decoder: any Decoder) throws {
    let shown = try ShownButton<Action>(from: decoder)
    self.init(
      role: shown.role.map { $0 == "cancel" ? .cancel : .destructive },
      action: .send(shown.action), label: { shown.label })
  }
}

extension ComposableArchitecture.AlertState: SessionLog.CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [Action.self] }
}

extension ComposableArchitecture.ConfirmationDialogState: SessionLog.CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [Action.self] }
}
