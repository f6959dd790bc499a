import SessionWords

/// The assumptions of an exported branch's steps, as far as read. After growth only the new steps
/// are read.
struct DoubtedSteps: Sendable {
  private var index = AssumptionIndex()
  private var known: Set<Assumption> = []
  private(set) var edits: (sends: [OutputPlace: OutputEdit], touched: Set<EffectID>) = ([:], [])
  private var isOfBranch = false
  private var lastAsked: Int?
  private var lastRead: Int?

  /// A branch's last step has a standing; a recording's does not. Where the branch ends with steps
  /// of its parent, the header tells it.
  mutating func areOfBranch(of reader: SessionReader) throws(SessionError) -> Bool {
    let last = reader.lastWholeStep
    guard !isOfBranch, lastAsked != last else { return isOfBranch }
    let isExport = reader.header.origin?.isBranch ?? false
    isOfBranch = isExport ? true : try reader.tellsStandings(upTo: last)
    lastAsked = last
    return isOfBranch
  }

  mutating func index(of reader: SessionReader) throws(SessionError) -> AssumptionIndex {
    guard try areOfBranch(of: reader) else { return index }
    let first = reader.header.firstStep
    let last = reader.lastWholeStep
    for start in stride(from: lastRead.map { $0 + 1 } ?? first, through: last, by: 1_000) {
      let events = try reader.effectEvents(in: start...min(start + 999, last))
      edits.touched.formUnion(events.filter(\.isEdited).map(\.effect))
      for line in try reader.storedSteps(start...min(start + 999, last)) {
        for edit in line.step.sends { edits.sends[edit.place] = edit }
        guard let standing = line.step.standing else { continue }
        if index.isEmpty {
          // Of a trim, the state before the first step is in doubt, too.
          let number = line.step.number
          add(standing.inherited(at: number == first + 1 ? first : number))
        }
        add(standing.assumptions)
      }
    }
    lastRead = last
    return index
  }

  private mutating func add(_ assumptions: [Assumption]) {
    index.add(assumptions.filter { known.insert($0).inserted })
  }
}

extension SessionReader {
  /// An unreadable line is skipped for the one before, if not too far away.
  fileprivate func tellsStandings(upTo last: Int) throws(SessionError) -> Bool {
    let first = max(header.firstStep, last - 1_000)
    for number in stride(from: last, to: first, by: -1) {
      let step = try step(number)
      if step.damage == nil { return step.standing != nil }
    }
    return false
  }
}
