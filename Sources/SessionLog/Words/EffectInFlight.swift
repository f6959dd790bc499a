import ValueTree

/// An effect that was running where a session starts in the middle.
public struct EffectInFlight: Sendable, Hashable {
  public var effect: Int
  public var origin: EffectOrigin
  public var time: Duration?
  /// Members of a header's list that this version does not know.
  var unknown: ValueObject = [:]

  public init(effect: Int, origin: EffectOrigin, time: Duration? = nil) {
    self.effect = effect
    self.origin = origin
    self.time = time
  }
}
