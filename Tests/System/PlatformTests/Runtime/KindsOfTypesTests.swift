import Foundation
import StoreCore
import StoreTesting
import Synchronization
import Testing
import ValueTree

@testable import Platform

/// Values of every kind of type that the runtime has, through all that reads the compiler's tables.
///
/// A trap here would end the tests of a user's app.
@Suite struct KindsOfTypesTests {
  @Test("errors: native ones, those of Foundation, in an existential and out of it")
  func errors() {
    let native: any Error = Failed(code: 1, text: "a")
    let foreign: any Error = NSError(domain: "d", code: 1)
    #expect(
      exceptions([
        Kind("native error", native, Failed(code: 1, text: "a"), Failed(code: 2, text: "a")),
        Kind("case of an error", Failing.now as any Error, Failing.now, Failing.later(2)),
        Kind(
          "foreign error", foreign, NSError(domain: "d", code: 1), NSError(domain: "d", code: 2)),
        Kind("native or foreign", native, Failed(code: 1, text: "a"), foreign),
        Kind("foreign or native", foreign, NSError(domain: "d", code: 1), native),
        Kind(
          "error of Foundation", CocoaError(.fileNoSuchFile) as any Error,
          CocoaError(.fileNoSuchFile), CocoaError(.fileReadCorruptFile)),
        Kind(
          "bare foreign error", NSError(domain: "d", code: 1), NSError(domain: "d", code: 1),
          NSError(domain: "d", code: 2)),
        Kind(
          "result", Result<Int, any Error>.failure(foreign),
          .failure(NSError(domain: "d", code: 1)), .success(1)),
        Kind("localized", native as? (any LocalizedError), nil, Failed2()),
      ]) == [])
  }

  @Test("existentials of each form")
  func existentials() {
    #expect(
      exceptions([
        Kind("Any", 1 as Any, 1, "a"),
        Kind("Any with a large value", Large(1) as Any, Large(1), Large(2)),
        Kind("AnyObject", Thing(1) as AnyObject, Thing(1), Thing(2)),
        Kind("two protocols", Small(1) as any Named & Numbered, Small(1), Small(2)),
        Kind("with arguments", [1] as any Collection<Int>, [1], [2]),
        Kind("of classes", Thing(1) as any Bound, Thing(1), Thing(2)),
        Kind("of a superclass", Sub(1, 1) as any Thing & Bound2, Sub(1, 1), Sub(1, 2)),
        Kind(
          "of classes with arguments", BoundBox(1) as any BoundHolder<Int>, BoundBox(1), BoundBox(2)
        ),
        Kind("Any in Any", [1 as Any] as Any, [1 as Any], ["a" as Any]),
      ]) == [])
  }

  @Test("metatypes")
  func metatypes() {
    #expect(
      exceptions([
        Kind("of a struct", Int.self, Int.self, nil),
        Kind("of a class", Thing.self, Thing.self, Sub.self),
        Kind("of a protocol", (any Named).self, (any Named).self, nil),
        Kind("any type", Int.self as Any.Type, Int.self, String.self),
        Kind("any type of a protocol", Small.self as any Named.Type, Small.self, Large.self),
        Kind(
          "in a struct", Typed(type: Int.self, number: 1), Typed(type: Int.self, number: 1),
          Typed(type: Int.self, number: 2)),
        Kind("at the end of a struct", TypedAtEnd(1), TypedAtEnd(1), TypedAtEnd(2)),
        Kind(
          "of a class in a struct", ClassTyped(type: Thing.self), ClassTyped(type: Thing.self),
          ClassTyped(type: Sub.self)),
        Kind("of classes, any", Thing.self as AnyClass, Thing.self, Sub.self),
      ]) == [])
  }

  @Test("functions of each convention")
  func functions() {
    let number = 1
    let anywhere: [@isolated(any) () -> Int] = [{ 1 }, { 1 }]
    let onMain: [@MainActor () -> Int] = [{ 1 }, { 1 }]
    let async: @Sendable (Int) async throws -> Int = { $0 }
    #expect(
      exceptions([
        Kind("swift", { number } as () -> Int, { number }, nil),
        Kind("C", abs as @convention(c) (Int32) -> Int32, abs, nil),
        Kind("thin in a struct", CFunction(call: abs), CFunction(call: abs), nil),
        Kind("async", async, async, nil),
        Kind("of the main actor", onMain[0], onMain[1], nil),
        Kind("sending", { $0 } as (sending Thing) -> Thing, { $0 }, nil),
        Kind("isolated any", anywhere[0], anywhere[1], nil),
        Kind("generic", { [$0] } as (Int) -> [Int], { [$0] }, nil),
        Kind("inout", { $0 += 1 } as (inout Int) -> Void, { $0 += 1 }, nil),
      ]) == [])
  }

  @Test("types that cannot be copied or leave")
  func noncopyable() {
    #expect(
      exceptions([
        Kind("mutex", Guarded(1), Guarded(1), Guarded(2)),
        Kind("atomic", Counting(1), Counting(1), Counting(2)),
        Kind("unique struct in a class", HoldsUnique(1), HoldsUnique(1), HoldsUnique(2)),
        Kind("unique enum in a class", HoldsUniqueCase(1), HoldsUniqueCase(1), HoldsUniqueCase(2)),
        Kind(
          "generic over it", HoldsGeneric(Unique(1)), HoldsGeneric(Unique(1)),
          HoldsGeneric(Unique(2))),
        Kind("optional of it", HoldsOptional(1), HoldsOptional(1), HoldsOptional(2)),
        Kind("any of it", HoldsAnyUnique(1), HoldsAnyUnique(1), HoldsAnyUnique(2)),
      ]) == [
        // The runtime shows no parts that cannot be copied.
        "mutex: equal to another", "atomic: equal to another",
        "unique struct in a class: equal to another", "unique enum in a class: equal to another",
        "generic over it: not equal", "optional of it: equal to another",
        "any of it: equal to another",
      ])
    _ =
      TypeMetadata(
        unsafeBitCast(Span<Int>.self as (any (~Copyable & ~Escapable).Type), to: (Any.Type).self)
      ).fields
  }

  @Test("actors and classes of all kinds")
  func classes() async {
    let (thing, other) = (Thing(1), Thing(2))
    #expect(
      exceptions([
        Kind("actor", Teller(1), Teller(1), Teller(2)),
        Kind("main actor", Main(1), Main(1), Main(2)),
        Kind("class", Thing(1), Thing(1), Thing(2)),
        Kind("without fields", Nothing(), Nothing(), nil),
        Kind("subclass", Sub(1, 1), Sub(1, 1), Sub(1, 2)),
        Kind("generic class", Generic(1), Generic(1), Generic(2)),
        Kind("weak", Weakly(thing), Weakly(thing), Weakly(other)),
        Kind("unowned", Unowned(thing), Unowned(thing), Unowned(Sub(1, 2))),
        Kind("lazy", Lazily(1), Lazily(1), Lazily(2)),
        Kind("buffer", buffer(1), buffer(1), buffer(2)),
        Kind("circle", Circle(1), Circle(1), Circle(2)),
        Kind("date formatter", NSNumber(value: 1), NSNumber(value: 1), NSNumber(value: 2)),
        Kind("array of Foundation", NSArray(array: [1]), NSArray(array: [1]), NSArray(array: [2])),
        Kind("attributed", AttributedString("a"), AttributedString("a"), AttributedString("b")),
        Kind("json", JSONDecoder(), JSONDecoder(), nil),
      ]) == [])
    withExtendedLifetime((thing, other)) {}
  }

  @Test("key paths")
  func keyPaths() {
    #expect(
      exceptions([
        Kind("key path", \Large.number, \Large.number, \Large.other),
        Kind("any key path", \Large.number as AnyKeyPath, \Large.number, \Large.other),
        Kind(
          "partial in a struct", [\Large.number as PartialKeyPath<Large>], [\Large.number],
          [\Large.other]),
        Kind("with a subscript", \[Int][1], \[Int][1], \[Int][2]),
      ]) == [])
  }

  @Test("types of C")
  func foreign() {
    var (one, same, other) = (sigval(), sigval(), sigval())
    (one.sival_int, same.sival_int, other.sival_int) = (1, 1, 2)
    var (bits, sameBits, otherBits) = (tcp_info(), tcp_info(), tcp_info())
    (bits.tcpi_snd_wscale, sameBits.tcpi_snd_wscale, otherBits.tcpi_snd_wscale) = (1, 1, 2)
    #expect(
      exceptions([
        Kind(
          "struct", timespec(tv_sec: 1, tv_nsec: 1), timespec(tv_sec: 1, tv_nsec: 1),
          timespec(tv_sec: 1, tv_nsec: 2)),
        Kind("union", one, same, other),
        Kind("struct with bits", bits, sameBits, otherBits),
        Kind("enum", SOCK_STREAM, SOCK_STREAM, SOCK_DGRAM),
        Kind(
          "pointer", UnsafeRawPointer(bitPattern: 8), UnsafeRawPointer(bitPattern: 8),
          UnsafeRawPointer(bitPattern: 16)),
        Kind(
          "opaque pointer", OpaquePointer(bitPattern: 8), OpaquePointer(bitPattern: 8),
          OpaquePointer(bitPattern: 16)),
        Kind("array of C", sigset_t(), sigset_t(), nil),
        Kind("boolean of C", ObjCBool(true), ObjCBool(true), ObjCBool(false)),
      ]) == ["struct with bits: equal to another", "boolean of C: not equal"])
  }

  @Test("generic and local types, tuples, enums of each layout")
  func others() {
    struct Local { var number: Int }
    enum LocalCase { case one, two(Local) }
    #expect(
      exceptions([
        Kind("local", Local(number: 1), Local(number: 1), Local(number: 2)),
        Kind("local case", LocalCase.two(Local(number: 1)), .two(Local(number: 1)), .one),
        Kind("tuple", (1, "a"), (1, "a"), (1, "b")),
        Kind("tuple with names", (a: 1, b: 2), (a: 1, b: 2), (a: 1, b: 3)),
        Kind("pack", Pack(1, "a"), Pack(1, "a"), Pack(1, "b")),
        Kind(
          "inline array", Inline(items: [1, 2]), Inline(items: [1, 2]), Inline(items: [1, 3])),
        Kind("optional of optional", Int??.some(nil), .some(nil), nil),
        Kind("one case", Single.only, Single.only, nil),
        Kind("one case with a value", SingleValue.only(1), .only(1), .only(2)),
        Kind("indirect", Tree.node(.leaf(1), .leaf(2)), .node(.leaf(1), .leaf(2)), .leaf(1)),
        Kind("nothing", Void(), Void(), nil),
        Kind(
          "phantom", Phantom<Never>(number: 1), Phantom<Never>(number: 1), Phantom<Never>(number: 2)
        ),
        Kind("dictionary", ["a": 1 as Any], ["a": 1 as Any], ["a": 2 as Any]),
        Kind("slice", [1, 2][0...], [1, 2][0...], [1, 3][0...]),
        Kind("range", 1..<2, 1..<2, 1..<3),
        Kind("data", Data([1]), Data([1]), Data([2])),
        Kind("url", URL(string: "a:b"), URL(string: "a:b"), URL(string: "a:c")),
        Kind("task", Task {}, Task {}, Task {}),
        Kind(
          "stream", AsyncStream<Int>.makeStream().stream, AsyncStream<Int>.makeStream().stream,
          AsyncStream<Int>.makeStream().stream),
        Kind("SIMD", SIMD3(1, 2, 3), SIMD3(1, 2, 3), SIMD3(1, 2, 4)),
        Kind("mirror", Mirror(reflecting: 1), Mirror(reflecting: 1), Mirror(reflecting: 2)),
        Kind("any hashable", AnyHashable(1), AnyHashable(1), AnyHashable(2)),
      ]) == ["task: not equal", "stream: equal to another", "mirror: not equal"])
  }
}

