/// Something that an open session could not do, in words: what, where, and what to do next.
public struct Trouble: Error, Sendable, Hashable {
  public var what: String
  public var place: String
  public var next: String

  public init(_ what: String, place: String = "", next: String = "") {
    self.what = what
    self.place = place
    self.next = next
  }

  /// One line for a person.
  public var sentence: String {
    let start = place.isEmpty ? what : "\(place): \(what)"
    return next.isEmpty ? start : "\(start); \(next)"
  }

  static func noStep(_ number: Int, in summary: RecordingSummary) -> Trouble {
    Trouble(
      "there is no step \(number)", place: summary.name,
      next: "steps \(summary.steps.lowerBound) to \(summary.steps.upperBound) are here")
  }
}

extension Trouble: CustomStringConvertible {
  public var description: String { sentence }
}
