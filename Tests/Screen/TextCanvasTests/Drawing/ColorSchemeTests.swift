import Platform
import Testing

@testable import TextCanvas

@Suite("Schemes of colours")
struct ColorSchemeTests {
  @Test("the terminal's own leave a picture as it is")
  func terminal() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.write("red", at: .origin, style: .plain.foreground(.red))
    #expect(canvas.colored(by: .terminal) == canvas)
  }

  @Test("give each ink its look, the quiet one in place of dim, and keep what else a style has")
  func looks() {
    var scheme = ColorScheme.light
    scheme[.cyan] = Style(foreground: .palette(30)).underline
    #expect(scheme.style(of: .plain) == .plain)
    #expect(scheme.style(of: .plain.dim) == Style(foreground: .palette(240)))
    #expect(scheme.style(of: .plain.foreground(.red).bold) == Style(foreground: .palette(124)).bold)
    #expect(
      scheme.style(of: .plain.foreground(.cyan).dim)
        == Style(foreground: .palette(30)).underline.dim)
    #expect(
      !ColorScheme.highContrast.style(of: .plain.foreground(.red).dim).attributes.contains(.dim))
    #expect(scheme.style(of: .selected) == .selected)
    scheme[.quiet] = Style(foreground: .blue).dim
    #expect(scheme.style(of: .plain.dim) == Style(foreground: .blue).dim)
  }

  @Test("high contrast has a background of its own, behind every cell")
  func background() {
    let canvas = Canvas(size: Size(width: 2, height: 1)).colored(by: .highContrast)
    #expect(canvas.row(0).allSatisfy { $0.style.background == .palette(16) })
  }

  @Test(
    "can be read: by the contrast that is recommended for text, and high contrast by the enhanced one",
    arguments: [
      (ColorScheme.dark, "#1e1e1e", 4.5), (.dark, "#000000", 4.5), (.light, "#ffffff", 4.5),
      (.light, "#fdf6e3", 4.5), (.highContrast, "#000000", 7),
    ])
  func contrast(scheme: ColorScheme, paper: String, least: Double) throws {
    for role in ColorScheme.ColorRole.allCases where role != .background {
      guard case .palette(let number)? = scheme[role]?.foreground else { continue }
      let ratio = contrast(luminance(cube(Int(number))), luminance(hexadecimal(paper)))
      #expect(ratio >= least, "\(scheme.name) \(role) on \(paper): \(ratio)")
    }
  }

  @Test("colours are named, or are numbers")
  func names() {
    #expect(Color(named: "bright-blue") == .palette(12))
    #expect(Color(named: "standard") == .standard)
    #expect(Color(named: "255") == .palette(255))
    #expect(Color(named: "256") == nil)
    #expect(Color(named: "rde") == nil)
  }

  private func cube(_ number: Int) -> [Double] {
    if number >= 232 { return Array(repeating: Double(8 + (number - 232) * 10), count: 3) }
    let parts = [(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6]
    return parts.map { $0 == 0 ? 0 : Double(55 + 40 * $0) }
  }

  private func hexadecimal(_ text: String) -> [Double] {
    let number = Int(text.dropFirst(), radix: 16) ?? 0
    return [number >> 16, number >> 8 & 255, number & 255].map(Double.init)
  }

  /// As the guidelines for content on the web define it.
  private func luminance(_ color: [Double]) -> Double {
    zip(color, [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
      let value = part.0 / 255
      return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
  }

  private func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
