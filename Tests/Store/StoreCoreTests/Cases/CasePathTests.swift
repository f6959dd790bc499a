import StoreCore
import Testing

@Suite("Case paths")
struct CasePathTests {
  enum Shape: Equatable, CasePathable, Sendable {
    case circle(radius: Int)
    case square(Int)
    case text(String)
    case pair(Int, String)
    indirect case nested(Shape)
    case empty

    struct AllCasePaths: Sendable {
      let circle = CasePath(Shape.circle)
      let square = CasePath(Shape.square)
      let text = CasePath(Shape.text)
      let pair = CasePath<Shape, (Int, String)> { Shape.pair($0.0, $0.1) }
      let nested = CasePath(Shape.nested)
      let empty = CasePath(Shape.empty)
    }
    static let allCasePaths = AllCasePaths()
  }

  static let all: [Shape] = [
    .circle(radius: 1), .square(2), .text("x"), .pair(3, "y"), .nested(.square(4)), .empty,
  ]

  @Test("a derived path takes out its own case and no other, in whatever order they come")
  func derived() {
    for shapes in [Self.all, Self.all.reversed()] {
      let square = CasePath(Shape.square)
      let circle = CasePath(Shape.circle)
      let nested = CasePath(Shape.nested)
      for _ in 0..<3 {
        #expect(shapes.compactMap(square.extract) == [2])
        #expect(shapes.compactMap(circle.extract) == [1])
        #expect(shapes.compactMap(nested.extract) == [.square(4)])
      }
    }
  }

  enum Odd: CasePathable, Sendable {
    case labelled(from: Int, to: Int)
    case error(any Error)
    case other(any Error)
    case work(@Sendable (Int) -> Int)
    case later(work: @Sendable (Int) async -> Int)
    case two(Int, @Sendable () -> Void)
    case optional(Int?)
    case anything(any Sendable)

    struct AllCasePaths: Sendable {}
    static let allCasePaths = AllCasePaths()
  }

  @Test("payloads with labels, of any types and optionals are taken out too")
  func oddPayloads() {
    struct Offline: Error, Equatable {}
    let all: [Odd] = [
      .labelled(from: 1, to: 2), .error(Offline()), .other(Offline()), .work { $0 + 1 },
      .later(work: { $0 }), .optional(nil), .optional(3), .anything(Offline()),
    ]
    for odd in [all, all.reversed()] {
      func count<Value>(_ path: CasePath<Odd, Value>) -> Int { odd.compactMap(path.extract).count }
      let labelled = CasePath<Odd, (Int, Int)> { .labelled(from: $0.0, to: $0.1) }
      #expect(odd.compactMap(labelled.extract).map { $0 + $1 } == [3])
      #expect(odd.compactMap(CasePath(Odd.error).extract).map { $0 as? Offline } == [Offline()])
      #expect(count(CasePath(Odd.other)) == 1)
      #expect(count(CasePath(Odd.optional)) == 2)
      #expect(count(CasePath(Odd.anything)) == 1)
    }
  }

  @Test("a path derived for a payload that holds a function is an issue, and matches nothing")
  func functions() {
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      #expect(CasePath(Odd.work).extract(.work { $0 + 1 }) == nil)
      #expect(CasePath(Odd.later).extract(.later(work: { $0 })) == nil)
      let two = CasePath<Odd, (Int, @Sendable () -> Void)> { .two($0.0, $0.1) }
      #expect(two.extract(.two(1, {})) == nil)
      #expect(!two.contains(.two(1, {})))
    }
    #expect(issues.messages.count == 3)
    #expect(
      issues.messages.first == """
        A path to a case of Odd with @Sendable (Int) -> Int cannot be derived: reflection gives \
        functions in a form that cannot be called. Write the path by hand: CasePath(embed: …) { … }.
        """)
  }

  enum Hidden: CasePathable, CustomReflectable, Sendable {
    case secret(Int)
    case open

    struct AllCasePaths: Sendable {}
    static let allCasePaths = AllCasePaths()
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  @Test("a path derived for an enum whose mirror hides the payload is an issue, told once")
  func hiddenPayload() {
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      let path = CasePath(Hidden.secret)
      #expect(path.extract(.secret(1)) == nil)
      #expect(path.extract(.open) == nil)
    }
    #expect(
      issues.messages == [
        """
        A path to a case of Hidden with Int cannot be derived: its mirror does not show the \
        payload. Write the path by hand: CasePath(embed: …) { … }.
        """
      ])
  }

  @Test("paths are named through the enum, chain, and say whether a value is in the case")
  func named() {
    #expect(Self.all.filter { $0.is(\.empty) } == [.empty])
    #expect(Self.all.filter { $0.is(\.pair) } == [.pair(3, "y")])
    #expect(Self.all.compactMap { $0[case: \.text] } == ["x"])
    #expect(Self.all.compactMap { $0[case: \.nested.square] } == [4])
    #expect(Shape.allCasePaths.nested.square.embed(7) == .nested(.square(7)))
  }

  @Test("a payload is set in its place; setting it in another case is an issue")
  func setting() {
    var shape = Shape.square(2)
    shape[case: \.square]? += 1
    #expect(shape == .square(3))
    let issues = IssueLog()
    withDependencies {
      $0.issueReporter = issues.reporter
    } operation: {
      shape[case: \.text] = "x"
    }
    #expect(shape == .square(3))
    #expect(issues.messages == ["A payload was set for a case that the value is not in: square(3)"])
  }

  @Test("a path by hand needs no reflection")
  func byHand() {
    let path = CasePath<Shape, Int>(embed: { .circle(radius: $0) }) { shape in
      if case .circle(let radius) = shape { radius } else { nil }
    }
    #expect(Self.all.compactMap(path.extract) == [1])
  }

  enum Generic<Payload: Sendable>: Sendable {
    case one(Payload)
    case two(Payload)
  }

  @Test("paths are derived for generic enums and single-case enums too")
  func generic() {
    enum Only: Equatable, Sendable { case one(Int) }
    let two = CasePath(Generic<[String]>.two)
    #expect(two.extract(.one(["a"])) == nil)
    #expect(two.extract(.two(["b"])) == ["b"])
    #expect(CasePath(Only.one).extract(.one(5)) == 5)
  }
}
