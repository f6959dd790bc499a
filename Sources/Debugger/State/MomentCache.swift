import TimeTravel

/// The moments that were looked at last, and those next to them.
package struct MomentCache: Sendable {
  private static let mostMoments = 24
  private var moments: [Position: Moment] = [:]
  private var order: [Position] = []

  package init() {}

  subscript(position: Position) -> Moment? { moments[position] }

  mutating func insert(_ moment: Moment) {
    order.removeAll { $0 == moment.position }
    order.append(moment.position)
    moments[moment.position] = moment
    while order.count > Self.mostMoments { moments[order.removeFirst()] = nil }
  }

  /// The recording has grown behind a step: what was told of effects in flight may be old.
  mutating func forgetUnended(_ branch: String, from step: Int) {
    for moment in moments.values where moment.position.branch == branch {
      let isOld =
        moment.position.step >= step || moment.effects.contains { $0.end == nil }
      if isOld { moments[moment.position] = nil }
    }
    order.removeAll { moments[$0] == nil }
  }

  /// A branch is another one by now: what was told of it, or compared with it, may be old.
  mutating func forget(_ branch: String) {
    moments = moments.filter { $0.key.branch != branch && $0.value.comparison?.branch != branch }
    order.removeAll { moments[$0] == nil }
  }
}
