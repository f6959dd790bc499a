import HostProtocol
import Recorder
import Replay
import SessionWords
import ValueTree

/// A request to reduce: an action, with the answers that its reducer may need.
struct ThinInput: Sendable {
  let action: Value
  let reads: [Read]
  let time: Double

  init(_ action: Value, _ reads: [Read] = [], at time: Double = 0) {
    (self.action, self.reads, self.time) = (action, reads, time)
  }

  init(_ step: ExpectedStep) { self.init(step.action, step.reads) }

  func isSame(as other: ThinInput) -> Bool {
    action.isExactlyEqual(to: other.action) && reads == other.reads
  }

  var timeValue: Value { .number(Number(time)) }
  var readsValue: Value { .array(ValueArray(reads.map(\.value))) }
}

/// Reducers that read from the tape.
///
/// A host gets the recorded answers before it is asked. The tape answers each of its questions once
/// more, in order: if an answer differs, the host runs the step again with the right ones.
extension ThinHost {
  /// More in one step are a flood.
  private static var mostReads: Int { 10_000 }

  func answered(_ input: ThinInput, from state: ThinState) throws -> Step {
    guard can.reads, let tape = TapeContext.source else { return try next(input, from: state) }
    var settled: [Read] = []
    var input = input
    while true {
      let step = try next(input, from: state)
      if try settle(step, input.reads, &settled, tape) { return step }
      guard settled.count <= Self.mostReads else {
        throw HostPipes.End("the reducer reads more than \(Self.mostReads) times")
      }
      input = ThinInput(input.action, settled, at: input.time)
    }
  }

  static func strings(_ list: Value?) -> [String] { values(list).compactMap(\.string) }

  static func values(_ list: Value?) -> [Value] {
    guard case .array(let values) = list else { return [] }
    return Array(values.prefix(4096))
  }

  /// Whether what the host says of its steps has an entry for each.
  static func check(_ keys: [String], in told: Value, for count: Int) throws(HostPipes.End) {
    for key in keys {
      guard let list = told[key], list != .null else { continue }
      guard case .array(let parts) = list, parts.count >= count else {
        throw HostPipes.End("“\(key)” has no entry for each step")
      }
    }
  }

  /// Whether the step had the tape's answer to each of its questions.
  private func settle(
    _ step: Step, _ given: [Read], _ settled: inout [Read], _ tape: any TapeSource
  ) throws -> Bool {
    let asked = try ThinQuestion.list(step.asked, at: "asked")
    let known = settled.count
    var rest = given[...]
    for (index, question) in asked.enumerated() {
      let used: Read?
      if rest.first.map(question.isAnswered) == true {
        used = rest.removeFirst()
      } else {
        used = rest.firstIndex(where: question.isAnswered).map { rest.remove(at: $0) }
      }
      guard let used else {
        throw HostPipes.End("the host was given no answer to \(question.asked.text)")
      }
      if index >= known {
        settled.append(question.answer(of: tape))
      } else if !question.isAnswered(by: settled[index]) {
        throw HostPipes.End("the reducer asks other questions when it runs again")
      }
      if !used.outcome.isSame(as: settled[index].outcome) { return false }
    }
    if let open = step.open {
      guard asked.count >= known else {
        throw HostPipes.End("the reducer asks other questions when it runs again")
      }
      settled.append(try ThinQuestion(open, at: "asks").answer(of: tape))
      return false
    }
    if asked.count < known, case .success = step.outcome {
      throw HostPipes.End("the reducer asks other questions when it runs again")
    }
    return true
  }
}

/// A question of a reducer or of a body.
struct ThinQuestion {
  let asked: Question
  /// The reducer takes this if the answer is unknown.
  private let substitute: Value

  init(_ value: Value, at place: String) throws(ValueFieldError) {
    let fields = try ValueFields(value, at: place)
    let arguments = try fields.optionalValues("arguments")
    asked = Question(try fields.string("key"), arguments?.isEmpty == true ? nil : arguments)
    substitute = fields.member("else") ?? .null
  }

  static func list(_ told: Value?, at place: String) throws -> [ThinQuestion] {
    guard let told, told != .null else { return [] }
    guard case .array(let questions) = told else { throw HostPipes.End("\(place) is no list") }
    return try questions.map { try ThinQuestion($0, at: place) }
  }

  func isAnswered(by read: Read) -> Bool {
    read.key == asked.key && (read.arguments ?? []) == (asked.arguments ?? [])
  }

  fileprivate func answer(of tape: any TapeSource) -> Read {
    if case .recorded(let outcome) = tape.answer(to: TapeQuestion(asked)) {
      return Read(key: asked.key, arguments: asked.arguments, outcome: outcome)
    }
    let read = Read(key: asked.key, arguments: asked.arguments, value: substitute)
    tape.record({ read }, askedAt: nil)
    return read
  }
}

extension Read.Outcome {
  fileprivate func isSame(as other: Read.Outcome) -> Bool {
    isError == other.isError && content.isExactlyEqual(to: other.content)
  }
}
