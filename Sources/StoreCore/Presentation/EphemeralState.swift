/// A state that is gone after its first action, as an alert is.
public protocol EphemeralState {}