/// The answers of each reader of the tables for two equal values and, where there is one, for
/// another.
private struct Kind {
  /// The answers that differ from those of most types.
  var exceptions: [String] = []

  init<Part>(_ name: String, _ one: Part, _ same: Part, _ other: Part?) {
    Self.reflect(Part.self)
    Self.reflect(type(of: one as Any))
    for value in [one, same, other ?? one] {
      _ = readableDifference(expected: one, actual: value)
      _ = readableDifference(expected: one as Any, actual: value)
    }
    if !Self.areEqual(one, same) { exceptions.append("\(name): not equal") }
    if let other {
      if Self.areEqual(one, other) { exceptions.append("\(name): equal to another") }
      if Self.haveSameCaptures(one, other) { exceptions.append("\(name): captured as another") }
    }
    _ = Self.haveSameCaptures(one, same)
    let encoder = IncrementalEncoder()
    for part in [one, same, other ?? one, one] {
      let stored = Stored(part: part, text: "a")
      #expect((try? encoder.encode(stored)) == (try? ValueEncoder().encode(stored)))
    }
  }

  static func areEqual<Part>(_ one: Part, _ other: Part) -> Bool {
    // More than once: what was learnt of a type is asked the next time.
    let forms: [(Any, Any)] = [
      (one, other), (Array(repeating: one, count: 5), Array(repeating: other, count: 5)),
      (Stored(part: one, text: "a"), Stored(part: other, text: "a")),
      (Array(repeating: Boxed(one), count: 5), Array(repeating: Boxed(other), count: 5)),
      (Optional(one) as Any, Optional(other) as Any), ((one, 1), (other, 1)),
      (["a": one], ["a": other]), ([one as Any], [other as Any]),
    ]
    let answers = forms.map { ReflectiveComparison(of: $0, to: $1).isEqual }
    let direct = ReflectiveComparison(of: one, to: other).isEqual
    #expect(answers.allSatisfy { $0 == direct }, "\(one): \(direct), \(answers)")
    return direct
  }

