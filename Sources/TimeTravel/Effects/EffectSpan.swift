import SessionLog

/// The life of one effect: where it started, where and how it ended.
public struct EffectSpan: Sendable, Hashable {
  public var number: Int
  public var origin: EffectOrigin
  public var started: Duration?
  public var end: End?

  /// The last moment of an effect; an effect without one never ended in the recording.
  public struct End: Sendable, Hashable {
    public enum Manner: Sendable, Hashable {
      case finished
      case failed(String)
      case cancelled
    }

    /// The step that was the newest one.
    public var step: Int
    public var time: Duration?
    public var manner: Manner

    public init(step: Int, time: Duration? = nil, manner: Manner) {
      self.step = step
      self.time = time
      self.manner = manner
    }
  }

  public init(
    number: Int, origin: EffectOrigin, started: Duration? = nil, end: End? = nil
  ) {
    self.number = number
    self.origin = origin
    self.started = started
    self.end = end
  }

  /// The name given where it was started, else the place: `Cart.swift:12`.
  public var name: String {
    if let name = origin.name, !name.isEmpty { return name }
    let file = origin.file.split(separator: "/").last.map(String.init) ?? origin.file
    return "\(file):\(origin.line)"
  }

  /// Whether any part of its life falls into these steps.
  public func touches(_ steps: ClosedRange<Int>) -> Bool {
    origin.step <= steps.upperBound && (end.map { $0.step >= steps.lowerBound } ?? true)
  }
}
