import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

/// Runs the functions of the user's files, each file in a process of its own.
final class HostedCode: CodeHost {
  /// Which functions may run. Code that a session or a file names waits until the user types it.
  enum Consent: Sendable {
    /// All that a command names: its user has typed them.
    case typed
    /// Those of files that were named when the server started.
    case files([String])
  }

  private let start: @Sendable (_ file: String) throws -> HostCommand
  private let limits: HostLimits
  private let named = Locked<[String]>([])
  private let consent: Consent
  private let processes = Locked<[String: CodeProcess]>([:])
  private let numbers = Locked(0)
  /// The errors of functions, by their names: a count, and the first words.
  private let thrown = Locked<[String: (count: Int, first: String)]>([:])

  init(
    files: [String], consent: Consent, limits: HostLimits,
    start: @escaping @Sendable (_ file: String) throws -> HostCommand
  ) {
    (self.limits, self.start, self.consent) = (limits, start, consent)
    named.withLock { $0 = files }
  }

  func judge(
    _ names: [String], at steps: [CodeStep], after track: CodeTrack?
  ) throws -> CodeAnswer {
    let lines = steps.map { $0.line.value }
    var values = [[ValueObject.Element]?](repeating: [], count: steps.count)
    let number = numbers.withLock { numbers in
      numbers += 1
      return numbers
    }
    let files = names.map(Self.file)
    for file in Set(files).sorted() {
      let own = names.filter { Self.file($0) == file }
      let answers = try process(for: file).judge(own, at: lines, of: steps, track?.number, number)
      for (index, answer) in answers.values.enumerated() {
        values[index]? += zip(own, answer).map { ($0, $1) }
      }
      for (index, name, words) in answers.threw {
        values[index] = nil
        let words = "step \(steps[index].number): \(words)"
        thrown.withLock { thrown in
          thrown[name] = ((thrown[name]?.count ?? 0) + 1, thrown[name]?.first ?? words)
        }
      }
    }
    for (index, step) in steps.enumerated() {
      if case .unknown = step.change { values[index] = nil }
    }
    let used = Set(files).compactMap { file in processes.withLock { $0[file] } }
    return CodeAnswer(
      values.map { $0.map { .object(ValueObject($0)) } },
      CodeTrack(number) { for process in used { process.forget(number) } })
  }

  func exports() throws -> [String] {
    try named.withLock { $0 }.flatMap { file in
      try process(for: file).exports().map { "\(file)#\($0)" }
    }
  }

  func restart() {
    for process in processes.withLock({ exchange(&$0, with: [:]) }).values { process.end() }
  }

  /// The errors of functions since the last time.
  func remarks() -> [String] {
    thrown.withLock { exchange(&$0, with: [:]) }.sorted { $0.key < $1.key }.map { name, thrown in
      let steps = thrown.count == 1 ? "" : " (and at \(counted(thrown.count - 1, "other step")))"
      return "\(name) gave no answer at \(thrown.first)\(steps)"
    }
  }

  /// Their functions are offered from now on.
  func name(_ names: [String]) {
    named.withLock { named in
      for file in names.map(Self.file) where !named.contains(file) { named.append(file) }
    }
  }

  static func file(_ name: String) -> String {
    String(name[..<(name.lastIndex(of: "#") ?? name.endIndex)])
  }

  private func process(for file: String) throws -> CodeProcess {
    if case .files(let files) = consent, !files.contains(file) {
      throw Trouble(
        "\(file) may not run here",
        next: files.isEmpty
          ? "Start the server with --rules \(file)"
          : "The files of this server are \(files.joined(separator: ", "))")
    }
    return try processes.withLock { processes in
      if let known = processes[file], !known.hasEnded { return known }
      let made = CodeProcess(file, try start(file), limits)
      processes[file] = made
      if case .typed = consent { name([file]) }
      return made
    }
  }
}

extension CodeStep {
  fileprivate var line: LineObject {
    var line: LineObject = ["step": number, "action": action]
    switch change {
    case .state(let state): line.add("state", state)
    case .patch(let patch): line.add("patch", patch)
    case .unknown: line.add("unknown", true)
    }
    line.add("sender", sender)
    if isSender { line.add("keeps", true) }
    return line
  }
}

