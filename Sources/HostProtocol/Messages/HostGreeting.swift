/// What a host says of itself.
public struct HostGreeting: Sendable, Hashable {
  public var version: ProtocolVersion
  /// Shown in the title line.
  public var name: String
  /// Types of the state and the actions, for people.
  public var stateType: String
  public var actionType: String
  /// It sees effects start, end and be cancelled. When it does not, every emission after an edit
  /// is assumed.
  public var seesEffects: Bool

  public init(
    version: ProtocolVersion = .current, name: String, stateType: String = "",
    actionType: String = "", seesEffects: Bool = true
  ) {
    self.version = version
    self.name = name
    self.stateType = stateType
    self.actionType = actionType
    self.seesEffects = seesEffects
  }
}
