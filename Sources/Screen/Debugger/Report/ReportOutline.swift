import SessionWords
import TimeTravel
import ValueTree

/// The states of a branch as rows of a tree. Each row says at which steps it is there, so the page
/// shows a state without putting it together.
///
/// The order of the rows is the same at every step. A value that changes ends its row, and the new
/// row follows it.
final class ReportOutline {
  private final class Node {
    let slot: Int
    var key: String?
    var text = ""
    /// The step that set the text.
    var since: Int
    var row = 0
    var children: [Node] = []
    var isTouched = false

    init(slot: Int, key: String?, since: Int) {
      (self.slot, self.key, self.since) = (slot, key, since)
    }
  }

  private struct Row {
    var depth = 0
    var node: Node?
    var text = ""
    var from = 0
    var until = 0
    var since = 0
    var next = 0
  }

  /// The state after the last step.
  private(set) var state: Value?
  /// About how many bytes the first rows of the block have, and those behind them.
  private(set) var size = (start: 0, rest: 0)
  private var root: Node?
  /// Begins with an empty row, which the others follow.
  private var rows = [Row()]
  private var slots = 0
  private var isFirst = true
  /// Larger states show the beginnings of what does not fit.
  private static let mostNodes = 200_000
  private var count = 0

  /// Begins a block, which needs no other one: its first rows are the state before it.
  func begin() {
    (rows, size) = ([Row()], (0, 0))
    if let root { _ = show(root, at: 0, after: 0, depth: 0) }
    size = (size.rest, 0)
  }

  /// The changes of a step for people, or a sentence that says why it has none.
  func change(to new: Value?, at step: Int) -> Value {
    defer { (state, isFirst) = (new, false) }
    guard let new else {
      if let root { end(root, at: step) }
      root = nil
      return "The session holds no state here."
    }
    guard let root, let old = state else {
      let root = node(new, nil, at: step)
      _ = show(root, at: step, after: 0, depth: 0)
      self.root = root
      return isFirst
        ? "The session starts here." : "The session holds no state before this step."
    }
    let difference = Difference(from: old, to: new, matching: .shown)
    guard !difference.isEmpty else { return "Nothing." }
    let before = difference.changes.prefix(60).map { leaf(at: $0.oldPath) }
    for operation in difference.patch.operations { apply(operation, at: step) }
    refresh(root, new, at: step, depth: 0)
    return ReportChanges.list(difference, from: old, to: new, limit: 60) { index, change in
      if change.kind == .removed { return before[index]?.slot }
      guard let now = leaf(at: change.path), now.since == step else { return nil }
      return change.kind == .added || now === before[index] ? now.slot : nil
    }
  }

  /// The rows of the block, a column each. A row ends where the next one of its slot begins, if it
  /// does not say when; slots, and the steps where rows begin, count from the row before.
  func columns() -> [(String, ReportColumn)] {
    var (depth, key, text, from) = (ReportColumn(), ReportColumn(), ReportColumn(), ReportColumn())
    var (until, since, slot) = (ReportColumn(), ReportColumn(), ReportColumn())
    var (next, last, start) = (rows[0].next, 0, 0)
    while next > 0, let node = rows[next].node {
      let row = rows[next]
      depth.add(Value(row.depth))
      key.add(node.key.map(Value.string) ?? .null)
      text.add(.string(row.text))
      let follower = rows[row.next]
      let isFollowed = follower.node === node && follower.from == row.until
      from.add(Value(row.from - start))
      until.add(Value(isFollowed ? 0 : row.until))
      since.add(Value(row.from - row.since))
      slot.add(Value(node.slot - last))
      (next, last, start) = (row.next, node.slot, row.from)
    }
    return [
      ("depth", depth), ("key", key), ("text", text), ("from", from), ("until", until),
      ("since", since), ("slot", slot),
    ]
  }

  // MARK: Nodes

