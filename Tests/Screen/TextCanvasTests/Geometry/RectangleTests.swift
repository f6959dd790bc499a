import Testing
import TextCanvas

@Suite("Rectangle")
struct RectangleTests {
  let screen = Rectangle(column: 2, row: 1, width: 10, height: 5)

  @Test("an area is cut at a row, and its rows and places are counted from its corner")
  func splits() {
    #expect(screen.split(top: 1).top == Rectangle(column: 2, row: 1, width: 10, height: 1))
    #expect(screen.split(top: 1).rest == Rectangle(column: 2, row: 2, width: 10, height: 4))
    #expect(screen.line(2) == Rectangle(column: 2, row: 3, width: 10, height: 1))
    #expect(screen.point(3) == Point(column: 5, row: 1))
    #expect(screen.point(3, -1) == Point(column: 5, row: 0))
  }

  @Test("more than there is takes all there is")
  func tooMuch() {
    #expect(screen.split(top: 99).rest.isEmpty)
    #expect(screen.split(top: 99).top == screen)
    #expect(screen.split(top: -1).rest == screen)
    #expect(screen.inset(columns: 9, rows: 9).isEmpty)
  }

  @Test("areas apart from each other share nothing")
  func apart() {
    #expect(screen.intersection(Rectangle(column: 50, row: 1, width: 5, height: 5)).isEmpty)
    #expect(!screen.contains(Point(column: 12, row: 1)))
    #expect(screen.contains(Point(column: 11, row: 5)))
  }
}
