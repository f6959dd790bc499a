/// Where a step stands in the recording: at a recorded step, or so many steps behind it.
struct RecordedPlace: Sendable, Hashable {
  var step: Int
  /// How many steps of a fork's own stand between.
  var behind = 0
}

extension BranchTable {
  /// The place of a branch's step in the recording.
  func place(of position: Position) -> RecordedPlace {
    var position = owner(of: position)
    var behind = 0
    while position.branch != Branch.main, let script = self[position.branch]?.script {
      if let from = step(position.step, of: position.branch)?.descendsFrom {
        // What is inserted behind a step of a parent's own counts from there.
        position = owner(of: Position(branch: script.parent, step: from))
      } else {
        behind += 1
        position = owner(of: Position(branch: position.branch, step: position.step - 1))
      }
    }
    return RecordedPlace(step: position.step, behind: behind)
  }

  /// The step of a branch at a place of the recording; nil where it has none.
  func step(at place: RecordedPlace, of branch: String) -> Position? {
    guard let steps = self[branch]?.steps else { return nil }
    // A few jumps lead there: each goes as far as the recorded steps are apart.
    var step = min(max(place.step, steps.lowerBound), steps.upperBound)
    var seen: Set<Int> = []
    while seen.insert(step).inserted, seen.count < 64 {
      let found = self.place(of: Position(branch: branch, step: step))
      if found == place { return Position(branch: branch, step: step) }
      let distance =
        found.step == place.step ? place.behind - found.behind : place.step - found.step
      step = min(max(step + distance, steps.lowerBound), steps.upperBound)
    }
    return nil
  }

  /// The last step up to which two branches have the very same steps.
  func lastShared(_ first: String, _ second: String) -> Int {
    func leaving(_ name: String) -> [(name: String, at: Int)] {
      var chain: [(name: String, at: Int)] = []
      var next = self[name]
      while let branch = next, let script = branch.script {
        chain.append((branch.name, script.leavesAt))
        next = self[script.parent]
      }
      return chain.reversed()
    }
    let (one, two) = (leaving(first), leaving(second))
    let common = zip(one, two).prefix { $0.0.name == $0.1.name }.count
    let own = one.dropFirst(common).map(\.at) + two.dropFirst(common).map(\.at)
    return own.min() ?? .max
  }
}
