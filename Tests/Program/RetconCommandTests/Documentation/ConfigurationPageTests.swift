import Testing
import TextCanvas

@testable import RetconCommand

@Suite("The page on the configuration")
struct ConfigurationPageTests {
  @Test("its example is understood, and does what is said of it")
  func example() async throws {
    let example = try #require(try Page("configuration.md").blocks("conf").first)
    let configuration = Configuration(example, name: "config")
    #expect(configuration.problems == [])
    #expect(configuration.colors[.red] == ColorScheme.light[.red])
    #expect(configuration.colors[.yellow] == Style(foreground: .palette(130)).bold)
    let runner = try CommandRunner()
    let session = try runner.write(
      #"{"retcon":"1.0","app":{"name":"Cart"},"can":"replay"}"# + "\n", as: "cart.retcon")
    let host = configuration.host(
      ofSessionAt: session.replacing("$", with: runner.folder))
    #expect(host?.command.text == "/home/ann/cart/.build/release/CartHost --quick")
  }

  @Test("its sentence about a line is the one that is said")
  func sentence() throws {
    let sentence = try #require(try Page("configuration.md").blocks("text").first)
    let text = String(repeating: "\n", count: 6) + "key Crtl-t j"
    let configuration = Configuration(text, name: "~/.config/retcon/config")
    #expect(configuration.problems == [String(sentence.dropLast())])
  }

  @Test("its tables are those of the program")
  func tables() throws {
    let page = try Page("configuration.md").text
    let settings = Configuration.settings.map { setting in
      "| `\(setting.word) \(setting.takes.replacing("|", with: "\\|"))` | \(setting.words) |\n"
    }.joined()
    #expect(page.contains("| setting | |\n|---|---|\n\(settings)\n"), "\(settings)")
    let schemes = ColorScheme.all.dropFirst()
    let head =
      "| name | what it colours | " + schemes.map { "`\($0.name)`" }.joined(separator: " | ")
    let rows = ColorScheme.ColorRole.allCases.map { role in
      let looks = schemes.map { scheme in
        if case .palette(let number)? = scheme[role]?.foreground { " \(number) |" } else { " |" }
      }
      return "| `\(role.rawValue)` | \(role.words) |\(looks.joined())\n"
    }.joined()
    #expect(page.contains(head + " |\n|---|---|---|---|---|\n\(rows)\n"), "\(head)\n\(rows)")
    for name in Color.allNames + Style.Attributes.byName.map(\.name) {
      let last = name.split(separator: "-").last ?? ""
      #expect(page.contains("`\(last)`"), "\(name)")
    }
  }
}
