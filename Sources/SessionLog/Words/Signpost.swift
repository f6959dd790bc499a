import ValueTree

/// A note that the app itself wrote into its log.
public struct Signpost: Sendable, Hashable {
  public var text: String
  /// The step that is the newest one when it is written.
  public var step: Int
  public var time: Duration?
  public var value: Value?

  public init(_ text: String, step: Int, time: Duration? = nil, value: Value? = nil) {
    self.text = text
    self.step = step
    self.time = time
    self.value = value
  }
}
