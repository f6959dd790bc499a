/// The help, made from the declarations.
enum HelpText {
  static func overview(of commands: [CommandDeclaration], program: String) -> String {
    let shown = commands.filter { !$0.isHidden }
    let width = shown.map(\.name.count).max() ?? 0
    let lines = shown.map { "  \(padded($0.name, width))  \($0.summary)" }
    return """
      Retcon opens the recorded session of a reducer-driven app, goes to any step at once, and
      re-runs the reducer from there into a fork.

      Usage: \(program) FILE[@STEP]            open a session in the debugger
             \(program) COMMAND [OPTIONS] …    one of the commands below

      \(lines.joined(separator: "\n"))

      \(program) COMMAND --help tells more. Exit status: 0 yes, 1 no, 2 trouble.

      """
  }

  static func help(for command: CommandDeclaration, program: String) -> String {
    var text = """
      \(command.summary)

      Usage: \(program) \(command.name) \(command.usage)

      """
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    let options = command.options.filter { !$0.isHidden } + [helpOption]
    let heads = options.map(head)
    let width = heads.map(\.count).max() ?? 0
    text += "\nOptions:\n"
    for (head, option) in zip(heads, options) {
      text += "  \(padded(head, width))  \(option.help)\n"
    }
    return text
  }

  static let helpOption = OptionDeclaration("help", letter: "h", help: "this text")

  private static func head(_ option: OptionDeclaration) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return letter + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
