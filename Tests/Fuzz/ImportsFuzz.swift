import Glibc
import SessionFile
import SessionImports
import SessionWords
import ValueTree

private let folder = FuzzFolder()

/// Called by libFuzzer with one file after another. An imported file becomes a session without a
/// fault, and lines that are read in place equal their copy. Every other file gives an error in
/// words.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  folder.write(file(input), to: "import.json")
  let session: SessionReader
  do {
    session = try SessionOpener.uncached.open(folder("import.json")) { share in
      require((0...1).contains(share), "\(share) is done")
    }
  } catch {
    require((error as? any Explained)?.sentence.isEmpty == false, "no words: \(error)")
    return 0
  }
  // A file that begins as a session was not imported.
  guard session.header.origin != nil, !input.starts(with: "{\"retcon\"".utf8) else { return 0 }
  try? session.examine()
  guard !session.isReadInPlace else {
    requireCopy(of: session)
    requirePieces(of: session)
    return 0
  }
  require(session.notices.isEmpty, "\(session.notices)")
  require(session.isFinished, "not finished")
  for number in session.steps.prefix(64) {
    let step = try? session.step(number)
    require(step != nil && step?.damage == nil, "step \(number): \(step?.damage ?? "none")")
  }
  return 0
}

/// Opened piece by piece it is the same.
private func requirePieces(of session: SessionReader) {
  guard let pieces = try? SessionOpener.uncached.open(folder("import.json"), piece: 1) else {
    return require(false, "not in pieces")
  }
  var rounds = 0
  while !pieces.isScanned {
    do { _ = try pieces.refresh() } catch { return require(false, "\(error)") }
    rounds += 1
    require(rounds < 10_000, "no end")
  }
  require(pieces.steps == session.steps, "\(pieces.steps), \(session.steps)")
  let last = session.steps.upperBound
  require((try? pieces.step(last)) == (try? session.step(last)), "the last step")
}

private func requireCopy(of session: SessionReader) {
  let path = folder("copy.retcon")
  unlink(path)
  do { try session.copy(to: path) } catch { require(false, "no copy: \(error)") }
  guard let copy = try? SessionReader(path: path) else { return require(false, "no session") }
  // Damaged steps without a state are missing at its end.
  for number in session.steps where !copy.steps.contains(number) {
    require((try? session.step(number))?.damage != nil, "step \(number) is not in \(copy.steps)")
    require((try? session.state(after: number)) == nil, "the state after step \(number) is lost")
  }
  requireWalk(of: session)
  for number in copy.steps.prefix(64) {
    let (step, copied) = (try? session.step(number), try? copy.step(number))
    require(step != nil && copied != nil, "no step \(number)")
    require((step?.damage == nil) == (copied?.damage == nil), "damage of step \(number)")
    require(step?.damage != nil || step == copied, "step \(number)")
    let (state, same) = (try? session.state(after: number), try? copy.state(after: number))
    require(state == same, "the state after step \(number)")
  }
}

private let questions = ["label == 'a'", "action.n > 1", "state.n == 1 || label != 'b'", "!state"]
  .compactMap { try? Condition($0) }

private let isOneAlone = (try? Condition("state.n == 1")) ?? questions[2]

/// The bytes answer as the parsed step and state do.
private func requireWalk(of session: SessionReader) {
  var walk = session.walk([["n"], []], from: session.steps.lowerBound)
  var narrow = session.walk([["n"]], from: session.steps.lowerBound)
  let last = min(session.steps.upperBound, session.steps.lowerBound + 63)
  try? walk.advance(through: last) { preview in
    let parts = StepPreview.Parts([.label, .time, .error], actionPlaces: [["n"]])
    let told = questions.map { preview.answer($0) }
    let step = try? preview.step(parts)
    guard let whole = try? session.step(preview.number), whole.damage == nil else { return true }
    require(step?.label == whole.label, "the label of step \(whole.number)")
    require(step?.action["n"] == whole.action["n"], "the action of step \(whole.number)")
    require(step?.time == whole.time && step?.error == whole.error, "step \(whole.number)")
    var value: Value = ["label": .string(whole.label), "action": whole.action]
    let state = try? session.state(after: whole.number)
    if let state {
      value = ["label": .string(whole.label), "action": whole.action, "state": state]
      require(preview.isStateKnown && preview.state == state, "the state of step \(whole.number)")
    }
    for (question, answer) in zip(questions, told) {
      guard let answer, state != nil || question.paths(in: "state") == nil else { continue }
      let holds = try? question.holds(for: value)
      require(holds == nil || holds == answer, "\(question.text) at step \(whole.number)")
    }
    return true
  }
  try? narrow.advance(through: last) { preview in
    guard let state = try? session.state(after: preview.number) else { return true }
    require(preview.isStateKnown, "the state of step \(preview.number) is unknown")
    let answer = preview.answer(isOneAlone)
    let isOne = state["n"] == 1
    require(answer == nil || answer == isOne, "n at step \(preview.number)")
    require(preview.value(at: ["n"]) == state["n"], "n of step \(preview.number)")
    require(preview.state?["n"] == state["n"], "n of step \(preview.number)")
    return true
  }
}

/// The first byte says where in a file of which kind the others stand: else hardly any would be one.
private func file(_ input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  guard let first = input.first else { return [] }
  let rest = String(decoding: input.dropFirst(), as: UTF8.self)
  func quoted(_ text: String) -> String { Value.string(text).text() }
  let text: String =
    switch first {
    case UInt8(ascii: "0"): #"{"payload":\#(quoted(rest)),"preloadedState":"{}"}"#
    case UInt8(ascii: "1"): #"{"payload":"[]","preloadedState":\#(quoted(rest))}"#
    case UInt8(ascii: "2"):
      #"{"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"action":\#(rest)}},"#
        + #""stagedActionIds":[0,1],"skippedActionIds":[1],"computedStates":[{"state":1},{"state":2}]}"#
    case UInt8(ascii: "3"):
      #"{"actionsById":{"0":{},"1":{}},"stagedActionIds":[0,1],"computedStates":[\#(rest)]}"#
    case UInt8(ascii: "4"):
      #"{"actionsById":{"0":{}},"stagedActionIds":[0],"computedStates":[{"state":[{"$jsan":"#
        + #"\#(quoted(rest))},{"$jsan":"$.computedStates[0].state[0]"}]}]}"#
    case UInt8(ascii: "5"): "[\(rest)]"
    case UInt8(ascii: "6"): "{\"state\":0}\n{\"action\":1,\"state\":\(rest)}\n"
    case UInt8(ascii: "7"):
      #"{"action":{"type":"a"},"prevState":0,"nextState":1,"startedTime":5}"# + "\n\(rest)\n"
    case UInt8(ascii: "8"): #"{"mutation":\#(rest),"state":{"n":1}}"# + "\n\(rest)\n"
    default: ""
    }
  return text.isEmpty ? Array(input) : Array(text.utf8)
}

extension SessionOpener {
  /// Without an index cache, whose folder is the user's.
  fileprivate static var uncached: SessionOpener {
    var opener = SessionOpener.standard
    opener.indexCache = nil
    return opener
  }
}
