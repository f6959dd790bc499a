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
    let lines = steps.map(\.line)
    let number = numbers.withLock { numbers in
      numbers += 1
      return numbers
    }
    let files = names.map(Self.file)
    // Most rules hold at most steps, so answers name only the others.
    let holding = ValueObject(names.map { (key: $0, value: true) })
    var values = [ValueObject?](repeating: holding, count: steps.count)
    for file in Set(files).sorted() {
      let own = names.filter { Self.file($0) == file }
      let answers = try process(for: file).judge(own, at: lines, of: steps, track?.number, number)
      for (index, answer) in answers.others {
        for (name, value) in zip(own, answer) { values[index]?[name] = value }
      }
      for (index, name, words) in answers.threw {
        values[index] = nil
        let words = "step \(steps[index].number): \(words)"
        thrown.withLock { thrown in
          thrown[name] = ((thrown[name]?.count ?? 0) + 1, thrown[name]?.first ?? words)
        }
      }
    }
    for (index, step) in steps.enumerated() where !step.isKnown { values[index] = nil }
    let used = Set(files).compactMap { file in processes.withLock { $0[file] } }
    return CodeAnswer(
      values.map { $0.map(Value.object) },
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
  fileprivate var line: [UInt8] {
    var line = Array("{\"step\":\(number),".utf8)
    line.reserveCapacity(text.count + 64)
    line += text
    if let sender { line += ",\"sender\":\(sender)".utf8 }
    if isSender { line += ",\"keeps\":true".utf8 }
    line.append(UInt8(ascii: "}"))
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

  /// The values at steps where some function's is not true, and the errors.
  func judge(
    _ names: [String], at lines: [[UInt8]], of steps: [CodeStep], _ track: Int?, _ number: Int
  ) throws -> (others: [(Int, [Value])], threw: [(Int, String, String)]) {
    var (others, threw) = ([(Int, [Value])](), [(Int, String, String)]())
    let functions = names.map { $0.dropFirst(file.utf8.count + 1) }
    var first = 0
    while first < lines.count {
      try Task.checkCancellation()
      let answer = try ask(
        [
          "ask": "judge", "from": first == 0 ? track : number, "as": number,
          "names": Value.list(functions) { .string(String($0)) },
          "patience": limits.patience,
        ], steps: lines[first...])
      let count = answer["count"]?.index ?? 0
      for told in answer["others"]?.list ?? [] {
        guard let index = told[0]?.index, case .array(let values)? = told[1],
          (0..<count).contains(index), values.count == names.count, first + index < lines.count
        else { throw Trouble("its host wrote no answer", place: file) }
        others.append((first + index, Array(values)))
      }
      for told in answer["threw"]?.list ?? [] {
        guard let index = told[0]?.index, let place = told[1]?.index,
          names.indices.contains(place), lines.indices.contains(first + index)
        else { continue }
        threw.append((first + index, names[place], (told[2]?.string ?? "").clipped))
      }
      if let late = answer["late"]?.index, names.indices.contains(late),
        steps.indices.contains(first + count)
      {
        throw Trouble(
          "\(names[late]) did not end within \(limits.patience / .seconds(1)) s at step "
            + "\(steps[first + count].number)", next: "--patience allows more")
      }
      first += count
      guard count > 0, first <= lines.count else {
        throw Trouble("its host wrote no answer", place: file)
      }
    }
    return (others, threw)
  }

  func forget(_ track: Int) { talk.withLock { $0.forgotten.append(track) } }

  func end() {
    isOver.withLock { $0 = true }
    talk.withLock { talk in
      talk.pipes?.close()
      talk.pipes = nil
    }
  }

  private func ask(_ request: LineObject, steps: ArraySlice<[UInt8]> = []) throws -> Value {
    do {
      let answer = try talk.withLock { talk in try told(request, steps, &talk) }
      guard let error = answer["error"]?.string else { return answer }
      throw Trouble(error.clipped, place: file)
    } catch let end as HostPipes.End {
      self.end()
      throw Trouble(end.description.clipped, place: file)
    }
  }

  private func told(
    _ request: LineObject, _ steps: ArraySlice<[UInt8]>, _ talk: inout Talk
  ) throws -> Value {
    var limit = limits.patience * 4
    if talk.pipes == nil {
      talk.pipes = try HostPipes(command, limits: limits)
      limit = limits.timeToStart
    }
    guard let pipes = talk.pipes else { return .null }
    var text: [UInt8] = []
    if !talk.forgotten.isEmpty {
      let tracks = Value.list(exchange(&talk.forgotten, with: [])) { Value($0) }
      text = Array((["ask": "forget", "states": tracks] as Value).text().utf8) + "\n".utf8
    }
    talk.requests += 1
    var line = request
    line.add("id", talk.requests)
    text += line.value.bytes()
    if !steps.isEmpty {
      text.removeLast()
      text.reserveCapacity(text.count + steps.reduce(16) { $0 + $1.count + 1 })
      text += ",\"steps\":[".utf8
      for step in steps {
        text += step
        text.append(UInt8(ascii: ","))
      }
      text.removeLast()
      text += "]}".utf8
    }
    text.append(UInt8(ascii: "\n"))
    pipes.send(text)
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
