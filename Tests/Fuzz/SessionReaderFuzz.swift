import Glibc
import SessionFile
import SessionWords
import ValueTree

private let folder = FuzzFolder()

/// Called by libFuzzer with one file after another. Each question to a reader gives an answer or an
/// error. The answers must not depend on the order of questions. They are the same while the file
/// grows, and from a trim.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSessionReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  var numbers = InputNumbers(input)
  var bytes = Array(input)
  // Without a header nothing behind it would be reached: a first byte that is even gives one.
  if let first = input.first, first.isMultiple(of: 2) {
    bytes = Array("{\"retcon\":\"1.0\",\"state\":{\"a\":[1,2,3]}}\n".utf8) + bytes
  }
  folder.write(bytes, to: "whole.retcon")
  let session: SessionReader
  do throws(SessionError) {
    session = try SessionReader(path: folder("whole.retcon"))
  } catch {
    require(!error.sentence.isEmpty, "an error without words")
    return 0
  }
  let states = askAnywhere(session, &numbers)
  askEverything(session, expecting: states, &numbers)
  checkFollowing(bytes, session, &numbers)
  checkTrim(session, &numbers)
  for notice in session.notices {
    require(!notice.sentence.isEmpty && notice.line > 0, "a notice without words or place")
  }
  return 0
}

/// Asks for states at random positions, like a user who drags a slider.
private func askAnywhere(
  _ session: SessionReader, _ numbers: inout InputNumbers
) -> [Int: Value?] {
  var states: [Int: Value?] = [:]
  for _ in 0..<6 {
    let number = numbers.next(in: session.steps)
    states[number] = .some(try? session.state(after: number))
  }
  return states
}

private func askEverything(
  _ session: SessionReader, expecting states: [Int: Value?], _ numbers: inout InputNumbers
) {
  let steps = session.steps
  let shown = steps.clamped(to: steps.lowerBound...steps.lowerBound + 63)
  var labels: [String] = []
  for number in shown {
    if let step = try? session.step(number) {
      require(step.number == number, "step \(number) is said to be \(step.number)")
      labels.append(step.label)
    }
    _ = try? session.patch(at: number)
    let state = try? session.state(after: number)
    if let known = states[number] {
      require(
        known == state,
        "state \(number) is \(String(describing: known)) and \(String(describing: state))")
    }
  }
  _ = try? session.effectEvents(in: steps)
  _ = try? session.outsideReads(in: steps)
  _ = try? session.signposts(in: steps)
  for number in [steps.upperBound, numbers.next(in: steps)] {
    _ = try? session.effectsInFlight(after: number)
  }
  for text in [labels.last ?? "a", "step"] {
    guard let needle = TextNeedle(text, ignoringCase: true) else { continue }
    let found = (try? session.steps(holding: needle, in: steps)) ?? []
    require(
      found == found.sorted() && found.allSatisfy(steps.contains), "\(found) holds \(text)")
  }
  var walk = session.walk([Pointer(tokens: ["a"]), Pointer(tokens: [])], from: shown.lowerBound)
  try? walk.advance(through: shown.upperBound) { glance in
    _ = try? glance.step(
      StepPreview.Parts([.label, .cause, .time, .reads, .error], actionPlaces: [["a"]]))
    return true
  }
  try? session.examine()
}

/// A reader of a growing file must find what a reader of the whole file finds.
private func checkFollowing(
  _ bytes: [UInt8], _ whole: SessionReader, _ numbers: inout InputNumbers
) {
  let cut = numbers.next(in: 0...bytes.count)
  // A line that could be whole is taken as one: no recorder goes on behind its end.
  if cut > 0, cut < bytes.count, bytes[cut - 1] == UInt8(ascii: "}"), bytes[cut] != 0x0A { return }
  folder.write(bytes[..<cut], to: "growing.retcon")
  guard let session = try? SessionReader(path: folder("growing.retcon")) else { return }
  folder.write(bytes[cut...], to: "growing.retcon", appending: true)
  _ = try? session.refresh()
  guard session.header == whole.header else { return }
  require(session.steps == whole.steps, "cut at \(cut): \(session.steps), not \(whole.steps)")
  let number = numbers.next(in: session.steps)
  let states = [session, whole].map { try? $0.state(after: number) }
  require(states[0] == states[1], "cut at \(cut), state \(number): \(states)")
}

/// A trim holds the states that the whole holds; a redacted one opens.
private func checkTrim(_ session: SessionReader, _ numbers: inout InputNumbers) {
  let first = numbers.next(in: session.steps)
  let steps = first...numbers.next(in: first...session.steps.upperBound)
  var trimmer = SessionTrimmer(session)
  let isRedacted = numbers.next(in: 0...3) == 0
  if isRedacted { trimmer.redaction = Redaction(paths: ["/a/*"], keys: ["b"]) }
  unlink(folder("trim.retcon"))
  guard (try? trimmer.trim(steps, to: folder("trim.retcon"))) != nil else {
    return
  }
  guard let trim = try? SessionReader(path: folder("trim.retcon")) else {
    return require(false, "the trim of \(steps) does not open")
  }
  guard !isRedacted else { return }
  for number in [steps.upperBound, numbers.next(in: steps)] where trim.steps.contains(number) {
    guard let state = try? trim.state(after: number) else { continue }
    require(
      state == (try? session.state(after: number)),
      "in the trim of \(steps) state \(number) is \(state)")
  }
}
