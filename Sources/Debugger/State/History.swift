import TimeTravel

/// Where one has been, for back and forward.
struct History: Sendable, Hashable {
  private var back: [Position] = []
  private var forward: [Position] = []

  mutating func leave(_ position: Position) {
    if back.last != position { back.append(position) }
    if back.count > 200 { back.removeFirst() }
    forward = []
  }

  mutating func goBack(from position: Position) -> Position? {
    guard let target = back.popLast() else { return nil }
    forward.append(position)
    return target
  }

  mutating func goForward(from position: Position) -> Position? {
    guard let target = forward.popLast() else { return nil }
    back.append(position)
    return target
  }

  mutating func rename(_ renamed: (Position) -> Position) {
    back = back.map(renamed)
    forward = forward.map(renamed)
  }

  mutating func forget(_ branch: String) {
    back.removeAll { $0.branch == branch }
    forward.removeAll { $0.branch == branch }
  }
}
