import Testing

@testable import TextCanvas

@Suite("Links in a picture")
struct LinkTests {
  @Test(
    "lie where they were drawn, as far as that is seen, and are gone under what is drawn over them")
  func places() {
    var canvas = Canvas(size: Size(width: 10, height: 4))
    canvas.inside(Rectangle(column: 2, row: 1, width: 6, height: 2)) { inner in
      inner.link(Rectangle(column: 1, row: 0, width: 9, height: 2), to: .choice(7))
    }
    #expect(canvas.link(at: Point(column: 2, row: 1)) == nil)
    #expect(canvas.link(at: Point(column: 3, row: 1))?.destination == .choice(7))
    #expect(canvas.link(at: Point(column: 7, row: 2))?.destination == .choice(7))
    #expect(canvas.link(at: Point(column: 8, row: 2)) == nil)
    canvas.fill(Rectangle(column: 0, row: 2, width: 4, height: 1))
    #expect(canvas.link(at: Point(column: 7, row: 2)) == nil)
    #expect(canvas.link(at: Point(column: 7, row: 1))?.destination == .choice(7))
    canvas.link(Rectangle(column: 4, row: 1, width: 1, height: 1), to: .key(.enter))
    #expect(canvas.link(at: Point(column: 4, row: 1))?.destination == .key(.enter))
  }

  @Test("the address of a file is printable ASCII, whatever its path is")
  func address() {
    #expect(
      Link.address(of: "/a b/\u{1B}\\%ä.swift", line: 3, host: "my host")
        == "file://my%20host/a%20b/%1B%5C%25%C3%A4.swift#3")
  }
}
