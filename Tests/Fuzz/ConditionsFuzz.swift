import SessionFile
import SessionWords
import ValueTree

private let folder = FuzzFolder()

/// Called by libFuzzer with the lines of one session after another, without their header. A search
/// reads steps and states out of the bytes; it must find the same as the parsed ones.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConditions(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  folder.write(header + input, to: "lines.retcon")
  guard let session = try? SessionReader(path: folder("lines.retcon")) else {
    require(false, "a session with a whole header does not open")
    return 0
  }
  var numbers = InputNumbers(input)
  let first = numbers.next(in: session.steps)
  let steps = first...min(session.steps.upperBound, first + 15)
  for question in questions { check(question, steps, of: session) }
  return 0
}

private let header =
  Array(
    #"{"retcon":"1.0","state":{"n":0,"a":{"b":1,"c":null},"s":"x","l":[{"n":1},2]}}"#.utf8) + [0x0A]

private struct Question {
  let condition: Condition
  let places: [Pointer]

  init?(_ words: String) {
    guard let condition = try? Condition(words) else { return nil }
    self.condition = condition
    places = condition.paths(in: "state") ?? []
  }
}

private let questions = [
  "state.n > 3", "state.a.b == 1 && label == 'a'", "!state.a.c || action.b < 2.5",
  "state.l[?@.n == 1]", "state.s == 'x'", "label != 'a' && action[?@.b]", "state.a",
].compactMap { Question($0) }

private func check(_ question: Question, _ steps: ClosedRange<Int>, of session: SessionReader) {
  var walk = session.walk(question.places, from: steps.lowerBound)
  var before: Value?
  try? walk.advance(through: steps.upperBound) { glance in
    let told = glance.answer(question.condition)
    let step = try? session.step(glance.number)
    guard let step, step.damage == nil, let state = try? session.state(after: glance.number) else {
      before = nil
      return true
    }
    let name = "\(question.condition.text) at step \(glance.number)"
    require(glance.isStateKnown, "\(name): a known state is unknown")
    for place in question.places {
      require(glance.value(at: place) == state[place], "\(name): another value at \(place)")
      require(glance.state?[place] == state[place], "\(name): another value at \(place)")
      if !glance.hasChanged, let before {
        require(before[place] == state[place], "\(name): an unnoticed change of \(place)")
      }
    }
    before = state
    let value: Value = ["label": .string(step.label), "action": step.action, "state": state]
    guard let told, let holds = try? question.condition.holds(for: value) else { return true }
    require(told == holds, "\(name) is \(holds), and the text says \(told)")
    return true
  }
}
