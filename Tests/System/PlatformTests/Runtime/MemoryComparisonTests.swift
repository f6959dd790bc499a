import Platform
import Testing

/// Compares the captures of all kinds of closures with equal and with other ones.
@Suite struct MemoryComparisonTests {
  @Test("closures are the same where they are the same code with the same captured values")
  func closures() {
    // The optimizer leaves out of its tables what the program never asks for.
    let types: [Any.Type] = counted([Client.self, Feature.self])
    #expect(types.map { "\($0)" } == ["Client", "Feature"])
    // The optimizer leaves out of the program's tables what no code asks for.
    #expect("\(Client.self) \(Feature.self)" == "Client Feature")
    #expect(
      lines([
        told("nothing") { _ in { "" } },
        told("a number") { state in { [number = state.number] in "\(number)" } },
        told("a text") { state in { [text = state.text] in text } },
        told("several of all sizes") { state in
          { [flag = state.flag, number = state.number, byte = UInt8(state.number)] in
            "\(flag)\(number)\(byte)"
          }
        },
        told("a whole state") { state in { "\(state)" } },
        told("an array alone") { state in { [list = state.list] in "\(list)" } },
        told("a dictionary alone") { state in { [names = state.names] in "\(names)" } },
        told("a set alone") { state in { [set = Set(state.list)] in "\(set)" } },
        told("a text that may be there") { state in { [note = state.note] in note ?? "" } },
        told("a case with values") { state in { [way = state.way] in "\(way)" } },
        told("an indirect case") { state in { [way = Way.back(state.way)] in "\(way)" } },
        told("any value") { state in { [any = state.any] in "\(any)" } },
        told("a large value in an any") { state in
          let any: any Sendable = state
          return { "\(any)" }
        },
        told("a type") { state in
          let type: Any.Type = state.flag ? Int.self : String.self
          return { "\(type)" }
        },
        told("another closure") { state in
          let inner: @Sendable () -> String = { state.text }
          return { inner() }
        },
        told("a struct with a closure") { state in
          let client = Client { "\($0)\(state.number)" }
          return { client.ask(1) }
        },
        told("a reducer and a number") { state in Feature(client: Client { "\($0)" }).work(state) },
        told("a method of a struct") { state in Client.named(state.text).answer },
        told("a variable before it changes") { state in
          var number = state.number
          number += 1
          return { [number] in "\(number)" }
        },
      ]) == """
        nothing: same, and there is no other
        a number: same, other
        a text: same, other
        several of all sizes: same, other
        a whole state: same, other
        an array alone: same, other
        a dictionary alone: same, other
        a set alone: same, other
        a text that may be there: same, other
        a case with values: same, other
        an indirect case: same, other
        any value: same, other
        a large value in an any: same, other
        a type: same, other
        another closure: same, other
        a struct with a closure: same, other
        a reducer and a number: same, other
        a method of a struct: same, other
        a variable before it changes: same, other
        """)
  }

  @Test("so are asynchronous ones, those that throw, and those of generic code")
  func kinds() {
    typealias Asking = @Sendable (Int) async throws -> String
    let asking = counted([1, 1, 2]).map { number -> Held<Asking> in
      let state = Sample(number)
      return Held { "\(state.text)\($0)" }
    }
    #expect(MemoryComparison.areSame(asking[0], asking[1]))
    #expect(!MemoryComparison.areSame(asking[0], asking[2]))
    let mapped = counted([(1, 1), (1, 1), (2, 1), (1, 2)]).map { number, id -> Work<[String]> in
      let state = Sample(number)
      return Work { _ in state.text }.map { ["\(id)", $0] }.map { $0 + $0 }
    }
    #expect(
      mapped.map { MemoryComparison.areSame(mapped[0], $0) } == [true, true, false, false])
    let generic = counted([1, 1, 2]).map { Pair(one: Sample($0), other: Sample($0).list).work() }
    #expect(generic.map { MemoryComparison.areSame(generic[0], $0) } == [true, true, false])
    // The same code for another type.
    let sides = counted([1, "1", "1"]).map { (other: any Sendable) in Held(side(other)) }
    #expect(sides.map { MemoryComparison.areSame(sides[2], $0) } == [false, true, true])
  }

  private func side(_ other: some Sendable) -> @Sendable () -> String {
    Pair(one: 1, other: other).side()
  }

  private struct Channel {
    var stream: AsyncStream<Int>?
    var end: AsyncStream<Int>.Continuation
  }

  @Test("a first captured value whose layout only the library knows is compared, too")
  func libraryLayout() {
    let channels = [AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream()].map { made in
      Channel(stream: made.stream, end: made.continuation)
    }
    let ends = counted([0, 0, 1]).map { place -> Held<() -> Void> in
      let end = channels[place].end
      return Held { end.finish() }
    }
    #expect(ends.map { MemoryComparison.areSame(ends[0], $0) } == [true, true, false])
    let asking = counted([0, 0, 1]).map { place -> Held<() -> String> in
      let (channel, text) = (channels[place], "a")
      return Held { "\(channel)\(text)" }
    }
    #expect(asking.map { MemoryComparison.areSame(asking[0], $0) } == [true, true, false])
  }

  @Test("a variable that a closure changes is compared by its value, where it can be seen")
  func variables() {
    let boxes = counted([1, 1, 2]).map { start -> Held<() -> Int> in
      var number = start
      return Held {
        number += 1
        return number
      }
    }
    #expect(!MemoryComparison.areSame(boxes[0], boxes[2]))
    _ = boxes[1].function()
    #expect(!MemoryComparison.areSame(boxes[0], boxes[1]))
  }

  @Test("nothing is guessed: what cannot be told is not the same")
  func unknown() {
    let object = Object(1)
    let objects = counted([object, object, Object(1)])
    typealias Asking = @Sendable () -> Int
    let strong = objects.map { object -> Held<Asking> in Held { object.number } }
    #expect(strong.map { MemoryComparison.areSame(strong[0], $0) } == [true, true, false])
    let beside = objects.map { object -> Held<Asking> in
      Held { [number = object.number] in object.number + number }
    }
    #expect(beside.map { MemoryComparison.areSame(beside[0], $0) } == [true, true, false])
    let weak = objects.map { object -> Held<Asking> in
      Held { [weak object] in object?.number ?? 0 }
    }
    #expect(!MemoryComparison.areSame(weak[0], weak[1]))
    let unowned = objects.map { object -> Held<Asking> in
      Held { [unowned object] in object.number }
    }
    #expect(!MemoryComparison.areSame(unowned[0], unowned[1]))
    let holding = objects.map { object -> Held<Asking> in
      Held { [holder = Holder(object: object)] in holder.object?.number ?? 0 }
    }
    #expect(!MemoryComparison.areSame(holding[0], holding[1]))
    let pointing = counted([8, 8]).map { address -> Held<() -> Bool> in
      let pointer = UnsafeRawPointer(bitPattern: address)
      return Held { pointer == nil }
    }
    #expect(!MemoryComparison.areSame(pointing[0], pointing[1]))
    withExtendedLifetime(objects) {}
  }

  @Test("numbers are compared by their bits, and texts by their characters as they are written")
  func exactly() {
    #expect(!MemoryComparison.areSame(0.0, -0.0))
    #expect(MemoryComparison.areSame([Double.nan], [Double.nan]))
    #expect(!MemoryComparison.areSame("\u{E9}", "e\u{301}"))
    #expect(!MemoryComparison.areSame(["\u{E9}": 1], ["e\u{301}": 1]))
    #expect(!MemoryComparison.areSame(["a": 0.0], ["a": -0.0]))
    #expect(MemoryComparison.areSame(Set([1, 2, 3]), Set([3, 2, 1])))
    #expect(!MemoryComparison.areSame(Set([1, 2, 3]), Set([1, 2])))
  }
}

