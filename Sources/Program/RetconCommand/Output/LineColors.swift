/// The colors of listings and differences: green for what is new, red for what is gone or failed.
enum LineColors {
  static let option = Option(
    "color", value: "WHEN", choices: ["auto", "always", "never"],
    help: "auto: on a terminal, unless NO_COLOR is set")

  static func areWanted(_ word: String?, in context: CommandContext) throws(UsageError) -> Bool {
    switch word {
    case nil, "auto"?:
      context.output.dataIsTerminal && (context.environment["NO_COLOR"] ?? "").isEmpty
    case "always"?: true
    case "never"?: false
    case let word?:
      throw UsageError(
        what: "--color is \(word)", next: "Write --color auto, always or never")
    }
  }

  static func colored(_ line: String) -> String {
    let code =
      switch line.drop(while: { $0 == " " }).prefix(2) {
      case "+ ": 32
      case "− ": 31
      case "~ ", "↕ ": 33
      default: line.contains("✗") ? 31 : 0
      }
    return code == 0 ? line : "\u{1B}[\(code)m\(line)\u{1B}[0m"
  }
}
