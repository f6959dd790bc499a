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