/// In one loop that the optimizer leaves alone: it would put the code of a closure into several places,
/// and then it is not known as the same.
@inline(never)
private func counted<Element>(_ elements: [Element]) -> [Element] { elements }

private struct Told {
  var name: String
  var areSame: (Bool, other: Bool)
}

private func told(_ name: String, _ make: (Sample) -> @Sendable () -> String) -> Told {
  let held = counted([1, 1, 2]).map { Held(make(Sample($0))) }
  return Told(
    name: name,
    areSame: (
      MemoryComparison.areSame(held[0], held[1]), MemoryComparison.areSame(held[0], held[2])
    ))
}

private func lines(_ told: [Told]) -> String {
  told.map { told in
    let other = told.areSame.other ? "and there is no other" : "other"
    return "\(told.name): \(told.areSame.0 ? "same" : "not known"), \(other)"
  }.joined(separator: "\n")
}

struct Held<Function> {
  var function: Function

  init(_ function: Function) { self.function = function }
}

/// Two of one number have nothing in common but their values.
struct Sample: Sendable, Hashable {
  var number: Int
  var text: String
  var list: [Int]
  var names: [String: Int]
  var note: String?
  var way: Way
  var flag: Bool
  var part: Double

  init(_ number: Int) {
    self.number = number
    text = String(repeating: "text \(number) ", count: 5)
    list = Array(0...number)
    names = ["a name": number, "another one": 2]
    note = number == 1 ? nil : text
    way = .far(number, text)
    flag = number == 1
    part = Double(number) / 4
  }

  var any: any Sendable { number == 1 ? number : text }
}

enum Way: Sendable, Hashable {
  case here
  case far(Int, String)
  indirect case back(Way)
}

final class Object: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

struct Holder: @unchecked Sendable {
  weak var object: Object?
}

struct Client: Sendable {
  var ask: @Sendable (Int) -> String

  static func named(_ name: String) -> Client { Client { "\(name)\($0)" } }

  @Sendable func answer() -> String { ask(3) }
}

struct Feature: Sendable {
  var client: Client

  func work(_ state: Sample) -> @Sendable () -> String {
    { [number = state.number] in client.ask(number) }
  }
}

struct Work<Output: Sendable>: Sendable {
  var body: @Sendable (Int) async throws -> Output

  func map<Other>(_ transform: @escaping @Sendable (Output) -> Other) -> Work<Other> {
    Work<Other> { [body] in transform(try await body($0)) }
  }
}

struct Pair<One: Sendable & Hashable, Other: Sendable>: Sendable {
  var one: One
  var other: Other

  func work() -> Work<[One]> { Work { [one, other] _ in withExtendedLifetime(other) { [one] } } }

  func side() -> @Sendable () -> String { { [one, other] in "\(one)\(other)" } }
}