/// One file's process. It asks one question at a time.
private final class CodeProcess: Sendable {
  private struct Talk {
    var pipes: HostPipes?
    var requests = 0
    var forgotten: [Int] = []
  }

  private let file: String
  private let command: HostCommand
  private let limits: HostLimits
  private let talk = Locked(Talk())
  private let isOver = Locked(false)

  init(_ file: String, _ command: HostCommand, _ limits: HostLimits) {
    (self.file, self.command, self.limits) = (file, command, limits)
  }

  var hasEnded: Bool { isOver.withLock { $0 } }

  func exports() throws -> [String] {
    guard case .array(let names)? = try ask(["ask": "rules"])["exports"] else { return [] }
    return names.compactMap(\.string)
  }

  func judge(
    _ names: [String], at lines: [Value], of steps: [CodeStep], _ track: Int?, _ number: Int
  ) throws -> (values: [[Value]], threw: [(Int, String, String)]) {
    var (values, threw) = ([[Value]](), [(Int, String, String)]())
    let functions = names.map { $0.dropFirst(file.utf8.count + 1) }
    while values.count < lines.count {
      try Task.checkCancellation()
      let answer = try ask([
        "ask": "judge", "from": values.isEmpty ? track : number, "as": number,
        "names": Value.list(functions) { .string(String($0)) },
        "steps": Value.array(ValueArray(lines[values.count...])),
        "patience": limits.patience,
      ])
      let first = values.count
      if case .array(let told)? = answer["values"] {
        values += told.map { if case .array(let own) = $0 { Array(own) } else { [] } }
      }
      if case .array(let told)? = answer["threw"] {
        for each in told {
          guard let index = each[0]?.index, let place = each[1]?.index,
            names.indices.contains(place), lines.indices.contains(first + index)
          else { continue }
          threw.append((first + index, names[place], (each[2]?.string ?? "").clipped))
        }
      }
      if let late = answer["late"]?.index, names.indices.contains(late),
        steps.indices.contains(values.count)
      {
        throw Trouble(
          "\(names[late]) did not end within \(limits.patience / .seconds(1)) s at step "
            + "\(steps[values.count].number)", next: "--patience allows more")
      }
      guard values.count > first, values.count <= lines.count,
        values.allSatisfy({ $0.count == names.count })
      else { throw Trouble("its host wrote no answer", place: file) }
    }
    return (values, threw)
  }

  func forget(_ track: Int) { talk.withLock { $0.forgotten.append(track) } }

  func end() {
    isOver.withLock { $0 = true }
    talk.withLock { talk in
      talk.pipes?.close()
      talk.pipes = nil
    }
  }

  private func ask(_ request: LineObject) throws -> Value {
    do {
      let answer = try talk.withLock { talk in try told(request, &talk) }
      guard let error = answer["error"]?.string else { return answer }
      throw Trouble(error.clipped, place: file)
    } catch let end as HostPipes.End {
      self.end()
      throw Trouble(end.description.clipped, place: file)
    }
  }

  private func told(_ request: LineObject, _ talk: inout Talk) throws -> Value {
    var limit = limits.patience * 4
    if talk.pipes == nil {
      talk.pipes = try HostPipes(command, limits: limits)
      limit = limits.timeToStart
    }
    guard let pipes = talk.pipes else { return .null }
    var text = ""
    if !talk.forgotten.isEmpty {
      let tracks = Value.list(exchange(&talk.forgotten, with: [])) { Value($0) }
      text = (["ask": "forget", "states": tracks] as Value).text() + "\n"
    }
    talk.requests += 1
    var line = request
    line.add("id", talk.requests)
    pipes.send((text + line.value.text() + "\n").utf8)
    guard let bytes = try pipes.nextLine(within: limit) else {
      _ = pipes.hasEnded(within: .milliseconds(500))
      let exit = pipes.end()
      throw pipes.failure("the process of the rules ended with \(exit.text)", exit: exit)
    }
    guard let answer = try? Value(parsing: bytes), answer["id"] == Value(talk.requests) else {
      throw pipes.failure("its host wrote no answer")
    }
    return answer
  }
}
