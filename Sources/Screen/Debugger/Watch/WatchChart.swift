import TextCanvas
import TimeTravel
import ValueTree

/// The course of a watched value, in as many rows as it gets. On a fork, the recording's course is
/// there too, and what lies between them is shaded.
struct WatchChart {
  private var own: Dots
  private var other: Dots
  private var lines: Dots
  private var shade: Dots
  let scale: ClosedRange<Double>?

  init(_ series: WatchSeries, beside other: WatchSeries?, on axis: TimeAxis, in size: Size) {
    own = Dots(size)
    self.other = Dots(size)
    lines = Dots(size)
    shade = Dots(size)
    scale = [series.scale, other?.scale].compactMap(\.self).joined
    var last: (own: ClosedRange<Int>?, other: ClosedRange<Int>?)
    for column in 0..<own.columns {
      let steps = axis.steps(half: column % 2, of: column / 2)
      let here = rows(of: series, steps, scale)
      let there = other.flatMap { rows(of: $0, steps, scale) }
      draw(here, behind: last.own, at: column, \.own)
      draw(there, behind: last.other, at: column, \.other)
      if let between = other == nil ? here.map({ $0.upperBound...own.rows }) : here.gap(to: there) {
        shade.fill(column: column, rows: between)
      }
      last = (here, there)
    }
    for part in [own, self.other] { lines.add(part) }
  }

  /// The rows of the lowest and the highest value; the first row is at the top.
  private func rows(
    of series: WatchSeries, _ steps: Range<Int>, _ scale: ClosedRange<Double>?
  ) -> ClosedRange<Int>? {
    let known = steps.clamped(to: series.steps.lowerBound..<series.steps.upperBound + 1)
    guard let levels = series.levels(in: known, on: scale) else { return nil }
    func row(_ level: Double) -> Int { Int(((1 - level) * Double(own.rows - 1)).rounded()) }
    return row(levels.upperBound)...row(levels.lowerBound)
  }

  /// Joins it with the column before.
  private mutating func draw(
    _ rows: ClosedRange<Int>?, behind last: ClosedRange<Int>?, at column: Int,
    _ dots: WritableKeyPath<Self, Dots>
  ) {
    guard let rows else { return }
    var joined = rows
    if let last {
      if last.upperBound < rows.lowerBound { joined = last.upperBound...rows.upperBound }
      if last.lowerBound > rows.upperBound { joined = rows.lowerBound...last.lowerBound }
    }
    self[keyPath: dots].fill(column: column, rows: joined)
  }

  func cell(_ point: Point, _ color: Color) -> (sign: String, style: Style)? {
    let style = Style(foreground: color)
    if let sign = lines[point] { return (sign, own[point] == nil ? .plain : style) }
    return shade[point].map { _ in ("░", style.dim) }
  }
}

extension [ClosedRange<Double>] {
  fileprivate var joined: ClosedRange<Double>? {
    guard let low = map(\.lowerBound).min(), let high = map(\.upperBound).max() else { return nil }
    return low...high
  }
}

extension ClosedRange<Int>? {
  /// The rows between two ranges.
  fileprivate func gap(to other: Self) -> ClosedRange<Int>? {
    guard let self, let other else { return nil }
    let (upper, lower) = self.lowerBound < other.lowerBound ? (self, other) : (other, self)
    return upper.upperBound + 1 < lower.lowerBound
      ? upper.upperBound + 1...lower.lowerBound - 1 : nil
  }
}

extension TimeAxis {
  /// The steps in one half of a column; of a column with one step, both halves are that step.
  fileprivate func steps(half: Int, of column: Int) -> Range<Int> {
    let all = steps(at: column)
    guard all.count > 1 else { return all }
    let middle = all.lowerBound + all.count / 2
    return half == 0 ? all.lowerBound..<middle : middle..<all.upperBound
  }
}

