import TimeTravel

/// The content of the pane with its cursor.
struct PaneView: Sendable {
  /// What the content was made from; made anew when it changes.
  struct Key: Hashable {
    var position: Position
    var pane: Pane
    var width: Int
    var toggles: Int
    var watched: [ValuePath]
  }

  private(set) var key: Key?
  private var isOld = false
  private(set) var content = PaneContent()
  var cursor = 0
  var top = 0
  /// Where the person opened or closed, for each pane.
  private var toggled: [Pane: Set<ValuePath>] = [:]
  private var toggles = 0

  var row: PaneRow? { content.rows.indices.contains(cursor) ? content.rows[cursor] : nil }

  /// Whether the content is of another moment than the one looked at.
  func isStale(at position: Position) -> Bool { key?.position != position }

  mutating func toggle(_ path: ValuePath, in pane: Pane) {
    toggled[pane, default: []].formSymmetricDifference([path])
    toggles += 1
  }

  /// Makes the content if what it is made from has changed; the cursor stays on its place.
  mutating func refresh(_ moment: Moment, pane: Pane, watched: [ValuePath], width: Int) {
    let key = Key(
      position: moment.position, pane: pane, width: width, toggles: toggles, watched: watched)
    guard key != self.key || isOld else { return }
    isOld = false
    let place = row?.path
    let wasHere = self.key?.pane == pane
    content = Self.content(
      of: moment, pane: pane, toggled: toggled[pane] ?? [], watched: watched, width: width)
    self.key = key
    if !wasHere {
      cursor = 0
      top = 0
    } else if let place, let index = content.rows.firstIndex(where: { $0.path == place }) {
      cursor = index
    }
    cursor = min(cursor, max(0, content.rows.count - 1))
  }

  /// The content is made anew by the next ``refresh(_:pane:watched:width:)``.
  mutating func forget() { isOld = true }

  static func content(
    of moment: Moment, pane: Pane, toggled: Set<ValuePath>, watched: [ValuePath], width: Int
  ) -> PaneContent {
    switch pane {
    case .diff: DiffPane.content(moment, toggled: toggled, width: width)
    case .state: StatePane.content(moment, toggled: toggled, width: width)
    case .action: ActionPane.content(moment, toggled: toggled, width: width)
    case .effects: EffectsPane.content(moment, width: width)
    case .reads: ReadsPane.content(moment, toggled: toggled, width: width)
    case .watch: WatchPane.content(moment, watched, toggled: toggled, width: width)
    case .compare: ComparePane.content(moment, toggled: toggled, width: width)
    }
  }

  /// Keeps the cursor in sight.
  mutating func scroll(height: Int) {
    let height = max(1, height)
    top = min(top, max(0, content.rows.count - height))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
    top = max(0, top)
  }
}

/// What can be seen of a moment, one at a time.
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
}
