/// Which effects run at places all over the file, so that asking what runs after a step looks at a
/// bounded number of lines, however long the session is.
struct FlightCache: Sendable {
  /// By the position of the first entry that is not yet counted, in ascending order.
  private(set) var places: [Place]
  /// So many entries lie between two places at least.
  private(set) var distance = 512
  private static let capacity = 256

  struct Place: Sendable {
    var position: Int
    /// For each effect that runs where its line begins; nil for one of the header.
    var running: [Int: Int?]
  }

  init(header: SessionHeader) {
    var running: [Int: Int?] = [:]
    for effect in header.effects { running[effect.effect] = .some(nil) }
    places = [Place(position: 0, running: running)]
  }

  /// The last place that is not behind a position.
  func place(before position: Int) -> Place {
    places.last { $0.position <= position } ?? places[0]
  }

  /// Keeps a place when it lies far enough behind all others.
  mutating func keep(_ place: Place) {
    guard let last = places.last, place.position >= last.position + distance else { return }
    places.append(place)
    guard places.count > Self.capacity else { return }
    distance *= 2
    places = places.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
  }
}
