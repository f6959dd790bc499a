import ValueTree

/// Converts the values that an older version of the app recorded.
///
/// It gets every state and action as a value before decoding; the result counts as recorded. Return
/// unchanged values as they are:
///
/// ```swift
/// let upgrade = SessionUpgrade(
///   state: { state, _ in
///     var state = state
///     if state["currency"] == nil { state["currency"] = "EUR" }
///     return state
///   },
///   action: { action, version in
///     version == "1.0" && action["buy"] != nil ? ["purchase": action["buy"] ?? .null] : action
///   })
/// let setup = ReplaySetup(AppFeature(), upgrade: upgrade)
/// ```
public struct SessionUpgrade: Sendable {
  /// A function of a value, and the version of the app that recorded it if the log has it.
  public typealias Change = @Sendable (_ value: Value, _ version: String?) throws -> Value

  package let state: Change
  package let action: Change

  /// An omitted function changes nothing.
  public init(
    state: @escaping Change = { value, _ in value },
    action: @escaping Change = { value, _ in value }
  ) {
    self.state = state
    self.action = action
  }
}
