import FoundationEssentials
import TestSupport
import Testing

@testable import ValueTree

@Suite("Path query")
struct PathQueryTests {
  /// The document of RFC 9535, section 1.5.
  static let store: Value = [
    "store": [
      "book": [
        [
          "category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century",
          "price": 8.95,
        ],
        [
          "category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour",
          "price": 12.99,
        ],
        [
          "category": "fiction", "author": "Herman Melville", "title": "Moby Dick",
          "isbn": "0-553-21311-3", "price": 8.99,
        ],
        [
          "category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings",
          "isbn": "0-395-19395-8", "price": 22.99,
        ],
      ],
      "bicycle": ["color": "red", "price": 399],
    ]
  ]

  @Test(
    "the examples of RFC 9535 find the places that it lists",
    arguments: [
      ("$.store.book[*].author", 4, "$['store']['book'][0]['author']"),
      ("$..author", 4, "$['store']['book'][0]['author']"),
      ("$.store.*", 2, "$['store']['book']"),
      ("$.store..price", 5, "$['store']['book'][0]['price']"),
      ("$..book[2]", 1, "$['store']['book'][2]"),
      ("$..book[2].author", 1, "$['store']['book'][2]['author']"),
      ("$..book[2].publisher", 0, ""),
      ("$..book[-1]", 1, "$['store']['book'][3]"),
      ("$..book[0,1]", 2, "$['store']['book'][0]"),
      ("$..book[:2]", 2, "$['store']['book'][0]"),
      ("$..book[?@.isbn]", 2, "$['store']['book'][2]"),
      ("$..book[?@.price<10]", 2, "$['store']['book'][0]"),
      ("$..*", 27, "$['store']"),
    ])
  func examples(query: String, count: Int, first: String) throws {
    let matches = try PathQuery(query).matches(in: Self.store)
    #expect(matches.count == count)
    #expect(matches.first?.path ?? "" == first)
    for match in matches { #expect(Self.store[match.pointer] == match.value) }
    #expect(try PathQuery(query).first(in: Self.store) == matches.first)
  }

  @Test("numbers are compared by what they are worth, beyond what a double holds")
  func exactNumbers() throws {
    let value: Value = [
      9_007_199_254_740_993, .number(.digits("9007199254740992.5")), .number(.digits("1e400")),
      -0.0,
    ]
    #expect(try PathQuery("$[?@ == 9007199254740993]").matches(in: value).map(\.path) == ["$[0]"])
    #expect(
      try PathQuery("$[?@ > 9007199254740992]").matches(in: value).map(\.path)
        == ["$[0]", "$[1]", "$[2]"])
    #expect(try PathQuery("$[?@ == 10e399]").matches(in: value).map(\.path) == ["$[2]"])
    #expect(try PathQuery("$[?@ == 0]").matches(in: value).map(\.path) == ["$[3]"])
  }

  @Test("names are compared by their code points")
  func exactNames() throws {
    let value: Value = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(try PathQuery("$['e\u{301}']").values(in: value) == [2])
    #expect(try PathQuery("$.\u{E9}").values(in: value) == [1])
  }

