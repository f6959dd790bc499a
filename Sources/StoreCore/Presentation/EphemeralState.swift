/// A state that is gone after its first action, as an alert is.
public protocol EphemeralState {}

/// Whether the state is ephemeral, or an enum in a case that holds one.
func isEphemeral(_ state: Any) -> Bool {
  if state is any EphemeralState { return true }
  let mirror = Mirror(reflecting: state)
  guard mirror.displayStyle == .enum, let payload = mirror.children.first?.value else {
    return false
  }
  return payload is any EphemeralState
}
