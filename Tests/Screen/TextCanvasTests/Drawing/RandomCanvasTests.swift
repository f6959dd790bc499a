import Platform
import TestSupport
import Testing

@testable import TextCanvas

/// Random pictures. `RETCON_SEED` repeats a run, `RETCON_LONG` makes a long one.
@Suite("Random canvases")
struct RandomCanvasTests {
  private static let runs = getenv("RETCON_LONG") == nil ? 300 : 30_000
  private static let seed = getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_26

  private static let pieces = [
    "a", "Zz", " ", "é", "e\u{301}", "日", "本語", "👍", "👍🏽", "👩\u{200D}🚀", "🇩🇪", "🇩", "❤\u{FE0F}",
    "1\u{FE0F}\u{20E3}", "\u{1B}[2J", "\u{202E}", "\u{200D}", "\u{FE0F}", "\u{301}", "क्षि", "한", "\n",
    "\u{1112}\u{1161}\u{11AB}", "\u{9B}", "…", "─", "\u{E000}",
  ]

  private func text(by random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      Self.pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  @Test("every row is made of whole cells that fill it, whatever is written wherever")
  func wholeCells() {
    var random = SeededGenerator(seed: Self.seed)
    for run in 0..<Self.runs {
      var canvas = Canvas(
        size: Size(
          width: .random(in: 0...12, using: &random), height: .random(in: 0...4, using: &random)))
      for _ in 0..<12 { draw(on: &canvas, depth: 0, by: &random) }
      for picture in [canvas, canvas.asciiOnly] {
        let complaint = Self.complaint(about: picture)
        #expect(complaint == nil, "seed \(Self.seed), run \(run): \(complaint ?? "")")
      }
    }
  }

  private func draw(on canvas: inout Canvas, depth: Int, by random: inout SeededGenerator) {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    let point = Point(column: number(-4...13), row: number(-2...5))
    let area = Rectangle(
      column: point.column, row: point.row, width: number(-1...10), height: number(-1...5))
    switch number(0...6) {
    case 0: canvas.write(text(by: &random), at: point)
    case 1: canvas.write(text(by: &random), at: point, style: .selected, width: number(-1...9))
    case 2:
      canvas.write(text(by: &random), at: point, width: number(-1...9), alignment: .right)
    case 3: canvas.fill(area, with: text(by: &random).first ?? "x")
    case 4: canvas.box(area, title: text(by: &random))
    case 5: canvas.restyle(area, \.bold)
    default:
      guard depth < 3 else { return }
      canvas.inside(area) { draw(on: &$0, depth: depth + 1, by: &random) }
    }
  }

  /// The fault of a canvas, if it has one.
  private static func complaint(about canvas: Canvas) -> String? {
    for row in 0..<canvas.fullSize.height {
      let cells = Array(canvas.row(row))
      var column = 0
      while column < cells.count {
        let cell = cells[column]
        if cell.width == 0 { return "half a cell at \(column),\(row): \(canvas.text)" }
        if SafeText.width(cell.text) != Int(cell.width) { return "“\(cell.text)” is not as wide" }
        if SafeText.line(cell.text) != cell.text { return "“\(cell.text)” is not safe" }
        if cell.width == 2 {
          guard column + 1 < cells.count, cells[column + 1].width == 0 else {
            return "a cell without its right half at \(column),\(row): \(canvas.text)"
          }
        }
        column += Int(cell.width)
      }
    }
    return nil
  }

  @Test("truncated text fits, and is the text itself when that fits")
  func truncation() {
    var random = SeededGenerator(seed: Self.seed)
    for run in 0..<Self.runs * 4 {
      let text = text(by: &random)
      let width = Int.random(in: 0...14, using: &random)
      let shown = SafeText.truncated(text, to: width)
      let note = "seed \(Self.seed), run \(run), width \(width): \(text.debugDescription)"
      #expect(SafeText.width(shown) <= width, "\(note)")
      #expect(SafeText.width(text) > width || shown == SafeText.line(text), "\(note)")
      #expect(SafeText.line(SafeText.line(text)) == SafeText.line(text), "\(note)")
    }
  }
}
