import SessionWords
import ValueTree

/// A question that an agent may ask, answered by the usual commands. Arguments become values, never
/// command-line words, so no text can become an option.
struct AgentTool: Sendable {
  var name: String
  var summary: String
  var arguments: [Argument]
  var requests: @Sendable (AgentCall) throws -> [any TypedCommand]
  var changesForks = false

  struct Argument: Sendable {
    var name: String
    var kind: Kind
    var summary: String
    var isRequired = false

    init(_ name: String, _ summary: String, _ kind: Kind = .text, required: Bool = false) {
      self.name = name
      self.kind = kind
      self.summary = summary
      isRequired = required
    }
  }

  enum Kind: Sendable {
    case text, wholeNumber, boolean
    case action
    case one(of: [String])

    func allows(_ value: Value) -> Bool {
      switch (self, value) {
      case (.text, .string), (.wholeNumber, .number(.integer)), (.boolean, .bool): true
      case (.action, .string), (.action, .object), (.action, .array): true
      case (.one(let words), .string(let word)): words.contains(word)
      default: false
      }
    }

    var words: String {
      switch self {
      case .text: "a text"
      case .wholeNumber: "a whole number"
      case .boolean: "true or false"
      case .action: "a label or an action"
      case .one(let words): "one of " + words.joined(separator: ", ")
      }
    }

    fileprivate var schema: ValueObject {
      switch self {
      case .text: ["type": "string"]
      case .wholeNumber: ["type": "integer"]
      case .boolean: ["type": "boolean"]
      case .action: ["type": ["string", "object", "array"]]
      case .one(let words): ["type": "string", "enum": .list(words, Value.string)]
      }
    }
  }

  /// Limits of each call.
  static let budget = [
    Argument("seconds", "how long it may take (20)", .wholeNumber),
    Argument("bytes", "how long the answer may be (4096)", .wholeNumber),
  ]

  private static let file = Argument("file", "a session; may be left out where there is only one")
  private static let until = Argument("until", "the condition that should not come to hold")
  private static let rule = Argument("rule", "instead: the condition that should hold always")
  private static let branch = Argument("branch", "a fork; main where left out")

