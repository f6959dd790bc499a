import SessionWords
import ValueTree

/// A step in the life of an ``Entity``.
package struct TracedStep: Sendable, Hashable {
  package var step: Int
  /// Whether its action names the entity.
  package var isNamed: Bool
  package var changes: [TracedChange] = []
  /// The questions about the entity, and the answers with it.
  package var reads: [Read] = []

  /// The fate of the entity, a line each.
  package var lines: [String] {
    changes.map(\.line)
      + reads.map { read in
        let answer = ValuePreview.text(read.outcome.content, limit: 120)
        return "\(Question(read).text)  \(read.outcome.isError ? "✗ " : "")\(answer)"
      } + (isIdle ? ["it changes nothing of this"] : [])
  }

  /// It names the entity, and changes nothing of it.
  package var isIdle: Bool { isNamed && changes.isEmpty }
}

package enum TracedChange: Sendable, Hashable {
  case appears(String, Value)
  case leaves(String, Value)
  case moves(from: String, to: String)
  /// A part of a record.
  case changes(String, from: Value?, to: Value?)
}

extension TracedChange {
  package var line: String {
    func text(_ value: Value?) -> String {
      value.map { ValuePreview.text($0, limit: 120) } ?? "not there"
    }
    return switch self {
    case .appears(let place, let value): "+ \(place)  \(text(value))"
    case .leaves(let place, let value): "− \(place)  \(text(value))"
    case .moves(let old, let new): "\(old) → \(new)"
    case .changes(let place, let old, let new): "\(place)  \(text(old)) → \(text(new))"
    }
  }
}

extension OpenSession {
  /// Visits the steps that touch an entity, name it, or ask or answer about it.
  ///
  /// - Returns: the places where it is in the last known state, and how many states are unknown.
  package func trace(
    _ entity: Entity, in steps: ClosedRange<Int>, of branch: BranchID,
    visit: (TracedStep) throws -> Void
  ) async throws -> (places: ValueObject, unknown: Int) {
    var (entity, portrait, unknown) = (entity, ValueObject(), 0)
    if steps.lowerBound > summary.steps.lowerBound {
      let before = Position(branch: branch, step: steps.lowerBound - 1)
      portrait = try await knownState(at: before).map(entity.portrait) ?? [:]
    }
    var told: [EffectID: Int] = [:]
    try await goThrough([steps]) { part in
      for number in part {
        let position = Position(branch: branch, step: number)
        let step = try self.step(at: position).step
        var traced = TracedStep(
          step: number, isNamed: entity.isNamed(in: step.action, label: step.label))
        if try mayChange(portrait, of: entity, at: position) {
          if let state = try await knownState(at: position) {
            let next = entity.portrait(in: state)
            traced.changes = TracedChange.list(from: portrait, to: next)
            portrait = next
            for case .object(let record) in next.map(\.value) {
              entity.members.formUnion(record.map(\.key))
            }
          } else {
            unknown += 1
          }
        }
        traced.reads = step.reads
        if case .effect(let effect) = step.cause {
          let own = try effectReads(at: position)
          traced.reads += own.dropFirst(told[effect] ?? 0)
          told[effect] = own.count
        }
        traced.reads.removeAll { read in
          !([read.outcome.content] + (read.arguments ?? [])).contains {
            entity.isID($0) || entity.isNamed(in: $0, label: read.key)
          }
        }
        if traced.isNamed || !traced.changes.isEmpty || !traced.reads.isEmpty {
          try visit(traced)
        }
      }
      return true
    }
    return (portrait, unknown)
  }

  /// Whether a step may change what is known. Most patches tell that they do not.
  private func mayChange(
    _ portrait: ValueObject, of entity: Entity, at position: Position
  ) throws -> Bool {
    let owner = table.withLock { $0.owner(of: position) }
    guard owner.branch == .main, position.step > summary.steps.lowerBound,
      let patch = try recording.patch(at: owner.step)
    else { return true }
    if patch.text().contains(entity.id) { return true }
    return try Patch(patch).operations.contains { operation in
      guard operation.name != "move", operation.name != "copy" else { return true }
      // An element of a list has the list's name.
      let names = operation.path.tokens.filter { !$0.allSatisfy(\.isWholeNumber) }
      let changed = ValuePath(names.map { .key($0) }).text
      return portrait.contains { changed.hasPrefix($0.key) || $0.key.hasPrefix(changed) }
    }
  }
}

extension TracedChange {
  static func list(from old: ValueObject, to new: ValueObject) -> [Self] {
    var left = old.filter { new[$0.key] == nil }
    var changes: [Self] = []
    for (place, value) in new {
      var before = old[place]
      if before == nil, let from = left.firstIndex(where: { $0.value.isRecord && value.isRecord }) {
        changes.append(.moves(from: left[from].key, to: place))
        before = left.remove(at: from).value
      }
      guard let before else {
        changes.append(.appears(place, value))
        continue
      }
      for change in ValueDifference(from: before, to: value).changes {
        let part = (change.path.isRoot ? "" : ".") + change.path.text
        let name = place + part.replacing(".[", with: "[")
        switch change.kind {
        case .added(let value): changes.append(.appears(name, value))
        case .removed(let value): changes.append(.leaves(name, value))
        case .changed(let from, let to): changes.append(.changes(name, from: from, to: to))
        case .moved(_, let from): changes.append(.moves(from: "\(place) \(from.text)", to: name))
        }
      }
    }
    return changes + left.map { .leaves($0.key, $0.value) }
  }
}

extension Value {
  fileprivate var isRecord: Bool {
    if case .object = self { true } else { false }
  }
}
