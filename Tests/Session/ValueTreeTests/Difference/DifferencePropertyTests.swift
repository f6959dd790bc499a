import FoundationEssentials
import TestSupport
import Testing

@testable import ValueTree

/// Random values and random changes to them.
struct RandomValues {
  var generator: SeededGenerator

  mutating func value(depth: Int = 4) -> Value {
    switch Int.random(in: 0..<(depth <= 0 ? 6 : 10), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(Number(Int.random(in: -3...3, using: &generator)))
    case 3:
      return .number([0.0, -0.0, 1.0, 0.5].randomElement(using: &generator).map(Number.init)!)
    case 4: return .string(key())
    case 5: return .number(.digits(["1e2", "1.50", "-0"].randomElement(using: &generator)!))
    case 6, 7: return .object(object(depth: depth))
    default: return .array(array(depth: depth))
    }
  }

  mutating func key() -> String {
    ["id", "a", "b", "", "~", "/", "0", "-", "\u{E9}", "e\u{301}"].randomElement(using: &generator)!
  }

  mutating func object(depth: Int) -> ValueObject {
    let count = Int.random(in: 0...5, using: &generator)
    return ValueObject((0..<count).map { _ in (key(), value(depth: depth - 1)) })
  }

  mutating func array(depth: Int) -> ValueArray {
    let count = Int.random(in: 0...8, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return ValueArray((0..<count).map { _ in value(depth: 0) })
    case 1:
      return ValueArray(
        (0..<count).map { _ in
          var object = object(depth: depth - 1)
          object["id"] = .number(Number(Int.random(in: 0...9, using: &generator)))
          return .object(object)
        })
    default: return ValueArray((0..<count).map { _ in value(depth: depth - 1) })
    }
  }

  /// Up to 120 elements: with identities, with some doubled, without, or plain numbers that repeat.
  mutating func longList(kinds: Int) -> ValueArray {
    let count = Int.random(in: 0...120, using: &generator)
    return ValueArray(
      (0..<count).map { place in
        let small = Value.number(Number(Int.random(in: 0...20, using: &generator)))
        return switch kinds {
        case 0: ["id": .number(Number(place)), "n": small]
        case 1: ["id": small, "n": .number(Number(place))]
        case 2: ["n": small, "text": "some text that makes the element longer than an operation"]
        default: small
        }
      })
  }

  /// The value with a few changes somewhere inside.
  mutating func changed(_ old: Value) -> Value {
    guard Int.random(in: 0..<12, using: &generator) > 0 else { return value(depth: 2) }
    switch old {
    case .array(let array):
      var elements = Array(array)
      for _ in 0..<Int.random(in: 1...3, using: &generator) { change(&elements) }
      return .array(ValueArray(elements))
    case .object(let object):
      var object = object
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let key = object.keys.randomElement(using: &generator) ?? key()
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: object[key] = nil
        case 1: object[self.key()] = value(depth: 1)
        default: object[key] = object[key].map { changed($0) }
        }
      }
      return .object(object)
    default: return value(depth: 1)
    }
  }

  private mutating func change(_ elements: inout [Value]) {
    let place = Int.random(in: 0...elements.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: elements.insert(value(depth: 1), at: place)
    case 1 where place < elements.count: elements.remove(at: place)
    case 2 where place < elements.count:
      let moved = elements.remove(at: place)
      elements.insert(moved, at: Int.random(in: 0...elements.count, using: &generator))
    case 3: elements.shuffle(using: &generator)
    default:
      if place < elements.count { elements[place] = changed(elements[place]) }
    }
  }
}

@Suite("Difference of random values")
struct DifferencePropertyTests {
  @Test("a difference leads from one value to the other, and its inverse leads back")
  func roundTrip() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["RETCON_SEED"].flatMap(UInt64.init) ?? 20_260_101
    let count = environment["RETCON_LONG"] == nil ? 10_000 : 1_000_000
    print("difference: \(count) random pairs, seed \(seed)")
    var values = RandomValues(generator: SeededGenerator(seed: seed))
    for run in 0..<count {
      let old = values.value()
      let new = Bool.random(using: &values.generator) ? values.value() : values.changed(old)
      let difference = Difference(from: old, to: new)
      let patch = difference.patch
      let there = try patch.applied(to: old)
      let back = try patch.inverse(for: old).applied(to: there)
      let written = try Patch(patch.value)
      let prints = old.text(.sorted).isExactly(new.text(.sorted))
      guard prints == old.isExactlyEqual(to: new), there.isExactlyEqual(to: new),
        back.isExactlyEqual(to: old), written == patch,
        difference.isEmpty == old.isExactlyEqual(to: new), patch.isEmpty == difference.isEmpty
      else {
        Issue.record(
          "run \(run), seed \(seed): \(old) → \(new) by \(patch.value) gives \(there), back \(back)"
        )
        return
      }
    }
  }

  @Test("long lists that are cut, turned around and mixed lead to each other")
  func longLists() throws {
    let seed: UInt64 = 20_260_106
    var values = RandomValues(generator: SeededGenerator(seed: seed))
    for run in 0..<400 {
      let old = values.longList(kinds: run % 4)
      var elements = Array(old)
      for _ in 0..<Int.random(in: 0...4, using: &values.generator) {
        let bounds = [0, elements.count].map { _ in
          Int.random(in: 0...elements.count, using: &values.generator)
        }.sorted()
        let part = bounds[0]..<bounds[1]
        switch run % 5 {
        case 0: elements[part].shuffle(using: &values.generator)
        case 1: elements[part].reverse()
        case 2: elements.removeSubrange(part)
        case 3: elements.insert(contentsOf: values.longList(kinds: run % 4), at: part.lowerBound)
        default:
          let moved = Array(elements[part])
          elements.removeSubrange(part)
          elements.insert(contentsOf: moved, at: elements.count / 2)
        }
      }
      let (before, after) = (Value.array(old), Value.array(ValueArray(elements)))
      // In a container, so that the list may be replaced whole.
      for (before, after) in [(before, after), (["l": before], ["l": after])] as [(Value, Value)] {
        let patch = Patch(from: before, to: after)
        let there = try patch.applied(to: before)
        let back = try patch.inverse(for: before).applied(to: there)
        #expect(there.isExactlyEqual(to: after), "run \(run), seed \(seed)")
        #expect(back.isExactlyEqual(to: before), "run \(run), seed \(seed)")
      }
    }
  }
}
