/// The short name of an action: the dotted case names of a Swift enum, as far down as actions hold
/// actions.
///
/// `.destination(.presented(.save))` is `destination.presented.save`; in `.filterPicked(.done)` the
/// filter is no action, so it is `filterPicked`. What is no enum is called by its type.
public func actionLabel(_ action: Any) -> String {
  var names: [String] = []
  var action = action
  while names.count < 32 {
    if let labelled = action as? any LabelledAction {
      names.append(labelled.actionLabel)
      break
    }
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { break }
    guard let child = mirror.children.first, let name = child.label else {
      names.append("\(action)")
      break
    }
    names.append(name)
    guard let inner = innerAction(child.value) else { break }
    action = inner
  }
  return names.isEmpty ? "\(type(of: action))" : names.joined(separator: ".")
}

/// An action that is no enum and has a name of its own.
public protocol LabelledAction {
  /// What its label ends with.
  var actionLabel: String { get }
}

/// The action that a payload is, or holds under the name `action`.
private func innerAction(_ payload: Any) -> Any? {
  if payload is any LabelledAction { return payload }
  let mirror = Mirror(reflecting: payload)
  if mirror.displayStyle == .tuple {
    return mirror.children.first { $0.label == "action" }.flatMap { innerAction($0.value) }
  }
  guard mirror.displayStyle == .enum else { return nil }
  let type = "\(type(of: payload))".prefix { $0 != "<" }
  return type.hasSuffix("Action") ? payload : nil
}
