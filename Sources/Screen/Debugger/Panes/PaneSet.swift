import Platform
import TimeTravel

struct PaneSet: Sendable {
  /// The panes of each slot. Smaller screens merge the last slots.
  private(set) var places = Self.ownPlaces
  /// Most recently used first: that one shows in its slot.
  private var recent = Pane.allCases
  private var views: [Pane: PaneView] = [:]
  var focus = Focus.steps
  var isAlone = false
  var extraStepsWidth = 0

  static let ownPlaces: [[Pane]] = [
    [.diff, .compare], [.state, .watch], [.action, .effects, .reads],
  ]

  var current: Pane { recent[0] }

  subscript(pane: Pane) -> PaneView {
    get { views[pane] ?? PaneView() }
    _modify { yield &views[pane, default: PaneView()] }
  }

  mutating func use(_ pane: Pane) {
    recent.removeAll { $0 == pane }
    recent.insert(pane, at: 0)
  }

  mutating func forget() {
    for pane in views.keys { views[pane]?.forget() }
  }

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

  mutating func move(_ pane: Pane, by offset: Int) {
    guard let old = places.firstIndex(where: { $0.contains(pane) }) else {
      return impossible("each pane has a place")
    }
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

  /// `17/26/345 0`: the pane numbers of each slot, and the extra width of the steps.
  var arrangement: String {
    let numbers = places.map { $0.map { String($0.number) }.joined() }
    return numbers.joined(separator: "/") + " \(extraStepsWidth)"
  }

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

enum Focus: Sendable, Hashable {
  case steps, pane, timeline
}

package enum Pane: String, Sendable, Hashable, CaseIterable {
  case diff = "Diff"
  case state = "State"
  case action = "Action"
  case effects = "Effects"
  case reads = "Reads"
  case watch = "Watch"
  case compare = "Compare"

  package static func all(onFork: Bool) -> [Pane] { onFork ? allCases : allCases.dropLast() }

  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  init?(number: Int) {
    guard Self.allCases.indices.contains(number - 1) else { return nil }
    self = Self.allCases[number - 1]
  }
}
