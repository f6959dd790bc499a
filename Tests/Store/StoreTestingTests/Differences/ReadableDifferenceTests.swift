import TestSupport
import Testing

@testable import StoreCore
@testable import StoreTesting

@Suite struct ReadableDifferenceTests {
  struct Item: Equatable, Identifiable { var id: Int; var title = "x"; var quantity = 1 }
  struct Plain: Equatable { var title: String; var size = 1 }
  struct Opaque { var title: String; var size = 1 }
  struct Cart: Equatable { var items: [Item] = []; var coupon: String?; var total = 10.0 }
  enum Page: Equatable { case empty, cart(Cart), failed(code: Int, text: String) }
  struct Believer: Equatable {
    var key: Int
    var hidden: Int
    static func == (left: Believer, right: Believer) -> Bool { left.key == right.key }
  }
  final class Person {
    var name: String; var friend: Person?; init(_ name: String) { self.name = name }
  }

  @Test("no difference is nil")
  func none() {
    #expect(readableDifference(expected: 1, actual: 1) == nil)
    #expect(readableDifference(expected: Cart(), actual: Cart()) == nil)
    #expect(readableDifference(expected: [Opaque(title: "a")], actual: [Opaque(title: "a")]) == nil)
    #expect(readableDifference(expected: { 1 }, actual: { 2 }) == nil)
    #expect(readableDifference(expected: String?.none, actual: nil) == nil)
  }

