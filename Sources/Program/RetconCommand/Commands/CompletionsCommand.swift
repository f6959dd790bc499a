import Samples
import TimeTravel

struct CompletionsCommand: Command {
  static let declaration = CommandDeclaration(
    name: "completions", usage: "bash|zsh|fish", summary: "print completions for a shell",
    discussion: """
      bash: source <(retcon completions bash)
      zsh:  source <(retcon completions zsh)
      fish: retcon completions fish | source
      make install puts them where these shells look for them by themselves.
      """)

  enum Shell: String, CaseIterable { case bash, zsh, fish }

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let name = given.positionals.first ?? ""
    guard let shell = Shell(rawValue: name) else {
      throw UsageError(
        what: name.isEmpty ? "completions needs a shell" : "there are no completions for \(name)",
        next: "Write "
          + (suggestion(for: name, among: Shell.allCases.map(\.rawValue))
            ?? "bash, zsh or fish"))
    }
    let commands = CommandTable.standard.shown
    switch shell {
    case .bash: context.output.data(bash(commands))
    case .zsh: context.output.data(zsh(commands))
    case .fish: context.output.data(fish(commands))
    }
    return .yes
  }

  private static func options(_ command: CommandDeclaration) -> [Option] {
    command.options + [HelpText.helpOption]
  }

  private static func cases(_ variable: String, _ commands: [CommandDeclaration]) -> String {
    commands.map { command in
      let words = options(command).map { "--\($0.name)" }.joined(separator: " ")
      return "    \(command.name)) \(variable)='\(words)' ;;"
    }.joined(separator: "\n")
  }

  /// The values that may follow a word of a command.
  private static func choices(
    _ variable: String, _ commands: [CommandDeclaration]
  ) -> String {
    let lines = commands.flatMap { command in
      command.options.filter { !$0.choices.isEmpty }.map { option in
        let letter = option.letter.map { "|'\(command.name) -\($0)'" } ?? ""
        let words = option.choices.joined(separator: " ")
        return "    '\(command.name) --\(option.name)'\(letter)) \(variable)='\(words)' ;;"
      }
    }
    return (lines + ["    'demo demo') \(variable)='\(samples)' ;;"]).joined(separator: "\n")
  }

  private static let samples = Samples.all.map { $0.name }.joined(separator: " ")

  /// Prints the forks of the first file among the words, one a line.
  private static func forks(_ words: String) -> String {
    """
    for file in \(words); do
        [ ! -f "${file%%@*}" ] || { retcon branches "${file%%@*}" 2>/dev/null | sed '/^ /d; s/  .*//'; break; }
      done
    """
  }

  private static func bash(_ commands: [CommandDeclaration]) -> String {
    """
    _retcon() {
      local word="${COMP_WORDS[COMP_CWORD]}" words='' choices=''
      case "${COMP_WORDS[1]}" in
    \(cases("words", commands))
      esac
      case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in
    \(choices("choices", commands))
      esac
      if [ "${COMP_WORDS[COMP_CWORD-1]}" = --branch ]; then
        local file IFS=$'\\n'
        COMPREPLY=($(compgen -W "$(\(forks(#""${COMP_WORDS[@]:1}""#)))" -- "$word")); return
      fi
      if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); return; fi
      if [ "$COMP_CWORD" -eq 1 ]; then words='\(commands.map(\.name).joined(separator: " "))'; fi
      case "$word" in
        -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word"))
           if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY+=($(compgen -W "$words" -- "$word")); fi ;;
      esac
    }
    complete -o filenames -F _retcon retcon

    """
  }

  private static func zsh(_ commands: [CommandDeclaration]) -> String {
    """
    #compdef retcon
    _retcon() {
      local options='' choices=''
      case "$words[2]" in
    \(cases("options", commands))
      esac
      case "$words[2] $words[CURRENT-1]" in
    \(choices("choices", commands))
      esac
      if [[ $words[CURRENT-1] == --branch ]]; then
        local file
        compadd -- ${(f)"$(\(forks(#""${words[@]:1}""#)))"}; return
      fi
      if [[ -n $choices ]]; then compadd -- ${=choices}; return; fi
      if [[ $PREFIX == -* ]]; then compadd -- ${=options}; return; fi
      if (( CURRENT == 2 )); then compadd -- \(commands.map(\.name).joined(separator: " ")); fi
      _files
    }
    if [[ $funcstack[1] == _retcon ]]; then _retcon "$@"; return; fi
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
    compdef _retcon retcon

    """
  }

  private static func fish(_ commands: [CommandDeclaration]) -> String {
    var lines = [
      """
      function __retcon_forks
        for word in (commandline -opc)
          set -l file (string replace -r '@.*' '' -- $word)
          test -f $file; and retcon branches $file 2>/dev/null | sed '/^ /d; s/  .*//'; and break
        end
      end
      """
    ]
    for command in commands {
      lines.append(
        "complete -c retcon -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))"
      )
      for option in options(command) {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let words = option.choices.joined(separator: " ")
        let forks = option.name == "branch" ? " -x -a '(__retcon_forks)'" : " -r"
        let value = option.value == nil ? "" : words.isEmpty ? forks : " -x -a '\(words)'"
        lines.append(
          "complete -c retcon -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)"
            + "\(letter)\(value) -d \(quoted(option.help))")
      }
    }
    lines.append("complete -c retcon -n '__fish_seen_subcommand_from demo' -f -a '\(samples)'")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

struct ManCommand: Command {
  static let declaration = CommandDeclaration(
    name: "man", usage: "", summary: "print the manual page",
    discussion: "To read it: retcon man | man -l -")

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    var page = """
      .TH RETCON 1 "" "Retcon \(version)"
      .SH NAME
      retcon \\- time-travel debugger for reducer-driven apps
      .SH SYNOPSIS
      .B retcon
      .I FILE[@STEP]
      .br
      .B retcon
      .I COMMAND
      [OPTIONS]
      .SH DESCRIPTION
      Opens the recorded session of a reducer-driven app, goes to any step at once, and re-runs the
      reducer from there into a fork.
      .SH EXIT STATUS
      0 yes, 1 no, 2 trouble, as in grep and diff.
      .SH COMMANDS

      """
    for command in CommandTable.standard.shown {
      page += ".SS \(roff(command.name)) \(roff(command.usage))\n"
      page += roff(command.summary) + ".\n"
      if !command.discussion.isEmpty { page += ".PP\n" + roff(command.discussion) + "\n" }
      for option in command.options {
        let letter = option.letter.map { "\\-\($0), " } ?? ""
        page += ".TP\n.B \(letter)\\-\\-\(roff(option.name))"
        page += option.value.map { " " + roff($0) } ?? ""
        page += "\n" + roff(option.help) + "\n"
      }
    }
    context.output.data(page)
    return .yes
  }

  private static func roff(_ text: String) -> String {
    let lines = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { ".'".contains($0.first ?? " ") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    return lines.unicodeScalars.map { scalar in
      guard !scalar.isASCII else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }.joined()
  }
}
