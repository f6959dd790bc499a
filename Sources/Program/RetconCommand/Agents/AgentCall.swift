import SessionWords
import ValueTree

/// An agent's question to a tool, with arguments that were checked.
struct AgentCall: Sendable {
  var file = ""
  let host: HostOptions
  private var values = ValueObject()
  private(set) var seconds = 20
  private(set) var bytes = 4096

  init(_ arguments: Value, of tool: AgentTool, host: HostOptions) throws(UsageError) {
    self.host = host
    guard case .object(let object) = arguments else {
      throw UsageError(what: "the arguments must be a JSON object")
    }
    for (key, value) in object where value != .null {
      let known = tool.arguments + AgentTool.budget
      guard let argument = known.first(where: { $0.name == key }) else {
        throw UsageError(
          what: "\(tool.name) has no argument \(key.clipped())",
          next: "It has " + known.map(\.name).joined(separator: ", "))
      }
      guard argument.kind.allows(value) else {
        throw UsageError(
          what: "\(key) is \(value.text().clipped()), and that is not \(argument.kind.words)")
      }
      values[key] = value
    }
    for argument in tool.arguments where argument.isRequired && values[argument.name] == nil {
      throw UsageError(what: "\(tool.name) needs \(argument.name): \(argument.summary)")
    }
    seconds = try within(1...3600, "seconds") ?? seconds
    bytes = try within(256...65_536, "bytes") ?? bytes
  }

  /// Most of the time, so that a search tells what it has found before the call ends.
  var search: SearchOptions {
    get throws {
      var options = try SearchOptions(
        until: [text("until")].compactMap(\.self), rules: [text("rule")].compactMap(\.self),
        of: asking())
      options.time = .milliseconds(seconds * 750)
      return options
    }
  }

  func text(_ name: String) -> String? { values[name]?.string }

  func number(_ name: String) -> Int? {
    if case .number(.integer(let number))? = values[name] { Int(exactly: number) } else { nil }
  }

  private func within(_ range: ClosedRange<Int>, _ name: String) throws(UsageError) -> Int? {
    guard values[name] != nil else { return nil }
    if let number = number(name), range.contains(number) { return number }
    throw UsageError(what: "\(name) is from \(range.lowerBound) to \(range.upperBound)")
  }

  func asking(at step: Int? = nil) -> Asking {
    var position = FilePosition(file: file)
    position.branch = text("branch") ?? position.branch
    position.step = step
    return Asking(position, host: host)
  }

  var edit: ForkEdit {
    get throws {
      let given = ForkEdit.names.filter { values[$0].map { $0 != false } ?? false }
      guard given.count == 1, let name = given.first, let value = values[name] else {
        throw UsageError(
          what: given.isEmpty
            ? "fork needs an edit" : "fork makes one edit at a time",
          next: "Give one of skip, replace, send, set, move and read")
      }
      switch value {
      case .string(let text): return try ForkEdit(name, text)
      case .number(let offset): return try ForkEdit(name, offset.text)
      case .bool: return try ForkEdit(name, "")
      default: return ForkEdit(replacing: name == "replace", with: value)
      }
    }
  }
}
