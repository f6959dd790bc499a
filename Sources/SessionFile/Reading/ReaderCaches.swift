import SessionWords
import ValueTree

/// The states that were looked at last.
struct StateCache: Sendable {
  /// Newest last.
  private var entries: [(step: Int, state: Value)] = []
  private let capacity: Int

  /// Room for states of this size in text, within a fixed amount of memory in all.
  init(stateSize: Int) {
    capacity = max(4, min(256, (32 << 20) / max(1, stateSize)))
  }

  mutating func state(after step: Int) -> Value? {
    guard let index = entries.lastIndex(where: { $0.step == step }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.state
  }

  /// The state of the last step in a range that is held.
  func last(in steps: ClosedRange<Int>) -> (step: Int, state: Value)? {
    entries.filter { steps.contains($0.step) }.max { $0.step < $1.step }
  }

  mutating func insert(_ state: Value, after step: Int) {
    entries.removeAll { $0.step == step }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append((step, state))
  }

  mutating func remove(from step: Int) { entries.removeAll { $0.step >= step } }
}

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
