import Platform
import StoreCore
import Testing

@testable import StoreTesting

@Suite struct ReflectiveEqualityTests {
  struct Dish { var title: String; var price = 3; var tags: Set<String> = [] }
  final class Kitchen { var menu: [Dish]; init(_ menu: [Dish]) { self.menu = menu } }
  class Animal { var name = "Blob" }
  final class Dog: Animal { var age: Int; init(age: Int) { self.age = age } }
  final class Cat: Animal { var age: Int; init(age: Int) { self.age = age } }
  final class Node { var value: Int; var next: Node?; init(_ value: Int) { self.value = value } }
  enum Page { case empty, error(code: Int, text: String), loaded([Dish]), nested(Deep) }
  indirect enum Deep { case end, more(Deep, Int) }
  struct Button {
    var title: String; var tap: () -> Void; var change: @Sendable (Int) async -> Bool
  }
  /// Says of itself what is not so, and is equal to everything.
  struct Liar: Hashable, CustomStringConvertible {
    var value: Int
    var description: String { "always the same" }
    static func == (left: Liar, right: Liar) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
  final class Key: Hashable {
    var name: String
    init(_ name: String) { self.name = name }
    static func == (left: Key, right: Key) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The failure text of a comparison, or an empty text.
  func text<Value>(_ actual: Value, _ expected: Value) -> String {
    let failures = collectFailures { expectReflectivelyEqual(expected, actual) }
    return failures.filter { $0.kind == .failure }.map(\.message).joined(separator: "\n\n")
  }

  @Test("equal values of every kind are equal")
  func equal() {
    expectReflectivelyEqual(1, 1)
    expectReflectivelyEqual("a", "a")
    expectReflectivelyEqual(Double.nan, Double.nan)
    expectReflectivelyEqual(Int?.none, Int?.none)
    expectReflectivelyEqual(Int??.some(.some(1)), 1)
    expectReflectivelyEqual((1, name: "a"), (1, name: "a"))
    expectReflectivelyEqual(Kitchen([Dish(title: "Soup")]), Kitchen([Dish(title: "Soup")]))
    expectReflectivelyEqual(Page.loaded([Dish(title: "Soup")]), .loaded([Dish(title: "Soup")]))
    expectReflectivelyEqual(Page.empty, .empty)
    expectReflectivelyEqual(Deep.more(.more(.end, 1), 2), Deep.more(.more(.end, 1), 2))
    expectReflectivelyEqual(Dog(age: 3), Dog(age: 3))
    expectReflectivelyEqual(["a": [1, 2], "b": []], ["b": [], "a": [1, 2]])
    expectReflectivelyEqual(Set(1...100), Set((1...100).reversed()))
    expectReflectivelyEqual(Int.self, Int.self)
    expectReflectivelyEqual(1..<3, 1..<3)
    expectReflectivelyEqual([1: [Page.empty]] as [Int: Any], [1: [Page.empty]] as [Int: Any])
  }

  @Test("first comes what is expected, with a minus, then what is there, with a plus")
  func order() {
    let failures = collectFailures { expectReflectivelyEqual(Dog(age: 3), Dog(age: 4)) }
    #expect(
      failures.map(\.message) == ["1 difference (− expected, + actual):\n\nage\n− 3\n+ 4"])
    let difference = ReflectiveComparison(of: Dog(age: 4), to: Dog(age: 3)).differences.first
    #expect(difference?.expected == "3")
    #expect(difference?.actual == "4")
  }

  @Test("a difference deep inside is named by its path, with both values")
  func path() {
    let menu = (0..<5).map { Dish(title: "Dish \($0)") }
    var changed = menu
    changed[3].title = "Salad"
    #expect(
      text(Kitchen(changed), Kitchen(menu)) == """
        1 difference (− expected, + actual):

        menu[3].title
        − "Dish 3"
        + "Salad"
        """)
  }

