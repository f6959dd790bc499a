import TimeTravel

/// The panes beside the steps: where each of them stands, which was used last, and what each shows.
struct PaneSet: Sendable {
  /// The panes of each place. On a smaller screen the last place joins the first, and on the smallest
  /// there is one place for all.
  private(set) var places = Self.ownPlaces
  /// The one that was used last comes first: of those that share a place it is seen.
  private var recent = Pane.allCases
  private var views: [Pane: PaneView] = [:]
  /// Where keys act: in the steps, the pane that was used last, or the timeline.
  var focus = Focus.steps
  /// One pane takes all of the room.
  var isAlone = false
  /// How much wider the list of steps is than by itself.
  var extraStepsWidth = 0

  static let ownPlaces: [[Pane]] = [
    [.diff, .compare], [.state, .watch], [.action, .effects, .reads],
  ]

  /// The pane that keys act in.
  var current: Pane { recent[0] }

  subscript(pane: Pane) -> PaneView {
    get { views[pane] ?? PaneView() }
    _modify { yield &views[pane, default: PaneView()] }
  }

  mutating func use(_ pane: Pane) {
    recent.removeAll { $0 == pane }
    recent.insert(pane, at: 0)
  }

  /// What every pane shows is made anew.
  mutating func forget() {
    for pane in views.keys { views[pane]?.forget() }
  }

  /// The tabs of each of at most so many places, and which of them is seen there.
  func tabs(in count: Int, of panes: [Pane]) -> [(tabs: [Pane], seen: Pane)] {
    var groups = places.filter { !$0.isEmpty }
    if count <= 1 || isAlone { groups = [panes] }
    while groups.count > count { groups[0] += groups.removeLast() }
    return groups.compactMap { group in
      let tabs = panes.filter(group.contains)
      return recent.first(where: tabs.contains).map { (tabs, $0) }
    }
  }

  // MARK: Arranging

  /// Gives a pane to the next place.
  mutating func move(_ pane: Pane, by offset: Int) {
    guard let old = places.firstIndex(where: { $0.contains(pane) }) else { return }
    places[old].removeAll { $0 == pane }
    let count = places.count
    places[((old + offset) % count + count) % count].append(pane)
    use(pane)
  }

  mutating func arrangeAsAtFirst() {
    places = Self.ownPlaces
    isAlone = false
    extraStepsWidth = 0
  }

  /// `17/26/345 0`: the numbers of the panes of each place, and how much wider the steps are.
  var arrangement: String {
    let numbers = places.map { $0.map { String($0.number) }.joined() }
    return numbers.joined(separator: "/") + " \(extraStepsWidth)"
  }

  /// Takes over an arrangement; one that does not name every pane once is none.
  mutating func arrange(_ arrangement: String) {
    let words = arrangement.split(separator: " ")
    let places = words.first?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    let panes = places.map { $0.compactMap { $0.wholeNumberValue.flatMap(Pane.init(number:)) } }
    guard panes.count == Self.ownPlaces.count,
      panes.joined().sorted(by: { $0.number < $1.number }) == Pane.allCases
    else { return }
    self.places = panes
    if words.count > 1, let width = Int(words[1]) { extraStepsWidth = min(max(width, -200), 200) }
  }
}

/// What keys can move in.
enum Focus: Sendable, Hashable {
  case steps, pane, timeline
}

/// What can be seen of a moment.
package enum Pane: String, Sendable, Hashable, CaseIterable {
  case diff = "Diff"
  case state = "State"
  case action = "Action"
  case effects = "Effects"
  case reads = "Reads"
  case watch = "Watch"
  case compare = "Compare"

  /// A fork can be compared with its parent; the recording has none.
  package static func all(onFork: Bool) -> [Pane] { onFork ? allCases : allCases.dropLast() }

  /// As a person counts them.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  init?(number: Int) {
    guard Self.allCases.indices.contains(number - 1) else { return nil }
    self = Self.allCases[number - 1]
  }
}
