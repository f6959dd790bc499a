/// A state that is gone after its first action, as an alert is.
public protocol EphemeralState {
  /// The actions that take it away; any, where it is not said.
  static var actionType: Any.Type { get }
}

extension EphemeralState {
  /// Any action takes the state away.
  public static var actionType: Any.Type { Any.self }
}

/// Whether an action takes the state away that was there when it came: both are in the same case,
/// or in cases that only belong to each other.
func isEnded(_ state: some Any, by action: some Any) -> Bool {
  guard isEphemeral(state) else { return false }
  if state is any EphemeralState { return true }
  let payload = Mirror(reflecting: state).children.first
  let sent = Mirror(reflecting: action).children.first
  guard let payload, let ephemeral = payload.value as? any EphemeralState else { return false }
  guard let name = sent?.label else { return type(of: ephemeral).actionType == Any.self }
  if name == payload.label { return true }
  let isOfAnother = caseNames(of: state).contains(name)
  return !isOfAnother && sent.map { type(of: $0.value) == type(of: ephemeral).actionType } ?? false
}

/// Whether something else stands in the place of what was there before.
func isOther<Child>(_ now: Child, than before: Child) -> Bool {
  func differs<Known: Equatable>(_ now: Known) -> Bool { now != before as? Known }
  guard let now = now as? any Equatable else { return false }
  return differs(now)
}

private func caseNames(of state: some Any) -> [String] {
  func names<Known: CasePathable>(_: Known) -> [String] { Known.pathNames }
  return (state as? any CasePathable).map { names($0) } ?? []
}