  @Test("all differences are found, in order, and counted")
  func several() {
    let actual = [Dish(title: "A", price: 1), Dish(title: "B"), Dish(title: "C")]
    let expected = [Dish(title: "A", price: 2), Dish(title: "b", tags: ["x"])]
    #expect(
      text(actual, expected) == """
        4 differences (− expected, + actual):

        [0].price
        − 2
        + 1

        [1].title
        − "b"
        + "B"

        [1].tags{"x"}
        − "x"
        + nothing

        [2]
        − nothing
        + Dish(title: "C", price: 3, tags: Set([]))
        """)
  }

  @Test("more than twenty differences are counted, not shown")
  func many() {
    let message = text(Array(0..<30), Array(100..<130))
    #expect(message.hasPrefix("30 differences (− expected, + actual):\n\n[0]\n− 100\n+ 0\n\n[1]"))
    #expect(message.hasSuffix("[19]\n− 119\n+ 19\n\n… and 10 more"))
  }

  @Test("simple values")
  func simple() {
    #expect(text(1, 2) == "1 difference (− expected, + actual):\n\n− 2\n+ 1")
    #expect(text(Int?.none, 2) == "1 difference (− expected, + actual):\n\n− 2\n+ nil")
    #expect(
      text((1, name: "a"), (1, name: "b"))
        == "1 difference (− expected, + actual):\n\nname\n− \"b\"\n+ \"a\"")
    #expect(text((1, 2), (1, 3)) == "1 difference (− expected, + actual):\n\n1\n− 3\n+ 2")
    #expect(
      text(Int.self as Any.Type, String.self as Any.Type)
        == "1 difference (− expected, + actual):\n\n− String.self\n+ Int.self")
  }

  @Test("enums: another case, another payload, a labelled payload")
  func enums() {
    #expect(
      text(Page.empty, .loaded([]))
        == "1 difference (− expected, + actual):\n\n− .loaded([])\n+ .empty")
    #expect(
      text(Page.error(code: 1, text: "a"), .error(code: 2, text: "a"))
        == "1 difference (− expected, + actual):\n\n.error.code\n− 2\n+ 1")
    #expect(
      text([Page.loaded([Dish(title: "Soup")])], [.loaded([Dish(title: "Salad")])])
        == "1 difference (− expected, + actual):\n\n[0].loaded[0].title\n− \"Salad\"\n+ \"Soup\"")
    #expect(
      text(Page.nested(.more(.end, 1)), .nested(.more(.end, 2)))
        == "1 difference (− expected, + actual):\n\n.nested.more.1\n− 2\n+ 1")
  }

  @Test("different dynamic types are told apart, and named")
  func types() {
    #expect(
      text(Dog(age: 3) as Animal, Cat(age: 3) as Animal) == """
        1 difference (− expected, + actual):

        − Cat(name: "Blob", age: 3) (Cat)
        + Dog(name: "Blob", age: 3) (Dog)
        """)
    #expect(
      text([1] as [Any], [1.0] as [Any])
        == "1 difference (− expected, + actual):\n\n[0]\n− 1.0 (Double)\n+ 1 (Int)")
    #expect(
      text(Int?.none as Any, String?.none as Any)
        == "1 difference (− expected, + actual):\n\n− nil (Optional<String>)\n+ nil (Optional<Int>)"
    )
  }

  @Test("what the superclass stores counts")
  func inheritance() {
    let dog = Dog(age: 3)
    dog.name = "Rex"
    #expect(
      text(dog, Dog(age: 3))
        == "1 difference (− expected, + actual):\n\nname\n− \"Blob\"\n+ \"Rex\"")
  }

  @Test("neither a type's own == nor its description is believed")
  func liars() {
    #expect(
      text(Liar(value: 1), Liar(value: 2))
        == "1 difference (− expected, + actual):\n\nvalue\n− 2\n+ 1")
    #expect(
      text(Set([Liar(value: 1)]), Set([Liar(value: 2)]))
        == "1 difference (− expected, + actual):\n\n{Liar(value: 2)}.value\n− 2\n+ 1")
  }

  @Test("sets and dictionaries: what is missing, what is too much, what changed")
  func unordered() {
    #expect(
      text(Set([1, 2, 3]), Set([2, 3, 4, 5])) == """
        3 differences (− expected, + actual):

        {4}
        − 4
        + nothing

        {5}
        − 5
        + nothing

        {1}
        − nothing
        + 1
        """)
    #expect(
      text(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 3, "d": 4]) == """
        3 differences (− expected, + actual):

        ["b"]
        − 3
        + 2

        ["c"]
        − nothing
        + 3

        ["d"]
        − 4
        + nothing
        """)
  }

  @Test("objects as keys and elements are matched by what they are made of")
  func objectKeys() {
    expectReflectivelyEqual(Set([Key("a"), Key("b")]), Set([Key("b"), Key("a")]))
    expectReflectivelyEqual([Key("a"): [1], Key("b"): [2]], [Key("b"): [2], Key("a"): [1]])
    #expect(
      text([Key("a"): [1]], [Key("a"): [2]])
        == "1 difference (− expected, + actual):\n\n[Key(name: \"a\")][0]\n− 2\n+ 1")
  }

  @Test("keys of dictionaries that their type calls equal are the same key, elements of sets not")
  func equalKeys() {
    let one = Liar(value: 1), two = Liar(value: 2)
    #expect(text([one: "a"], [two: "a"]).isEmpty)
    #expect(
      text([one: "a"], [two: "b"])
        == "1 difference (− expected, + actual):\n\n[Liar(value: 1)]\n− \"b\"\n+ \"a\"")
    #expect(
      text(Set([one]), Set([two]))
        == "1 difference (− expected, + actual):\n\n{Liar(value: 2)}.value\n− 2\n+ 1")
  }

  @Test("closures are ignored, and reported as ignored")
  func closures() {
    func button(_ title: String) -> Button {
      Button(title: title, tap: {}, change: { _ in true })
    }
    let failures = collectFailures {
      let result = expectReflectivelyEqual([button("a")], [button("a")])
      #expect(result.ignored == ["[0].tap", "[0].change"])
    }
    #expect(failures.map(\.kind) == [.note])
    #expect(failures.map(\.message) == ["2 closures were ignored: [0].tap, [0].change"])
    #expect(
      text(button("a"), button("b")) == """
        1 difference (− expected, + actual):

        title
        − "b"
        + "a"

        2 closures were ignored: tap, change
        """)
  }

  @Test("an array of closures is an array, and optional closures are closures")
  func closuresInside() {
    let result = ReflectiveComparison(of: [{ 1 }, { 2 }], to: [{ 1 }, { 2 }])
    #expect(result.ignored == ["[0]", "[1]"])
    let optional: (() -> Void)? = {}
    #expect(ReflectiveComparison(of: optional as Any, to: optional as Any).ignored == [""])
    #expect(text(optional, nil).hasPrefix("1 difference"))
  }

  @Test("cycles on both sides end")
  func cycles() {
    func ring(_ values: [Int]) -> Node {
      let nodes = values.map(Node.init)
      for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
      return nodes[0]
    }
    expectReflectivelyEqual(ring([1, 2, 3]), ring([1, 2, 3]))
    // Rings of different lengths that can never be told apart from inside.
    expectReflectivelyEqual(ring([1, 1]), ring([1, 1, 1]))
    #expect(
      text(ring([1, 2]), ring([1, 3]))
        == "1 difference (− expected, + actual):\n\nnext.value\n− 3\n+ 2")
  }

  @Test("a cycle on one side only ends")
  func oneCycle() {
    let ring = Node(1)
    ring.next = ring
    let line = Node(1)
    line.next = Node(1)
    #expect(
      text(ring, line) == """
        1 difference (− expected, + actual):

        next.next
        − nil
        + Node(value: 1, next: Node(↩))
        """)
  }

  @Test("nested ten thousand deep")
  func deep() {
    func chain(_ last: Int) -> Node {
      var node = Node(last)
      for value in 0..<10_000 {
        let next = node
        node = Node(value)
        node.next = next
      }
      return node
    }
    let result = ReflectiveComparison(of: chain(1), to: chain(2))
    #expect(result.differences.map(\.expected) == ["2"])
  }

  @Test("the reporter can be injected, and gets the caller's line")
  func reporter() {
    let failures = Locked<[Failure]>([])
    let reporter = FailureReporter { failure in failures.withLock { $0.append(failure) } }
    let place = testPlace(#line + 1)
    expectReflectivelyEqual([1], [2], reporter: reporter)
    #expect(
      failures.withLock { $0 } == [
        Failure("1 difference (− expected, + actual):\n\n[0]\n− 1\n+ 2", place: place)
      ])
  }
}