  static func haveSameCaptures<Part>(_ one: Part, _ other: Part) -> Bool {
    func held(_ part: Part) -> Held<() -> String> {
      Held { [number = Int.bitWidth] in "\(number)\(withExtendedLifetime(part) { 1 })" }
    }
    return MemoryComparison.areSame(held(one), held(other))
      || MemoryComparison.areSame([one], [other])
  }

  static func reflect(_ type: Any.Type) {
    let metadata = TypeMetadata(type)
    _ = (
      metadata.fields, metadata.objectFields, metadata.caseNames, metadata.layout, metadata.shape
    )
    _ = (metadata.bitsOfCase, metadata.isExistential, metadata.holdsFunction, metadata.hasOffsets)
  }
}

private func exceptions(_ kinds: [Kind]) -> [String] { kinds.flatMap(\.exceptions) }

private struct Stored<Part>: Encodable {
  var part: Part
  var text: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

private final class Boxed<Part> {
  var part: Part
  init(_ part: Part) { self.part = part }
}

private struct Failed: Error { var code: Int; var text: String }
private struct Failed2: LocalizedError {}
private enum Failing: Error { case now; case later(Int) }
private protocol Named {}
private protocol Numbered {}
private protocol Bound: AnyObject {}
private protocol Bound2 {}
private protocol BoundHolder<Held>: AnyObject { associatedtype Held }
private final class BoundBox<Held>: BoundHolder {
  var held: Held; init(_ held: Held) { self.held = held }
}
private struct Small: Named, Numbered { var number: Int; init(_ n: Int) { number = n } }
private struct Large: Named {
  var number: Int; var other = 5; var third = 6; var text = "abc"; init(_ n: Int) { number = n }
}
private class Thing: Bound { var number: Int; init(_ n: Int) { number = n } }
private final class Sub: Thing, Bound2 {
  var more: Int; init(_ n: Int, _ m: Int) { more = m; super.init(n) }
}
private struct Typed { var type: Int.Type; var number: Int }
private struct TypedAtEnd {
  var number: UInt8; var type = Int.self; init(_ n: UInt8) { number = n }
}
private struct ClassTyped { var type: Thing.Type }
private struct CFunction { var call: @convention(c) (Int32) -> Int32 }
private struct Unique: ~Copyable { var number: Int; init(_ n: Int) { number = n }; deinit {} }
private enum UniqueCase: ~Copyable { case none, one(Int), other(Unique) }
private final class Guarded { let number: Mutex<Int>; init(_ n: Int) { number = Mutex(n) } }
private final class Counting { let number: Atomic<Int>; init(_ n: Int) { number = Atomic(n) } }
private final class HoldsUnique { let held: Unique; init(_ n: Int) { held = Unique(n) } }
private final class HoldsUniqueCase {
  let held: UniqueCase; init(_ n: Int) { held = .other(Unique(n)) }
}
private final class HoldsGeneric<T: ~Copyable> {
  let held: T; init(_ held: consuming T) { self.held = held }
}
private final class HoldsOptional { let held: Unique?; init(_ n: Int) { held = Unique(n) } }
private final class HoldsAnyUnique { let held: any ~Copyable; init(_ n: Int) { held = Unique(n) } }
private actor Teller { var number: Int; init(_ n: Int) { number = n } }
@MainActor private final class Main { var number: Int; nonisolated init(_ n: Int) { number = n } }
private final class Nothing {}
private class Generic<T> { var value: T; init(_ value: T) { self.value = value } }
private struct Weakly { weak var thing: Thing?; init(_ thing: Thing) { self.thing = thing } }
nonisolated(unsafe) private var kept: [Thing] = []
private struct Unowned {
  unowned var thing: Thing; init(_ thing: Thing) { self.thing = thing; kept.append(thing) }
}
private final class Lazily {
  let number: Int; lazy var text = "\(number)"; init(_ n: Int) { number = n }
}
private final class Circle {
  var number: Int; var next: Circle?; init(_ n: Int) { number = n; next = self }
}
private func buffer(_ number: Int) -> ManagedBuffer<Int, Int> {
  let buffer = ManagedBuffer<Int, Int>.create(minimumCapacity: 2) { _ in number }
  return buffer
}
private struct Pack<each T> {
  var items: (repeat each T); init(_ items: repeat each T) { self.items = (repeat each items) }
}
private struct Inline { var items: InlineArray<2, Int> }
private enum Single { case only }
private enum SingleValue { case only(Int) }
private indirect enum Tree { case leaf(Int), node(Tree, Tree) }
private struct Phantom<T> { var number: Int }
