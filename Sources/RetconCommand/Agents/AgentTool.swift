import ValueTree

/// A question that an agent may ask, answered by the commands that a person would type.
struct AgentTool: Sendable {
  var name: String
  var summary: String
  var arguments: [Argument]
  /// Which commands answer it.
  var commands: @Sendable (AgentCall) throws -> [[String]]
  /// Where a person would look for more.
  var changesForks = false

  struct Argument: Sendable {
    enum Kind: String { case string, integer, boolean }

    var name: String
    var kind: Kind
    var summary: String
    var isRequired = false

    init(_ name: String, _ summary: String, _ kind: Kind = .string, required: Bool = false) {
      self.name = name
      self.kind = kind
      self.summary = summary
      isRequired = required
    }
  }

  private static let file = Argument("file", "a session; may be left out where there is only one")
  private static let branch = Argument("branch", "a fork; main where left out")

  static let all: [AgentTool] = [
    AgentTool(
      name: "overview",
      summary: "What a session is: app, steps, damage, forks, marks. Ask this first.",
      arguments: [file],
      commands: { [["info", $0.file], ["branches", $0.file], ["mark", $0.file]] }),
    AgentTool(
      name: "steps",
      summary:
        "The actions of a session, one a line; with `step` all that is known of one: its action, "
        + "what sent it back to the user, what it changed, effects, reads.",
      arguments: [
        file, branch, Argument("step", "show this one in full", .integer),
        Argument("from", "first step of a list", .integer),
        Argument("to", "last step of a list", .integer),
        Argument("where", "only those for which this condition holds"),
      ],
      commands: { call in
        if let step = call["step"] { return [["show", call.position(step)] + call.branchWords] }
        return [
          ["steps", call.file] + call.range + call.option("where") + call.branchWords
        ]
      }),
    AgentTool(
      name: "state",
      summary:
        "The state after a step, or the part of it at `place`. Give a place: states are large.",
      arguments: [
        file, branch, Argument("step", "the last one where left out", .integer),
        Argument("place", "a pointer (/cart/items/3) or a path (cart.items[3])"),
        Argument("since", "instead: what is different from the state after this step", .integer),
      ],
      commands: { call in
        let here = call.position(call["step"])
        if let since = call["since"] {
          let place = call["place"].map { ["--at", $0] } ?? []
          return [["diff", call.position(since), here] + place + call.branchWords]
        }
        return [["state", here] + (call["place"].map { [$0] } ?? []) + call.branchWords]
      }),
    AgentTool(
      name: "blame",
      summary:
        "Every value that a place of the state had, from when to when, the action that set it, and "
        + "what sent that, back to the user. Elements of lists are followed as they move.",
      arguments: [
        file, branch, Argument("place", "a pointer or a path", required: true),
        Argument("step", "the step at which the place is meant", .integer),
      ],
      commands: { [["blame", $0.position($0["step"]), $0["place"] ?? ""] + $0.branchWords] }),
    AgentTool(
      name: "find",
      summary:
        "The steps for which a condition holds, such as `state.total < 0 && label == 'add'`. It "
        + "asks about label, action, state, previous, cause, step, time, reads, standing; paths are "
        + "those of JSONPath.",
      arguments: [
        file, branch, Argument("condition", "the condition", required: true),
        Argument("only", "first, last or count"),
      ],
      commands: { call in
        let only = call["only"].map { ["--\($0)"] } ?? []
        return [["find", call.file, call["condition"] ?? ""] + only + call.branchWords]
      }),
    AgentTool(
      name: "fork",
      summary:
        "Changes one step and runs the rest again through the app's reducer, without its effects. "
        + "Give one of skip, replace, send, set, move, read. Each step has a sign for what it is worth: "
        + "= as recorded, ≠ different, + new; ? rests on an assumption, * on your edit. Nothing is kept "
        + "without a name.",
      arguments: [
        file, branch, Argument("step", "the step to change", .integer, required: true),
        Argument("skip", "leave it out", .boolean),
        Argument("replace", "another action: JSON, or the label of a recorded one"),
        Argument("send", "one more action after it"),
        Argument("set", "PLACE=VALUE in the state after it"),
        Argument("move", "so many steps later, or earlier", .integer),
        Argument("read", "KEY=VALUE that a dependency gives"),
        Argument("name", "keep the fork under this name, beside the session"),
      ],
      commands: { call in
        let edits = ["replace", "send", "set", "move", "read", "name"].flatMap { call.option($0) }
        let skip = call["skip"] == "true" ? ["--skip"] : []
        return [["fork", call.position(call["step"])] + skip + edits + call.branchWords]
      }, changesForks: true),
    AgentTool(
      name: "why",
      summary:
        "Why a place has its value after a step, or why a condition comes to hold: the chain of causes, "
        + "each left out alone and marked necessary, contributing or not tested, and how late it could "
        + "still have been avoided.",
      arguments: [
        file, branch, Argument("step", "where it shows", .integer, required: true),
        Argument("place", "a pointer or a path"),
        Argument("until", "instead of a place: the condition that holds there"),
      ],
      commands: { call in
        let place = call["place"].map { [$0] } ?? []
        return [
          ["why", call.position(call["step"])] + place + call.option("until") + call.branchWords
        ]
      }),
    AgentTool(
      name: "verify",
      summary: "Runs the session again through today's reducer and says where it differs first.",
      arguments: [file], commands: { [["verify", $0.file]] }),
  ]

