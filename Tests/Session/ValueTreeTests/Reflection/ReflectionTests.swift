import FoundationEssentials
import Testing
import ValueTree

@Suite struct ReflectionTests {
  @propertyWrapper struct Clamped {
    var wrappedValue: Int
  }

  enum Route: CustomStringConvertible {
    case home
    case item(Int)
    case search(text: String, page: Int)
    var description: String { "a route" }
  }

  enum Suit { case hearts, spades }

  struct Model {
    @Clamped var level = 3
    var _own = 1
    var route = Route.home
    var routes: [Route] = [.item(7), .search(text: "tea", page: 2)]
    var onTap: (Int) -> String = { "\($0)" }
    var maybe: Int??
    var pair = (1, "b")
    var point = (x: 1.5, y: -0.0)
    var counts = ["b": 2, "a": 1]
    var suits = [Suit.spades: 1]
    var tags: Set = ["z", "y"]
    var odd = Double.nan
    var type: Any.Type = Int.self
    var hashable = AnyHashable(Suit.hearts)
    var value: Value = ["kept": 1.50]
  }

  class Animal { var name = "Rex" }
  final class Dog: Animal {
    var age = 3
    var friend: Dog?
    lazy var legs = 4
  }

  @Test("a type that is not Codable is seen through its mirror")
  func model() {
    #expect(
      Value(reflecting: Model()).text(.pretty) == """
        {
          "level": 3,
          "own": 1,
          "route": {
            "home": {}
          },
          "routes": [
            {
              "item": {
                "_0": 7
              }
            },
            {
              "search": {
                "text": "tea",
                "page": 2
              }
            }
          ],
          "onTap": "<(Int) -> String>",
          "maybe": null,
          "pair": [
            1,
            "b"
          ],
          "point": {
            "x": 1.5,
            "y": -0.0
          },
          "counts": {
            "a": 1,
            "b": 2
          },
          "suits": {
            "spades": 1
          },
          "tags": [
            "y",
            "z"
          ],
          "odd": "NaN",
          "type": "<Int.Type>",
          "hashable": {
            "hearts": {}
          },
          "value": {
            "kept": 1.5
          }
        }
        """)
  }

  @Test("an object that contains itself ends in a reference, with the superclass first")
  func cycle() {
    let dog = Dog()
    let friend = Dog()
    friend.name = "Ace"
    friend.friend = dog
    dog.friend = friend
    defer { dog.friend = nil }
    #expect(
      Value(reflecting: [dog]).text()
        == #"[{"name":"Rex","age":3,"friend":{"name":"Ace","age":3,"#
        + #""friend":"<Dog at /0>","legs":null},"legs":null}]"#)
  }

  final class Link {
    var next: [Link]
    init(_ next: [Link]) { self.next = next }
  }

  @Test("objects that share parts a billion times over are walked once each")
  func diamonds() {
    var link = Link([])
    for _ in 0..<30 { link = Link([link, link]) }
    guard case .object = Value(reflecting: link) else {
      Issue.record("no object")
      return
    }
  }

  @Test("what lies deeper than any state is named, not shown")
  func deep() {
    var link = Link([])
    for _ in 0..<5_000 { link = Link([link]) }
    #expect(Value(reflecting: link).text().contains("…>"))
  }
}