  static let all: [AgentTool] = [
    AgentTool(
      name: "overview",
      summary: "What a session is: app, steps, damage, forks, marks. Ask this first.",
      arguments: [file],
      requests: {
        [
          InfoCommand(session: SessionArgument(file: $0.file)),
          BranchesCommand(asking: $0.asking()),
          MarkCommand(asking: $0.asking()),
        ]
      }),
    AgentTool(
      name: "sessions", summary: "The sessions that this server was started for.", arguments: [],
      requests: { _ in [] }),
    AgentTool(
      name: "steps",
      summary:
        "The actions of a session, one a line; with `step` all that is known of one: its action, "
        + "what sent it back to the user, what it changed, effects, reads.",
      arguments: [
        file, branch, Argument("step", "show this one in full", .wholeNumber),
        Argument("from", "first step of a list", .wholeNumber),
        Argument("to", "last step of a list", .wholeNumber),
        Argument("where", "only those for which this condition holds"),
      ],
      requests: { call in
        if let step = call.number("step") { return [ShowCommand(asking: call.asking(at: step))] }
        var asking = call.asking()
        let (first, last) = (call.number("from"), call.number("to"))
        if first != nil || last != nil { asking.range = try StepRange(first, last) }
        let question = try call.text("where").map { try asking.question($0) }
        return [StepsCommand(asking: asking, question: question)]
      }),
    AgentTool(
      name: "state",
      summary:
        "The state after a step, or the part of it at `place`. Give a place: states are large.",
      arguments: [
        file, branch, Argument("step", "the last one where left out", .wholeNumber),
        Argument("place", "a pointer (/cart/items/3) or a path (cart.items[3])"),
        Argument(
          "since", "instead: what is different from the state after this step", .wholeNumber),
      ],
      requests: { call in
        let here = call.asking(at: call.number("step"))
        let place = try Pointer(typed: call.text("place") ?? "")
        guard let since = call.number("since") else {
          return [StateCommand(asking: here, place: place)]
        }
        return [
          DiffCommand(asking: call.asking(at: since), other: here.position, place: place)
        ]
      }),
    AgentTool(
      name: "blame",
      summary:
        "The history of a place in the state, the asked value first: its steps, the action that set it, "
        + "and the causes back to the user. Elements of lists are followed as they move.",
      arguments: [
        file, branch, Argument("place", "a pointer or a path", required: true),
        Argument("step", "the step whose state is meant", .wholeNumber),
      ],
      requests: {
        var asking = $0.asking(at: $0.number("step"))
        let place = try asking.places([$0.text("place") ?? ""])[0]
        return [BlameCommand(asking: asking, place: place)]
      }),
    AgentTool(
      name: "trace",
      summary:
        "One thing through all actions, found by its id: `order 4711`. The steps that touch or name it, "
        + "what changes of it, and what was asked and answered about it.",
      arguments: [file, branch, Argument("entity", "an id, or a kind and an id", required: true)],
      requests: { [try TraceCommand(asking: $0.asking(), named: $0.text("entity") ?? "")] }),
    AgentTool(
      name: "odd",
      summary:
        "Without a question: the steps that are unlike their kind, the most surprising first. Ask this "
        + "where you do not know where to look.",
      arguments: [file, branch],
      requests: { [OddCommand(asking: $0.asking())] }),
    AgentTool(
      name: "find",
      summary:
        "The steps for which a condition holds, such as `state.total < 0 && label == 'add'`. It "
        + "asks about label, action, state, previous, cause, step, time, reads, standing; paths are "
        + "those of JSONPath.",
      arguments: [
        file, branch, Argument("condition", "the condition", required: true),
        Argument(
          "only", "tell only this", .one(of: FindCommand.Only.allCases.map(\.rawValue))),
      ],
      requests: { call in
        let asking = call.asking()
        return [
          FindCommand(
            asking: asking, question: try asking.question(call.text("condition") ?? ""),
            only: call.text("only").flatMap(FindCommand.Only.init))
        ]
      }),
    AgentTool(
      name: "check",
      summary: "Whether a condition holds for every step; if not, where it breaks first and why.",
      arguments: [file, branch, Argument("rule", "the condition", required: true)],
      requests: { [try CheckCommand(asking: $0.asking(), rules: [$0.text("rule") ?? ""])] }),
    AgentTool(
      name: "fork",
      summary:
        "Changes one step and runs the rest again through the app's reducer, without its effects. "
        + "Give one of skip, replace, send, set, move, read; with `until`, the answer begins with whether "
        + "that still happens. Each step has signs for how far to trust it: "
        + "\(Standing.legend). Nothing is kept without a name.",
      arguments: [
        file, branch, Argument("step", "the step to change", .wholeNumber, required: true),
        Argument("skip", "leave it out", .boolean),
        Argument("replace", "another action: JSON, or the label of a recorded one", .action),
        Argument("send", "one more action after it", .action),
        Argument("set", "PLACE=VALUE in the state after it"),
        Argument("move", "by how many steps to move it; earlier if negative", .wholeNumber),
        Argument("read", "KEY=VALUE that a dependency gives"),
        Argument("until", "a condition: does it still come to hold?"),
        Argument("name", "keep the fork under this name, beside the session"),
      ],
      requests: { call in
        let asking = call.asking(at: call.number("step"))
        return [
          ForkCommand(
            asking: asking, edit: try call.edit, name: call.text("name"),
            until: try call.text("until").map { try asking.question($0) })
        ]
      }, changesForks: true),
    AgentTool(
      name: "why",
      summary:
        "Why a place has its value after a step, or why a condition comes to hold: the chain of causes, "
        + "each left out alone and marked necessary, contributing or not tested, and how late it could "
        + "still have been avoided.",
      arguments: [
        file, branch, Argument("step", "where it shows", .wholeNumber, required: true),
        Argument("place", "a pointer or a path"),
        Argument("until", "instead of a place: the condition that holds there"),
      ],
      requests: {
        [
          WhyCommand(
            asking: $0.asking(at: $0.number("step")),
            options: try $0.search, place: try $0.text("place").map { try Pointer(typed: $0) })
        ]
      }),
    AgentTool(
      name: "minimize",
      summary:
        "The fewest actions that still cause it, each with what of it matters. Takes its time.",
      arguments: [file, branch, until, rule],
      requests: { [MinimizeCommand(asking: $0.asking(), options: try $0.search)] }),
    AgentTool(
      name: "explore",
      summary:
        "Whether answers and actions in another order break a rule, and which order. Takes its time.",
      arguments: [
        file, branch, Argument("rule", "the condition that should hold", required: true),
        Argument("step", "try other orders from here on", .wholeNumber),
      ],
      requests: {
        [
          ExploreCommand(asking: $0.asking(at: $0.number("step")), options: try $0.search)
        ]
      }),
    AgentTool(
      name: "test",
      summary:
        "The session up to a step as the text of a test. With a rule it fails until the reducer keeps it.",
      arguments: [
        file, branch, Argument("step", "the last one", .wholeNumber),
        Argument("rule", "about the state; has to hold after the step that breaks it"),
      ],
      requests: {
        [
          try TestCommand(
            asking: $0.asking(at: $0.number("step")), kind: nil, rule: $0.text("rule"))
        ]
      }),
    AgentTool(
      name: "verify",
      summary: "Runs the session again through today's reducer and says where it differs first.",
      arguments: [file],
      requests: {
        var command = VerifyCommand([SessionArgument(file: $0.file)], host: $0.host)
        command.showsAll = true
        return [command]
      }),
  ]

  var value: Value {
    let properties = (arguments + Self.budget).map { argument in
      var schema = argument.kind.schema
      schema["description"] = .string(argument.summary)
      return (key: argument.name, value: Value.object(schema))
    }
    return [
      "name": .string(name), "description": .string(summary),
      "inputSchema": [
        "type": "object", "properties": .object(ValueObject(properties)),
        "required": .list(arguments.filter(\.isRequired)) { .string($0.name) },
        "additionalProperties": false,
      ],
      "annotations": [
        "readOnlyHint": .bool(!changesForks), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
  }
}

extension AgentTool {
  /// A message of a command with arguments of this tool in place of options. Says who has the other
  /// options.
  func words(_ message: String) -> String {
    var notes = ""
    let server = McpCommand.declaration.options.map(\.name)
    let text = message.replacing(/--([a-z][a-z-]*)/) { option in
      let name = String(option.1)
      if (arguments + Self.budget).contains(where: { $0.name == name }) { return name }
      if name == "time" { return "seconds" }
      notes +=
        server.contains(name)
        ? "--\(name) is an option of retcon mcp, for whoever starts this server.\n"
        : "--\(name) is an option of the command line, and no argument of \(self.name).\n"
      return String(option.0)
    }
    guard !notes.isEmpty else { return text }
    return text + (text.hasSuffix("\n") ? "" : "\n") + notes.dropLast(text.hasSuffix("\n") ? 0 : 1)
  }
}
