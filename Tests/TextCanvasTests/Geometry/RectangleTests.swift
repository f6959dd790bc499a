import Testing
import TextCanvas

@Suite("Rectangle")
struct RectangleTests {
  let screen = Rectangle(column: 2, row: 1, width: 10, height: 5)

  @Test("an area is cut from each of its edges")
  func splits() {
    #expect(screen.split(top: 1).top == Rectangle(column: 2, row: 1, width: 10, height: 1))
    #expect(screen.split(top: 1).rest == Rectangle(column: 2, row: 2, width: 10, height: 4))
    #expect(screen.split(bottom: 2).bottom == Rectangle(column: 2, row: 4, width: 10, height: 2))
    #expect(screen.split(left: 3).rest == Rectangle(column: 5, row: 1, width: 7, height: 5))
    #expect(screen.split(right: 3).right == Rectangle(column: 9, row: 1, width: 3, height: 5))
  }

  @Test("more than there is takes all there is")
  func tooMuch() {
    #expect(screen.split(top: 99).rest.isEmpty)
    #expect(screen.split(right: 99).right == screen)
    #expect(screen.split(left: -1).rest == screen)
    #expect(screen.inset(columns: 9, rows: 9).isEmpty)
  }

  @Test("areas apart from each other share nothing")
  func apart() {
    #expect(screen.intersection(Rectangle(column: 50, row: 1, width: 5, height: 5)).isEmpty)
    #expect(!screen.contains(Point(column: 12, row: 1)))
    #expect(screen.contains(Point(column: 11, row: 5)))
  }
}
