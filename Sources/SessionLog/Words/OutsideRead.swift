import ValueTree

/// A read that was not made in a step: inside an effect, or where nobody owns it.
public struct OutsideRead: Sendable, Hashable {
  public var read: Read
  /// The effect that made it; nil for a detached task or a callback.
  public var effect: Int?
  /// The step that is the newest one when it is made.
  public var step: Int
  public var time: Duration?

  public init(_ read: Read, effect: Int?, step: Int, time: Duration? = nil) {
    self.read = read
    self.effect = effect
    self.step = step
    self.time = time
  }
}