  /// A node for a value. An old one keeps its slot, and what did not change keeps its step.
  private func node(_ value: Value, _ key: String?, at step: Int, old: Node? = nil) -> Node {
    let node = old ?? Node(slot: slots, key: key, since: step)
    if old == nil { slots += 1 }
    let (parts, text) = (node.children, Self.text(of: value))
    if text != node.text { (node.text, node.since) = (text, step) }
    node.children = []
    count += 1
    guard count < Self.mostNodes else { return node }
    switch value {
    case .object(let object):
      for (index, member) in object.enumerated() {
        let isThere = parts.indices.contains(index) && parts[index].key == member.key
        let old = isThere ? parts[index] : parts.first { $0.key == member.key }
        node.children.append(self.node(member.value, member.key, at: step, old: old))
      }
    case .array(let array):
      for (index, value) in array.enumerated() {
        let old = parts.indices.contains(index) && parts[index].key == nil ? parts[index] : nil
        node.children.append(self.node(value, nil, at: step, old: old))
      }
    default: break
    }
    return node
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .array(let array) where !array.isEmpty: counted(array.count, "element")
    case .object(let object) where !object.isEmpty: ValuePreview.text(value, limit: 60)
    default: value.text().clipped(to: 2_000)
    }
  }

  /// The node of a value without parts.
  private func leaf(at place: Pointer) -> Node? {
    guard let root, let node = path(to: place, in: root).last,
      node.place == place.tokens.count, node.node.children.isEmpty
    else { return nil }
    return node.node
  }

  /// The nodes from the root to a place, as far as there are nodes.
  private func path(to place: Pointer, in root: Node) -> [(place: Int, node: Node)] {
    var path = [(place: 0, node: root)]
    for token in place.tokens {
      guard let last = path.last?.node, let index = Self.index(of: token, in: last),
        last.children.indices.contains(index)
      else { break }
      path.append((path.count, last.children[index]))
    }
    return path
  }

  private static func index(of token: String, in node: Node) -> Int? {
    guard node.children.first?.key != nil else { return Int(token) }
    return node.children.firstIndex {
      $0.key == token && $0.key?.utf8.elementsEqual(token.utf8) == true
    }
  }

  // MARK: Changes

  private func apply(_ operation: PatchOperation, at step: Int) {
    switch operation {
    case .add(let place, let value):
      insert(at: place, step) { self.node(value, $0, at: step) }
    case .replace(let place, let value):
      guard let node = touch(place)?.last, node.place == place.tokens.count else { return }
      replace(node.node, with: value, at: step, depth: node.place)
    case .remove(let place): _ = remove(place, at: step)
    case .move(let from, let to):
      guard let node = remove(from, at: step) else { return }
      insert(at: to, step) { key in
        node.key = key
        self.count += Self.size(of: node)
        return node
      }
    case .copy, .test: break
    }
  }

  /// Marks what is around a place: its texts may be others.
  private func touch(_ place: Pointer) -> [(place: Int, node: Node)]? {
    guard let root else { return nil }
    let path = path(to: place, in: root)
    for part in path { part.node.isTouched = true }
    return path
  }

  private func replace(_ node: Node, with value: Value, at step: Int, depth: Int) {
    let row = node.row
    end(node, at: step)
    _ = self.node(value, nil, at: step, old: node)
    _ = show(node, at: step, after: row, depth: depth)
  }

  private func remove(_ place: Pointer, at step: Int) -> Node? {
    guard let path = touch(place), let node = path.last, node.place == place.tokens.count,
      path.count > 1
    else { return nil }
    let parent = path[path.count - 2].node
    end(node.node, at: step)
    parent.children.removeAll { $0 === node.node }
    return node.node
  }

  private func insert(at place: Pointer, _ step: Int, _ made: (String?) -> Node) {
    guard let parent = place.parent, let last = place.tokens.last,
      let node = touch(parent)?.last, node.place == parent.tokens.count
    else { return }
    // A value without rows for its parts has a text of its own.
    guard !node.node.children.isEmpty || ["{}", "[]"].contains(node.node.text) else { return }
    let isObject = node.node.children.first.map { $0.key != nil } ?? (node.node.text == "{}")
    let index = isObject ? nil : Int(last)
    let at = min(index ?? .max, node.node.children.count)
    let before = at == 0 ? node.node.row : Self.lastRow(of: node.node.children[at - 1])
    let child = made(isObject ? last : nil)
    node.node.children.insert(child, at: at)
    _ = show(child, at: step, after: before, depth: node.place + 1)
  }

  /// New rows for containers whose texts are others now.
  private func refresh(_ node: Node, _ value: Value, at step: Int, depth: Int) {
    guard node.isTouched else { return }
    node.isTouched = false
    let text = Self.text(of: value)
    if text != node.text, depth > 0 || node.children.isEmpty {
      rows[node.row].until = step
      (node.text, node.since) = (text, step)
      add(node, at: step, after: node.row, depth: depth)
    }
    for (index, child) in node.children.enumerated() where child.isTouched {
      if let inner = child.key.map({ value[$0] }) ?? value[index] {
        refresh(child, inner, at: step, depth: depth + 1)
      }
    }
  }

  // MARK: Rows

  private func add(_ node: Node, at step: Int, after row: Int, depth: Int) {
    let text = depth == 0 && !node.children.isEmpty ? "" : node.text
    rows.append(
      Row(
        depth: depth, node: node, text: text, from: step, since: node.since, next: rows[row].next))
    node.row = rows.count - 1
    rows[row].next = node.row
    size.rest += 40 + text.utf8.count + (node.key?.utf8.count ?? 0)
  }

  /// Adds the rows of a part, and returns the last one.
  private func show(_ node: Node, at step: Int, after row: Int, depth: Int) -> Int {
    add(node, at: step, after: row, depth: depth)
    var last = node.row
    for child in node.children { last = show(child, at: step, after: last, depth: depth + 1) }
    return last
  }

  private func end(_ node: Node, at step: Int) {
    rows[node.row].until = step
    count -= 1
    for child in node.children { end(child, at: step) }
  }

  private static func lastRow(of node: Node) -> Int {
    var node = node
    while let last = node.children.last { node = last }
    return node.row
  }

  private static func size(of node: Node) -> Int {
    1 + node.children.reduce(0) { $0 + size(of: $1) }
  }
}
