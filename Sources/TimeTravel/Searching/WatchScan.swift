import SessionFile
import ValueTree

package enum WatchedValue: Sendable, Hashable {
  case nothing
  case bool(Bool)
  case number(Double)
  case text(String)
  case parts(Int)

  package init(_ value: Value?) {
    switch value {
    case nil, .null?: self = .nothing
    case .bool(let bool)?: self = .bool(bool)
    case .number(let number)?: self = .number(number.doubleValue)
    case .string(let text)?: self = .text(String(text.prefix(24)))
    case .array(let array)?: self = .parts(array.count)
    case .object(let object)?:
      // A case shows its name; its payload matters less.
      if object.count == 1, let name = object.first?.key {
        self = .text(String(name.prefix(24)))
      } else {
        self = .parts(object.count)
      }
    }
  }
}

/// One part's values of a place: the first, and each change.
package struct WatchBatch: Sendable, Equatable {
  package var steps: ClosedRange<Int>
  package var values: [(step: Int, value: WatchedValue)]

  package static func == (left: Self, right: Self) -> Bool {
    left.steps == right.steps && left.values.elementsEqual(right.values, by: ==)
  }
}

extension OpenSession {
  package func watch(
    _ place: Pointer, on branch: String, in parts: [ClosedRange<Int>],
    report: @Sendable (WatchBatch) async -> Void
  ) async throws {
    var walk: StepWalk?
    try await goThrough(parts) { steps in
      var values: [(step: Int, value: WatchedValue)] = []
      func add(_ value: Value?, at step: Int) {
        let value = WatchedValue(value)
        if values.last?.value != value { values.append((step, value)) }
      }
      var next = steps.lowerBound
      while next <= steps.upperBound {
        guard let recorded = recorded(from: next, of: branch),
          let recording = recording as? any WalkedRecording
        else {
          walk = nil
          add(try await knownState(at: Position(branch: branch, step: next))?[place], at: next)
          next += 1
          continue
        }
        let (first, last) = (next, min(steps.upperBound, recorded.last))
        if walk?.next != first - recorded.shift {
          walk = recording.walk([place], from: first - recorded.shift, needsLabel: false)
        }
        guard var following = walk else { return false }
        walk = nil
        try following.advance(through: last - recorded.shift) { preview in
          if preview.hasChanged || values.isEmpty {
            add(preview.value(at: place), at: preview.number + recorded.shift)
          }
          return true
        }
        walk = following
        next = last + 1
      }
      await report(WatchBatch(steps: steps, values: values))
      return true
    }
  }
}