  @Test("a query that finds too much is given up with an error")
  func limits() throws {
    let list = Value.array(ValueArray(repeatElement(Value.null, count: 100)))
    let value = Value.array(ValueArray(repeatElement(list, count: 100)))
    let error = #expect(throws: QueryRunError.self) {
      try PathQuery("$..*").matches(in: value, limits: QueryLimits(matches: 1_000))
    }
    #expect(
      error?.description
        == "The query has more than 1000 matches: ask for fewer, or raise the limit.")
    #expect(throws: QueryRunError.tooMuchWork(limit: 1_000)) {
      try PathQuery("$[?count($..*) > 0]").values(in: value, limits: QueryLimits(work: 1_000))
    }
  }

  @Test("values as deep as they come are searched without recursion")
  func deep() throws {
    let deep = (0..<50_000).reduce(Value.string("leaf")) { inner, _ in [inner] }
    let query = try PathQuery("$..[?@ == 'leaf']")
    #expect(try query.values(in: deep) == ["leaf"])
    #expect(try query.matches(in: deep).map(\.pointer.tokens.count) == [50_000])
    // All places together would fill the memory.
    #expect(throws: QueryRunError.tooManyMatches(limit: 10_000)) {
      try PathQuery("$..*").matches(in: deep, limits: QueryLimits(matches: 10_000))
    }
  }

  @Test(
    "a query that cannot be read is shown with a caret and a hint",
    arguments: [
      (
        "store.book",
        """
        store.book
        ^ A path query begins with “$”.
        Try “$.” before the first name.
        """
      ),
      (
        "$.store.first-name",
        """
        $.store.first-name
                     ^ Expected “.name”, “[…]” or the end, found “-”.
        A name with other signs than letters, digits and _ is written ['like this'].
        """
      ),
      (
        "$.items[01]",
        """
        $.items[01]
                ^ An index is written without leading zeros, and zero without “-”.
        """
      ),
      (
        "$.items[?@.price = 3]",
        """
        $.items[?@.price = 3]
                         ^ “=” is no operator.
        Write “==” to compare.
        """
      ),
      (
        "$.items[?@.* == 3]",
        """
        $.items[?@.* == 3]
                 ^ This finds any number of values, and a comparison needs one.
        Ask with a filter, like state.items[?@.price > 3], or use count(…) or value(…).
        """
      ),
      (
        "$.items[?lenght(@.name) > 3]",
        """
        $.items[?lenght(@.name) > 3]
                 ^ There is no function “lenght”.
        Did you mean “length”?
        """
      ),
      (
        "$['a",
        """
        $['a
          ^ The string that begins here has no end.
        Close it with '.
        """
      ),
    ])
  func errors(query: String, message: String) {
    let error = #expect(throws: QueryError.self) { try PathQuery(query) }
    #expect(error?.description == message)
  }

  @Test("an error has no character that controls a terminal")
  func visibleErrors() {
    let error = #expect(throws: QueryError.self) { try Condition("state.\u{1B}[2J\u{85}x\n == 1") }
    #expect(
      error?.description == """
        state. [2J x  == 1
              ^ Expected a name or “*” after “.”, found “ ”.
        A name with other signs than letters, digits and _ is written ['like this'].
        """)
  }

  @Test("thousands of brackets are an error, not a crash")
  func hostileTexts() {
    for text in [
      "$[?" + String(repeating: "(", count: 50_000), "$" + String(repeating: "[?@", count: 50_000),
      "$[?" + String(repeating: "length(", count: 50_000),
      "$" + String(repeating: ".a", count: 50_000),
      "$[?!" + String(repeating: "(!", count: 50_000),
    ] {
      #expect(throws: QueryError.self) { try PathQuery(text) }
    }
  }

  @Test("random texts are read or refused, and what is read runs")
  func fuzz() throws {
    let pieces = [
      "$", "@", ".", "..", "*", "[", "]", "?", "(", ")", "&&", "||", "!", "==", "<", ">=", "'a'",
      "\"b\"", "0", "-1", ":", ",", "1e2", "a", "store", "book", "price", "length", "count",
      "match",
      "search", "value", "true", "null", " ", "\\u0041", "'", "{", "é", "\u{0}", "[?@.", "$..",
      "[0:2]", "-", "'[a-z]+'",
    ]
    let whole = [
      "$..book[?@.price < 10 && !(@.isbn == 'x')].title", "$[?search(@.a, '[a-z]+')]",
      "$.store['book'][0:2:-1, -1, *]", "$[?count(@..*) > 2 || length(@.a) <= 1e1]",
    ]
    let environment = ProcessInfo.processInfo.environment
    let seed: UInt64 = 20_260_102
    let runs = environment["RETCON_LONG"] == nil ? 20_000 : 1_000_000
    var generator = SeededGenerator(seed: seed)
    print("path queries: \(runs) random texts, seed \(seed)")
    var readCount = 0
    for run in 0..<runs {
      var text = run % 2 == 0 ? "$" : whole.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 0...(run % 2 == 0 ? 10 : 3), using: &generator) {
        var place = text.endIndex
        if run % 2 == 1 { place = text.indices.randomElement(using: &generator) ?? place }
        if Bool.random(using: &generator) || place == text.endIndex {
          text.insert(contentsOf: pieces.randomElement(using: &generator)!, at: place)
        } else {
          text.remove(at: place)
        }
      }
      _ = try? Condition(text)
      guard let query = try? PathQuery(text) else { continue }
      readCount += 1
      _ = try query.matches(in: Self.store)
    }
    #expect(readCount > 100)
  }
}
