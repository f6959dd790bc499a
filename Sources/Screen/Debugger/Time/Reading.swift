import SessionWords
import TextCanvas
import TimeTravel

struct Reading: Sendable {
  var pages = StepPages()
  var moments = MomentCache()
  var awaited: Position?
  var late: Position?
  var lookedAheadFrom: Position?
  var spanned: (span: StepSpan, moment: Moment?)?
  var sources = SourceLines()
  var life = RecordingLife.resting

  mutating func renewMoments(of branch: BranchID) {
    moments.forget(branch)
    awaited = nil
    lookedAheadFrom = nil
  }

  mutating func forget(_ branch: BranchID) {
    pages.forget(branch)
    moments.forget(branch)
  }

  mutating func keep(_ moment: Moment) {
    moments.insert(moment)
    if late == moment.position { late = nil }
  }
}

/// Pages of rows in memory; the least recently used leave first.
struct StepPages: Sendable {
  static let pageLength = 128
  private static let mostPages = 48

  struct PageID: Sendable, Hashable {
    var branch: BranchID
    var page: Int
    /// The run that requests belong to; pages are kept without it.
    var run = 0

    var steps: ClosedRange<Int> {
      page * StepPages.pageLength...(page + 1) * StepPages.pageLength - 1
    }
  }

  private var pages: [PageID: [Int: StepRow]] = [:]
  private var asked: Set<PageID> = []
  private var order: [PageID] = []
  private var old: Set<PageID> = []
  /// The width of the widest row of each branch, with the beginning of its payload.
  private(set) var widths: [BranchID: Int] = [:]

  subscript(branch: BranchID, step: Int) -> StepRow? { pages[Self.page(of: step, branch)]?[step] }

  func labels(of branch: BranchID) -> [String] {
    let known = pages.filter { $0.key.branch == branch }.values
    return Set(known.flatMap { $0.values.map(\.label) }).sorted()
  }

  private static func page(of step: Int, _ branch: BranchID) -> PageID {
    PageID(branch: branch, page: step < 0 ? (step + 1) / pageLength - 1 : step / pageLength)
  }

  mutating func missing(_ steps: Set<Int>, of branch: Branch) -> [PageID] {
    let missing = Set(steps.map { Self.page(of: $0, branch.id) }).sorted { $0.page < $1.page }
      .filter { pages[$0] == nil && !asked.contains($0) || old.contains($0) }
    asked.formUnion(missing)
    old.subtract(missing)
    return missing.map { PageID(branch: branch.id, page: $0.page, run: branch.run) }
  }

  mutating func insert(_ rows: [StepRow], as id: PageID) {
    let id = PageID(branch: id.branch, page: id.page)
    asked.remove(id)
    order.removeAll { $0 == id }
    order.append(id)
    let width = rows.map { SafeText.width($0.label, upTo: 60) + min($0.payload.count, 60) }.max()
    widths[id.branch] = max(widths[id.branch] ?? 0, width ?? 0)
    pages[id, default: [:]].merge(rows.map { ($0.number, $0) }) { $1 }
    while order.count > Self.mostPages { pages[order.removeFirst()] = nil }
  }

  /// Rereads the pages from a step on after growth, and shows the old ones until then.
  mutating func renew(_ branch: BranchID, from step: Int) {
    let ids = asked.union(order).filter { $0.branch == branch && $0.steps.upperBound >= step }
    old.formUnion(ids)
  }

  mutating func forget(_ branch: BranchID, from step: Int = .min) {
    for id in order where id.branch == branch && id.steps.upperBound >= step { pages[id] = nil }
    order.removeAll { pages[$0] == nil }
    asked = asked.filter { $0.branch != branch }
    old = old.filter { $0.branch != branch }
  }
}

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

  /// After growth, effects in flight may be outdated.
  mutating func forgetUnended(_ branch: BranchID, from step: Int) {
    for moment in moments.values where moment.position.branch == branch {
      let isOld = moment.position.step >= step || moment.effects.contains { $0.end == nil }
      if isOld { moments[moment.position] = nil }
    }
    order.removeAll { moments[$0] == nil }
  }

  mutating func forget(_ branch: BranchID) {
    moments = moments.filter { $0.key.branch != branch && $0.value.comparison?.branch != branch }
    order.removeAll { moments[$0] == nil }
  }
}