  var value: Value {
    let properties = arguments.map { argument in
      (
        key: argument.name,
        value: ["type": .string(argument.kind.rawValue), "description": .string(argument.summary)]
          as Value
      )
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

/// The arguments of one call, as texts.
struct AgentCall: Sendable {
  var file: String
  private let values: [String: String]

  init(_ arguments: Value, of tool: AgentTool, files: [String]) throws(UsageError) {
    guard case .object(let object) = arguments else {
      throw UsageError(what: "the arguments are no object")
    }
    var values: [String: String] = [:]
    for (key, value) in object where value != .null {
      guard let argument = tool.arguments.first(where: { $0.name == key }) else {
        throw UsageError(
          what: "\(tool.name) has no argument \(key)",
          next: "It has " + tool.arguments.map(\.name).joined(separator: ", "))
      }
      switch value {
      case .string(let text): values[key] = text
      case .number, .bool: values[key] = value.text()
      // An action as it is, where its text was asked for.
      case .object where argument.kind == .string, .array where argument.kind == .string:
        values[key] = value.text()
      default: throw UsageError(what: "\(key) is no \(argument.kind.rawValue)")
      }
    }
    for argument in tool.arguments where argument.isRequired && values[argument.name] == nil {
      throw UsageError(what: "\(tool.name) needs \(argument.name): \(argument.summary)")
    }
    guard let file = values["file"] ?? (files.count == 1 ? files[0] : nil) else {
      throw UsageError(
        what: "\(tool.name) needs a file",
        next: files.isEmpty ? nil : "There are " + files.joined(separator: ", "))
    }
    guard files.isEmpty || files.contains(file) else {
      throw UsageError(
        what: "\(file) is none of the files that this server was started for",
        next: "There are " + files.joined(separator: ", "))
    }
    self.file = file
    self.values = values
  }

  subscript(name: String) -> String? { values[name] }

  func position(_ step: String?) -> String { step.map { "\(file)@\($0)" } ?? file }

  func option(_ name: String) -> [String] { values[name].map { ["--\(name)=\($0)"] } ?? [] }

  var branchWords: [String] { option("branch") }

  var range: [String] {
    guard values["from"] != nil || values["to"] != nil else { return [] }
    return ["--range=\(values["from"] ?? "")..\(values["to"] ?? "")"]
  }
}

/// About how many tokens a text costs who reads it, rather too many than too few: a word is one for each
/// six letters, a number one for each three digits, two signs are one, and what is not ASCII two.
struct TokenCount: Sendable {
  private(set) var total = 0
  private var run = (kind: Kind.blank, length: 0)

  private enum Kind: Int {
    case blank = 0
    case signs = 2
    case digits = 3
    case letters = 6
  }

  init(_ text: String = "") { for scalar in text.unicodeScalars { add(scalar) } }

  mutating func add(_ scalar: Unicode.Scalar) {
    let kind: Kind
    switch scalar {
    case "a"..."z", "A"..."Z": kind = .letters
    case "0"..."9": kind = .digits
    case " ": kind = .blank
    case _ where scalar.isASCII: kind = .signs
    default:
      total += 2
      kind = .blank
    }
    run = kind == run.kind ? (kind, run.length + 1) : (kind, 1)
    if kind != .blank, (run.length - 1).isMultiple(of: kind.rawValue) { total += 1 }
  }

  /// As much of a text as so many tokens pay for.
  static func prefix<Text: StringProtocol>(of text: Text, _ tokens: Int) -> Text.SubSequence {
    var count = TokenCount()
    return text.prefix { character in
      for scalar in character.unicodeScalars { count.add(scalar) }
      return count.total <= tokens
    }
  }
}