extension Painter {
  static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  static func bar(_ level: Double) -> String { bars[min(Int(level * 8), 7)] }

  mutating func drawWatches(in area: Rectangle) {
    let shown = state.shownSeries.prefix(area.height)
    guard !shown.isEmpty else { return }
    let height = area.height / max(shown.count, 1)
    for (index, series) in shown.enumerated() {
      var part = area
      part.origin.row += index * height
      part.size.height = height
      if height == 1 { drawBars(of: series, in: part) } else { drawChart(of: series, in: part) }
    }
  }

  private mutating func drawBars(of series: WatchSeries, in area: Rectangle) {
    let here = layout.axis.column(of: state.here.step)
    for column in 0..<area.width {
      let range = layout.axis.steps(at: column).clamped(to: 0..<series.steps.upperBound + 1)
      guard let levels = series.levels(in: range) else { continue }
      let (low, high) = (levels.lowerBound, levels.upperBound)
      // A column of many steps shows the farthest value, or that it has low and high ones.
      let sign = high - low > 0.5 ? "│" : Self.bar(low + high < 1 ? low : high)
      let style = Style(foreground: .cyan)
      canvas.write(sign, at: area.point(column), style: column == here ? style.bold : style)
    }
  }

  private mutating func drawChart(of series: WatchSeries, in area: Rectangle) {
    let chart = WatchChart(
      series, beside: state.recorded(series), on: layout.axis, in: area.size)
    let color = state.branch.isMain ? Color.cyan : state.color(of: state.here.branch)
    let here = layout.axis.column(of: state.here.step)
    for (row, words) in state.marks(on: series.hasTexts ? nil : chart.scale, rows: area.height) {
      if words == "0" {
        let line = String(repeating: "┄", count: area.width)
        canvas.write(line, at: area.point(0, row), style: .plain.dim)
      }
      let free = (0..<max(area.width - words.count, 0)).first { start in
        (start...start + words.count).allSatisfy {
          $0 != here && chart.cell(Point(column: $0, row: row), color) == nil
        }
      }
      if let free { canvas.write(words, at: area.point(free, row), style: .plain.dim) }
    }
    for row in 0..<area.height {
      for column in 0..<area.width {
        let isHere = column == here
        if let (sign, style) = chart.cell(Point(column: column, row: row), color) {
          canvas.write(sign, at: area.point(column, row), style: isHere ? style.bold : style)
        } else if isHere {
          canvas.write("┊", at: area.point(column, row), style: .plain.dim)
        }
      }
    }
  }
}

extension DebuggerState {
  /// The highest and the lowest value, and 0 between them, by their rows in a chart.
  fileprivate func marks(on scale: ClosedRange<Double>?, rows: Int) -> [Int: String] {
    guard let scale, scale.lowerBound < scale.upperBound else { return [:] }
    let height = scale.upperBound - scale.lowerBound
    let values = [0, scale.upperBound, scale.lowerBound].filter(scale.contains)
    return Dictionary(
      values.map { value in
        let row = (scale.upperBound - value) / height * Double(rows - 1)
        // A scale is half of the values, so that its height is finite.
        return (Int(row.rounded()), Number(value * 2).text(in: 10) ?? "")
      }
    ) { $1 }
  }

  /// The same value in the recording, beside a fork's. Texts have no common scale.
  func recorded(_ series: WatchSeries) -> WatchSeries? {
    guard series.branch != .main, !series.hasTexts else { return nil }
    return watch.series.first {
      $0.path == series.path && $0.branch == .main && !$0.hasTexts
    }
  }

  /// `total -8.36, main 31.64`, as the chart's name.
  func words(for series: WatchSeries) -> String {
    let value = series.value(at: here.step)?.words(in: 12)
    let recorded = recorded(series)?.value(at: here.step)?.words(in: 12)
    return series.path.shownName + (value.map { " \($0)" } ?? "")
      + (recorded.map { ", main \($0)" } ?? "")
  }
}