  @Test("simple values: minus expected, plus actual")
  func simple() {
    #expect(readableDifference(expected: 1, actual: 2) == "− 1\n+ 2")
    #expect(readableDifference(expected: "a", actual: nil) == "− \"a\"\n+ nil")
    #expect(readableDifference(expected: 1 as Any, actual: 1.0 as Any) == "− 1\n+ 1.0")
    #expect(
      readableDifference(expected: 1 as Any, actual: Int8(1) as Any)
        == "− 1 (Swift.Int)\n+ 1 (Swift.Int8)")
  }

  @Test("fields that did not change are folded")
  func fields() {
    #expect(
      readableDifference(expected: Cart(coupon: "A"), actual: Cart(coupon: "B")) == """
          Cart(
            … (1 unchanged)
        −   coupon: "A"
        +   coupon: "B"
            … (1 unchanged)
          )
        """)
  }

  @Test("elements are matched by identity: one changed among many")
  func oneOfMany() {
    let expected = Cart(items: (0..<100).map { Item(id: $0) })
    var actual = expected
    actual.items[41].title = "y"
    #expect(
      readableDifference(expected: expected, actual: actual) == """
          Cart(
            items: [
              … (41 unchanged)
              [41]: Item(
                id: 41
        −       title: "x"
        +       title: "y"
                … (1 unchanged)
              )
              … (58 unchanged)
            ]
            … (2 unchanged)
          )
        """)
  }

  @Test("removed, inserted and changed elements keep apart by their identity")
  func identities() {
    let expected = [Item(id: 1), Item(id: 2), Item(id: 3), Item(id: 4)]
    let actual = [Item(id: 9), Item(id: 1), Item(id: 3, title: "y"), Item(id: 4)]
    #expect(
      readableDifference(expected: expected, actual: actual) == """
          [
        +   [0]: Item(id: 9, title: "x", quantity: 1)
            … (1 unchanged)
        −   [1]: Item(id: 2, title: "x", quantity: 1)
            [2]: Item(
              id: 3
        −     title: "x"
        +     title: "y"
              … (1 unchanged)
            )
            … (1 unchanged)
          ]
        """)
  }

  @Test("an element that moved is taken away and put in, the others stay")
  func moved() {
    let expected = (1...5).map { Item(id: $0) }
    let actual = [expected[1], expected[2], expected[3], expected[0], expected[4]]
    #expect(
      readableDifference(expected: expected, actual: actual) == """
          [
        −   [0]: Item(id: 1, title: "x", quantity: 1)
            … (3 unchanged)
        +   [3]: Item(id: 1, title: "x", quantity: 1)
            … (1 unchanged)
          ]
        """)
  }

  @Test("identities that come twice are none: content decides, and what is left is shown whole")
  func doubledIdentities() {
    let expected = [Item(id: 1, title: "a"), Item(id: 1, title: "b"), Item(id: 2)]
    let actual = [Item(id: 1, title: "b"), Item(id: 1, title: "c"), Item(id: 2)]
    #expect(
      readableDifference(expected: expected, actual: actual) == """
          [
        −   [0]: Item(id: 1, title: "a", quantity: 1)
            … (1 unchanged)
        +   [1]: Item(id: 1, title: "c", quantity: 1)
            … (1 unchanged)
          ]
        """)
  }

  @Test("an insert at the front of 5,000 elements is one line")
  func front() {
    let expected = (0..<5_000).map { Item(id: $0) }
    #expect(
      readableDifference(expected: expected, actual: [Item(id: -1)] + expected) == """
          [
        +   [0]: Item(id: -1, title: "x", quantity: 1)
            … (5000 unchanged)
          ]
        """)
  }

  @Test("elements without identity are matched by what stays the same around them")
  func withoutIdentity() {
    #expect(
      readableDifference(expected: [1, 2, 3, 4, 5], actual: [1, 3, 4, 6, 5]) == """
          [
            … (1 unchanged)
        −   [1]: 2
            … (2 unchanged)
        +   [3]: 6
            … (1 unchanged)
          ]
        """)
    #expect(
      readableDifference(
        expected: [Opaque(title: "a"), Opaque(title: "b"), Opaque(title: "c")],
        actual: [Opaque(title: "a"), Opaque(title: "B"), Opaque(title: "c")]) == """
            [
              … (1 unchanged)
              [1]: Opaque(
          −     title: "b"
          +     title: "B"
                … (1 unchanged)
              )
              … (1 unchanged)
            ]
          """)
  }

  @Test("enums: another case whole, the same case by its payload")
  func enums() {
    #expect(
      readableDifference(expected: Page.empty, actual: .cart(Cart())) == """
        − .empty
        + .cart(Cart(items: [], coupon: nil, total: 10.0))
        """)
    #expect(
      readableDifference(
        expected: Page.failed(code: 1, text: "no"), actual: .failed(code: 2, text: "no")) == """
            .failed(
          −   code: 1
          +   code: 2
              … (1 unchanged)
            )
          """)
  }

  @Test("dictionaries by key, sets by element, both in order")
  func keyed() {
    #expect(
      readableDifference(
        expected: ["b": 1, "a": 2, "c": 3, "z": 0], actual: ["a": 2, "b": 4, "d": 5, "z": 0])
          == """
            [
          −   "b": 1
          +   "b": 4
          −   "c": 3
          +   "d": 5
              … (2 unchanged)
            ]
          """)
    #expect(
      readableDifference(expected: Set([1, 2, 10]), actual: Set([2, 10, 11])) == """
          Set([
        −   1
        +   11
            … (2 unchanged)
          ])
        """)
  }

  @Test("texts of several lines line by line")
  func text() {
    let lines = (1...9).map { "line \($0)" }
    var changed = lines
    changed[4] = "LINE 5"
    #expect(
      readableDifference(
        expected: lines.joined(separator: "\n"), actual: changed.joined(separator: "\n")) == """
            \"""
              … (4 unchanged)
          −   line 5
          +   LINE 5
              … (4 unchanged)
            \"""
          """)
  }

  @Test("values that do not fit into a line are shown in several")
  func block() {
    let item = Item(id: 1, title: String(repeating: "long ", count: 14))
    #expect(
      readableDifference(expected: [Item](), actual: [item]) == """
          [
        +   [0]: Item(
        +     id: 1
        +     title: "long long long long long long long long long long long long long long "
        +     quantity: 1
        +   )
          ]
        """)
  }

  @Test("a type's own == is believed, unless nothing else would differ")
  func ownEquality() {
    #expect(
      readableDifference(
        expected: [Believer(key: 1, hidden: 1), Believer(key: 2, hidden: 1)],
        actual: [Believer(key: 1, hidden: 2), Believer(key: 3, hidden: 1)]) == """
            [
              … (1 unchanged)
              [1]: Believer(
          −     key: 2
          +     key: 3
                … (1 unchanged)
              )
            ]
          """)
    #expect(
      readableDifference(
        expected: [Believer(key: 1, hidden: 1)], actual: [Believer(key: 1, hidden: 2)]) == """
            [
              [0]: Believer(
                … (1 unchanged)
          −     hidden: 1
          +     hidden: 2
              )
            ]
          """)
  }

  @Test("objects by what they are made of; cycles end")
  func objects() {
    let blob = Person("Blob")
    blob.friend = blob
    let rex = Person("Rex")
    rex.friend = rex
    #expect(
      readableDifference(expected: blob, actual: rex) == """
          Person(
        −   name: "Blob"
        +   name: "Rex"
            … (1 unchanged)
          )
        """)
  }

  @Test("a hundred changes are shown, the rest is counted")
  func many() {
    let text =
      readableDifference(
        expected: Array(0..<150), actual: Array(1_000..<1_150)) ?? ""
    #expect(text.hasSuffix("−   [99]: 99\n+   [99]: 1099\n    … (50 more changed)\n  ]"))
  }

  @Test("nested ten thousand deep: shown whole below a certain depth")
  func deep() throws {
    func chain(_ last: String) -> Person {
      var person = Person(last)
      for number in 0..<10_000 {
        let next = person
        person = Person("\(number)")
        person.friend = next
      }
      return person
    }
    #expect(readableDifference(expected: chain("a"), actual: chain("a")) == nil)
    let text = try #require(readableDifference(expected: chain("a"), actual: chain("b")))
    #expect(text.hasPrefix("  Person(\n    … (1 unchanged)\n    friend: Person(\n"))
    #expect(text.count < 200_000)
  }

  @Test("lazy properties have the name that was written")
  func lazyProperties() {
    struct Lazy {
      var seed: Int
      lazy var cache = seed + 1
    }
    var one = Lazy(seed: 1)
    _ = one.cache
    #expect(
      readableDifference(expected: Lazy(seed: 1), actual: one) == """
          Lazy(
            … (1 unchanged)
        −   cache: nil
        +   cache: 2
          )
        """)
  }

  @Test("random sequences: the difference names exactly what an edit changed")
  func random() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let expected = (0..<Int.random(in: 0...30, using: &generator)).map { Item(id: $0) }
      var actual = expected
      actual.shuffle(using: &generator)
      actual.removeLast(Int.random(in: 0...actual.count, using: &generator))
      let (shown, answer) = ([Item].rebuilt(from: expected, to: actual), actual)
      #expect(shown == answer)
    }
  }
}

extension [ReadableDifferenceTests.Item] {
  /// Follows the alignment from one to the other.
  static func rebuilt(from expected: Self, to actual: Self) -> Self? {
    guard
      let alignment = expected.align(
        with: actual, believesEquality: true, areSame: { _, _ in false })?.alignment
    else { return nil }
    var result: Self = []
    var place = 0
    for step in alignment.steps {
      switch step {
      case .same(let count):
        result += expected[place..<place + count]
        place += count
      case .changed(let left, let right):
        guard left == place else { return nil }
        result.append(actual[right])
        place += 1
      case .removed(let left):
        guard left == place else { return nil }
        place += 1
      case .inserted(let right):
        guard right == result.count else { return nil }
        result.append(actual[right])
      }
    }
    return place == expected.count ? result : nil
  }
}
