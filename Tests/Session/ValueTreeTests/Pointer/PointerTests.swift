import Testing
import ValueTree

@Suite("Pointer")
struct PointerTests {
  /// The document and the answers of RFC 6901, section 5.
  @Test("the examples of RFC 6901 lead to the values that it lists")
  func examples() throws {
    let document: Value = [
      "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
      " ": 7, "m~n": 8,
    ]
    let answers: [(String, Value)] = [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
      ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ]
    for (text, answer) in answers {
      let pointer = try Pointer(text)
      #expect(document[pointer] == answer)
      #expect(pointer.description == text)
    }
  }

  @Test("~01 is read as ~1, not as a slash")
  func escapes() throws {
    #expect(try Pointer("/~01").tokens == ["~1"])
    #expect(Pointer(tokens: ["~1", "/"]).description == "/~01/~1")
  }

  @Test(
    "a text that is not a pointer is refused with the reason",
    arguments: [
      ("a/b", "The pointer “a/b” must be empty or begin with “/”: did you mean “/a/b”?"),
      ("/a~2", "The pointer “/a~2” has a “~” at byte 2 that is not “~0” (for ~) or “~1” (for /)."),
      ("/~", "The pointer “/~” has a “~” at byte 1 that is not “~0” (for ~) or “~1” (for /)."),
    ])
  func syntaxErrors(text: String, message: String) {
    let error = #expect(throws: PointerError.self) { try Pointer(text) }
    #expect(error?.description == message)
  }

  @Test(
    "a pointer that leads nowhere says what is missing and where",
    arguments: [
      ("/cart/totl", "There is no member “totl” in the object at /cart."),
      ("/total", "There is no member “total” in the object at the top."),
      ("/cart/items/2", "There is no element 2: the array at /cart/items ends at 1."),
      ("/cart/items/-", "There is no element 2: the array at /cart/items ends at 1."),
      ("/cart/none/0", "There is no element 0: the array at /cart/none is empty."),
      (
        "/cart/items/01",
        "“01” is no index of the array at /cart/items: write a number without leading zeros."
      ),
      ("/cart/items/0/x", "Nothing lies inside /cart/items/0: it holds a string."),
      (
        "/cart/items/99999999999999999999",
        "There is no element 9223372036854775807: the array at /cart/items ends at 1."
      ),
    ])
  func nowhere(text: String, message: String) throws {
    let value: Value = ["cart": ["items": ["tea", "milk"], "none": []]]
    let pointer = try Pointer(text)
    #expect(value[pointer] == nil)
    let error = #expect(throws: PointerError.self) { try value.resolve(pointer) }
    #expect(error?.description == message)
  }

  @Test("composed and decomposed characters are different tokens")
  func exactTokens() {
    #expect(Pointer(tokens: ["\u{E9}"]) != Pointer(tokens: ["e\u{301}"]))
    #expect(!Pointer(tokens: ["\u{E9}", "a"]).starts(with: ["e\u{301}"]))
  }

  @Test("a place starts with the places around it, and overlaps with those inside it too")
  func places() throws {
    let items = try Pointer("/cart/items")
    #expect(try Pointer("/cart/items/3").starts(with: items))
    #expect(!items.starts(with: try Pointer("/cart/items/3")))
    #expect(items.overlaps(try Pointer("/cart/items/3")))
    #expect(items.overlaps([]))
    #expect(!items.overlaps(["cart", "total"]))
    #expect(items.parent == ["cart"])
    #expect(Pointer().parent == nil)
    #expect(items.appending(3).description == "/cart/items/3")
  }
}
