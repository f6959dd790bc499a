import SessionFile
import SessionWords
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
    _ place: Pointer, on branch: BranchID, in parts: [ClosedRange<Int>],
    report: @Sendable (WatchBatch) async -> Void
  ) async throws {
    try await goThrough(parts) { steps in
      var values: [(step: Int, value: WatchedValue)] = []
      func add(_ value: Value?, at step: Int) -> Bool {
        let value = WatchedValue(value)
        if values.last?.value != value { values.append((step, value)) }
        return true
      }
      if let name = place.codeName {
        for (step, value) in zip(steps, try await codeValues([name], in: steps, of: branch)) {
          _ = add(value?[place], at: step)
        }
        await report(WatchBatch(steps: steps, values: values))
        return true
      }
      try await walk(steps, of: branch, places: [place]) { preview, step in
        guard preview.hasChanged || values.isEmpty else { return true }
        return add(preview.value(at: place), at: step)
      } other: {
        add(try await knownState(at: $0)?[place], at: $0.step)
      }
      await report(WatchBatch(steps: steps, values: values))
      return true
    }
  }
}

extension Pointer {
  /// The function whose value a typed place is in.
  package var codeName: String? {
    tokens.first.flatMap { Condition.codePlace($0)?.tokens == [$0] ? $0 : nil }
  }
}
