import TimeTravel

/// What was read of the session so far, and what is being read.
struct Reading: Sendable {
  var pages = StepPages()
  var moments = MomentCache()
  /// The moment that was asked for and has not come.
  var awaited: Position?
  /// The same, once one has waited long enough to notice.
  var late: Position?
  /// The moment whose neighbours were asked for.
  var lookedAheadFrom: Position?
  /// The range that was asked for, and what changed in it once it was read.
  var spanned: (span: StepSpan, moment: Moment?)?
  /// The files of the app's sources.
  var sources = SourceLines()
  /// What becomes of the recording while it is looked at.
  var life = RecordingLife.resting

  /// The moments of a branch are told anew, and so are those around the one that is looked at.
  mutating func renewMoments(of branch: String) {
    moments.forget(branch)
    awaited = nil
    lookedAheadFrom = nil
  }

  /// A branch is another one by now, or gone.
  mutating func forget(_ branch: String) {
    pages.forget(branch)
    moments.forget(branch)
  }

  mutating func keep(_ moment: Moment) {
    moments.insert(moment)
    if late == moment.position { late = nil }
  }
}

/// The steps of the list that are in memory: pages of rows, the longest unused ones leave first.
struct StepPages: Sendable {
  static let pageLength = 128
  private static let mostPages = 48

  struct PageID: Sendable, Hashable {
    var branch: String
    var page: Int
    /// The run of the branch that is asked; a page is kept without it.
    var run = 0

    var steps: ClosedRange<Int> {
      page * StepPages.pageLength...(page + 1) * StepPages.pageLength - 1
    }
  }

  private var pages: [PageID: [Int: StepRow]] = [:]
  private var asked: Set<PageID> = []
  private var order: [PageID] = []
  /// Pages that are shown until they are read again.
  private var old: Set<PageID> = []

  subscript(branch: String, step: Int) -> StepRow? { pages[Self.page(of: step, branch)]?[step] }

  /// The labels that are known of a branch.
  func labels(of branch: String) -> [String] {
    let known = pages.filter { $0.key.branch == branch }.values
    return Set(known.flatMap { $0.values.map(\.label) }).sorted()
  }

  private static func page(of step: Int, _ branch: String) -> PageID {
    PageID(branch: branch, page: step < 0 ? (step + 1) / pageLength - 1 : step / pageLength)
  }

  /// The pages of these steps that nobody has asked for yet; they count as asked for from now on.
  mutating func missing(_ steps: Set<Int>, of branch: Branch) -> [PageID] {
    let missing = Set(steps.map { Self.page(of: $0, branch.name) }).sorted { $0.page < $1.page }
      .filter { pages[$0] == nil && !asked.contains($0) || old.contains($0) }
    asked.formUnion(missing)
    old.subtract(missing)
    return missing.map { PageID(branch: branch.name, page: $0.page, run: branch.run) }
  }

  mutating func insert(_ rows: [StepRow], as id: PageID) {
    let id = PageID(branch: id.branch, page: id.page)
    asked.remove(id)
    order.removeAll { $0 == id }
    order.append(id)
    pages[id, default: [:]].merge(rows.map { ($0.number, $0) }) { $1 }
    while order.count > Self.mostPages { pages[order.removeFirst()] = nil }
  }

  /// The recording has grown behind a step: the pages from there on are read again, and shown as
  /// they are until then.
  mutating func renew(_ branch: String, from step: Int) {
    let ids = asked.union(order).filter { $0.branch == branch && $0.steps.upperBound >= step }
    old.formUnion(ids)
  }

  /// A branch grew or went away: its pages are read again.
  mutating func forget(_ branch: String, from step: Int = .min) {
    for id in order where id.branch == branch && id.steps.upperBound >= step { pages[id] = nil }
    order.removeAll { pages[$0] == nil }
    asked = asked.filter { $0.branch != branch }
    old = old.filter { $0.branch != branch }
  }
}

/// The moments that were looked at last, and those next to them.
struct MomentCache: Sendable {
  private static let mostMoments = 24
  private var moments: [Position: Moment] = [:]
  private var order: [Position] = []

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
