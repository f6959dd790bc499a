/// Which step of the source each step of a branch descends from, kept as runs.
struct Descents: Sendable {
  private var runs: [(branch: Int, source: Int?)] = []

  var runCount: Int { runs.count }

  mutating func add(_ branch: Int, from source: Int?) {
    if let last = runs.last {
      if last.source == nil, source == nil { return }
      if let start = last.source, start + branch - last.branch == source { return }
    }
    runs.append((branch, source))
  }

  /// From here on the numbers of both are the same again.
  mutating func restart(at step: Int) {
    runs.removeAll { $0.branch >= step }
    runs.append((step, step))
  }

  /// The step of the branch that descends from one of the source.
  func step(from source: Int) -> Int? {
    for (index, run) in runs.enumerated() {
      guard let start = run.source, source >= start else { continue }
      let step = run.branch + source - start
      if index + 1 == runs.count || step < runs[index + 1].branch { return step }
    }
    return nil
  }

  subscript(_ branch: Int) -> Int? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].branch <= branch { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let start = runs[low - 1].source else { return nil }
    return start + branch - runs[low - 1].branch
  }
}
