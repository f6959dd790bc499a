import SessionWords
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("The chart of a watched value")
struct WatchChartTests {
  private func series(_ values: [Double], of branch: BranchID = "main") -> WatchSeries {
    let steps = 0...values.count - 1
    var series = WatchSeries(
      ValuePath([.key("n")]), of: Branch(branch, steps: steps), from: 0)
    series.add(
      WatchBatch(steps: steps, values: values.indices.map { ($0, .number(values[$0])) }))
    return series
  }

  private func drawn(
    _ own: WatchSeries, beside other: WatchSeries? = nil, width: Int, height: Int
  ) -> String {
    let size = Size(width: width, height: height)
    let chart = WatchChart(own, beside: other, on: TimeAxis(own.steps, width: width), in: size)
    return (0..<height).map { row in
      (0..<width).map { column in
        chart.cell(Point(column: column, row: row), .cyan)?.sign ?? " "
      }.joined()
    }.joined(separator: "\n")
  }

  @Test("a value that grows climbs, and what is below it is shaded")
  func growing() {
    #expect(
      drawn(series([0, 1, 2, 3]), width: 4, height: 2) == """
          ▄▛
        ▄▛▘░
        """)
  }

  @Test("a fork's curve and the recording's share a scale, and the area between is shaded")
  func fork() {
    let chart = drawn(
      series([0, 0, 0], of: "fork 1"), beside: series([0, 0, 9]), width: 3, height: 3)
    #expect(
      chart == """
          ▛
          ▌
        ▄▄▙
        """)
  }

  @Test("dots, two by two, have a sign each, and one in ASCII")
  func dots() {
    var dots = Dots(Size(width: 1, height: 1))
    #expect(dots[.origin] == nil)
    dots.fill(column: 0, rows: 0...1)
    #expect(dots[.origin] == "▌")
    dots.fill(column: 1, rows: 1...9)
    #expect(dots[.origin] == "▙")
    dots.fill(column: 7, rows: 0...0)
    dots.fill(column: 0, rows: 5...6)
    #expect(dots[.origin] == "▙" && dots[Point(column: 1, row: 0)] == nil)
  }

  @Test("an arc joins a step with what sent it and what it sent")
  func arc() {
    #expect(CauseArc([4]) == nil)
    let arc = CauseArc([4, 6, 9])
    #expect((3...10).map { arc?.sign(at: $0) ?? " " }.joined() == " ╭│├││╰ ")
  }
}
