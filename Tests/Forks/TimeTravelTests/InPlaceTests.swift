import Glibc
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import SessionFile
@testable import SessionImports

/// A file of another tool, read where it is, answers as a session made from it. `RETCON_SEED` repeats
/// a run, `RETCON_LONG` makes a hundred times as many.
@Suite("Reading in place") struct InPlaceTests {
  private static let rounds = getenv("RETCON_LONG") != nil ? 2_000 : 20

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func random(_ offset: UInt64) -> SeededGenerator {
    let seed = getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_125
    print("records: \(rounds) files a shape, RETCON_SEED=\(seed)")
    return SeededGenerator(seed: seed &+ offset)
  }

  private func open(_ name: String) throws -> SessionReader {
    let reader = try SessionOpener.standard.open(folder(name))
    #expect(reader.isReadInPlace)
    return reader
  }

  private func converted(_ name: String) throws -> SessionReader {
    unlink(folder("session.retcon"))
    try SessionOpener.standard.open(folder(name)).copy(to: folder("session.retcon"))
    return try SessionReader(path: folder("session.retcon"), shownAs: folder(name))
  }

  private static let conditions = [
    "state.n > 5", "state.n == '3'", "state == 3", "!state.items", "state.items[?@ == 2]",
    "state.items[1] == 2", "!state.items[0]", "state.items[1] < 3 && state.n > 2",
    "state.items[*]", "state.items[0] != 1 || state.other.x == 1",
    "label == 'add'", "label == 'own 1' || label == '(no type)'", "action.payload.n > 4",
    "action.n < 9", "action == 'add'", "previous.n < state.n", "time > 0.5",
    "state.n > 2 && label == 'add'",
    "action.type == 'add' && state.n != 4", "cause == 'user'", "label == 'cart: add'",
  ]

  private func hits(_ condition: String, in reader: SessionReader) async throws -> [Int] {
    let question = try StepQuestion(condition)
    let session = OpenSession(SessionRecording(reader))
    var hits: [Int] = []
    try await session.find(question, in: reader.steps, of: .main) {
      hits.append($0)
      return true
    }
    return hits
  }

  /// The order of members is not part of a state.
  private func state(after step: Int, of reader: SessionReader) throws -> Value {
    do throws(SessionError) { return try reader.state(after: step) } catch {
      switch error.problem {
      case .stateNotStored: return "not stored"
      case .stateLost: return "lost"
      default: throw error
      }
    }
  }

  @Test(
    "Steps, states, differences, notes and searches are those of the converted file",
    arguments: RandomRecords.Shape.allCases)
  func sameAnswers(shape: RandomRecords.Shape) async throws {
    var random = Self.random(UInt64(RandomRecords.Shape.allCases.firstIndex(of: shape) ?? 0))
    for round in 0..<Self.rounds {
      let records = RandomRecords(shape, isDamaged: round.isMultiple(of: 2), &random)
      try folder.write(records.text, to: "log")
      let (inPlace, session) = (try open("log"), try converted("log"))
      let place: Comment = "\(shape), round \(round):\n\(records.text)"
      #expect(inPlace.header == session.header, place)
      let steps = inPlace.steps
      try #require(session.steps == steps, place)
      var damaged = 0
      var isLost: Set<Int> = []
      for number in steps {
        let (left, right) = (try inPlace.step(number), try session.step(number))
        if left.damage == nil { #expect(left == right, place) }
        if left.damage != nil, left.damage != Step.gap { damaged += 1 }
        #expect((left.damage == nil) == (right.damage == nil), place)
        let (known, copied) = (
          try state(after: number, of: inPlace), try state(after: number, of: session)
        )
        // Of a step that it holds whole, the copy cannot say that its state was lost.
        if known == "lost" { isLost.insert(number) }
        #expect(
          known == copied || left.damage == nil && known == "lost" && copied == "not stored",
          "step \(number), \(place)")
        if left.damage == nil, try inPlace.step(max(0, number - 1)).damage == nil {
          #expect(
            try inPlace.patch(at: number) == session.patch(at: number), "step \(number), \(place)")
        }
        // A lost step has no place of its own for its notes.
        let noted = records.damaged == 0 ? number...number : steps
        #expect(try inPlace.signposts(in: noted) == session.signposts(in: noted), place)
      }
      #expect(damaged <= records.damaged, place)
      func told(_ reader: SessionReader) throws -> [Bool] {
        try reader.storedSteps(steps).filter { !isLost.contains($0.step.number) }.map(\.tellsState)
      }
      #expect(try told(inPlace) == told(session), place)
      try inPlace.examine()
      #expect(records.damaged > 0 || inPlace.notices.isEmpty, "\(inPlace.notices), \(place)")
      for condition in Self.conditions {
        #expect(
          try await hits(condition, in: inPlace) == hits(condition, in: session),
          "\(condition), \(place)")
      }
      for text in [
        "add", "cart: add", "Cart: ADD", " type", "left", "hold", "cart/o", "té", "uote",
      ] {
        let text = StepText(text)
        func hits(_ reader: SessionReader) throws -> [Int] {
          guard let needle = TextNeedle(text.text, ignoringCase: true) else { return [] }
          return try reader.steps(holding: needle, in: reader.steps).filter {
            text.matches(try reader.step($0))
          }
        }
        let expected = try inPlace.steps.dropFirst().filter { text.matches(try inPlace.step($0)) }
        if TextNeedle(text.text, ignoringCase: true) != nil {
          #expect(try hits(inPlace).filter { $0 > 0 } == expected, "\(text.text), \(place)")
        }
      }
    }
  }

  @Test(
    "A file that grows in pieces ends as one that was opened whole",
    arguments: RandomRecords.Shape.allCases)
  func growing(shape: RandomRecords.Shape) throws {
    var random = Self.random(
      UInt64(100 + (RandomRecords.Shape.allCases.firstIndex(of: shape) ?? 0)))
    for round in 0..<Self.rounds {
      let records = RandomRecords(shape, isDamaged: round.isMultiple(of: 3), &random)
      let bytes = Array(records.text.utf8)
      // The first action must be there: the header names it.
      var end = records.lines.prefix(4).joined(separator: "\n").utf8.count
      try folder.write(Array(bytes[..<end]), to: "log")
      let reader = try open("log")
      while end < bytes.count {
        let next = min(bytes.count, end + Int.random(in: 1...200, using: &random))
        let file = try #require(fopen(folder("log"), "a"))
        fwrite(Array(bytes[end..<next]), 1, next - end, file)
        fclose(file)
        end = next
        let before = reader.steps.upperBound
        _ = try? reader.state(after: before)
        let growth = try reader.refresh()
        // With a joined record the gap before it goes, which was a step.
        let isGone = growth == .truncated && reader.steps.upperBound < before
        #expect(isGone || growth != .truncated && growth != .replaced)
        if case .steps(let steps) = growth { #expect(steps.upperBound == reader.steps.upperBound) }
      }
      let whole = try open("log")
      let place: Comment = "\(shape), round \(round):\n\(records.text)"
      try expectSameSteps(reader, whole, place)
      #expect(Set(reader.notices).isSuperset(of: whole.notices), place)
    }
  }

  @Test(
    "A file that was shortened or rotated is said to be, and stays readable as far as it was",
    arguments: RandomRecords.Shape.allCases)
  func shortened(shape: RandomRecords.Shape) throws {
    var random = Self.random(200)
    let records = RandomRecords(shape, isDamaged: false, &random)
    try folder.write(records.text + records.text, to: "log")
    let short = try open("log")
    try folder.shorten("log", to: records.text.utf8.count)
    #expect(try short.refresh() == .truncated)
    #expect(short.notices.contains { $0.finding == .truncated })
    #expect(throws: SessionError.self) { _ = try short.step(short.steps.upperBound) }
    let rotated = try open("log")
    try folder.move("log", to: "log.1")
    #expect(try rotated.refresh() == .none)
    try folder.write(records.text, to: "log")
    #expect(try rotated.refresh() == .replaced)
    #expect(try rotated.step(1) == open("log.1").step(1))
    // Written anew from its start, under the same name.
    let anew = try open("log")
    var text = Array(records.text.utf8) + Array(records.text.utf8)
    text[1] = UInt8(ascii: " ")
    let file = try #require(fopen(folder("log"), "r+"))
    fwrite(text, 1, text.count, file)
    fclose(file)
    #expect(try anew.refresh() == .truncated)
  }

  private func expectSameSteps(
    _ reader: SessionReader, _ whole: SessionReader, _ place: Comment
  ) throws {
    try #require(reader.steps == whole.steps, place)
    for number in reader.steps.dropFirst() {
      #expect(try reader.step(number) == whole.step(number), place)
      #expect(try state(after: number, of: reader) == state(after: number, of: whole), place)
    }
  }

  @Test(
    "What follows a whole last line without a line end belongs to that line",
    arguments: RandomRecords.Shape.allCases)
  func joined(shape: RandomRecords.Shape) async throws {
    var random = Self.random(300)
    var records = RandomRecords(shape, isDamaged: false, &random)
    while records.lines.count < 4 { records = RandomRecords(shape, isDamaged: false, &random) }
    var start = records.lines.joined(separator: "\n").unicodeScalars
    while start.last != "}" { start.removeLast() }
    for rest in ["", ",", " \r", " x", "}", records.lines[0], ", {\"action\":1}"] {
      try folder.write(String(start), to: "log")
      let reader = try open("log")
      for text in [rest, "\n", records.lines[1] + "\n"] {
        _ = try state(after: reader.steps.upperBound, of: reader)
        try folder.append(text, to: "log")
        _ = try reader.refresh()
      }
      let whole = try open("log")
      let place: Comment = "\(shape), “\(rest)” behind\n\(String(start))"
      try expectSameSteps(reader, whole, place)
      for condition in ["state.n > 2", "label == 'add'", "action.n > 1"] {
        #expect(try await hits(condition, in: reader) == hits(condition, in: whole), place)
      }
    }
  }

  @Test("A typed place is found in every state, also if it has a line of its own")
  func typedPlace() async throws {
    var text = ""
    for number in 1...12 {
      let cart = number == 10 ? #"{"open":{"_0":{"total":7}}}"# : "null"
      text += #"{"action":{"_0":{"type":"total","open":1}}}"# + "\n"
      text += #"{"state":{"_0":{"cart":\#(cart),"at":\#(number == 11 ? "{}" : "1")}}}"# + "\n"
    }
    try folder.write(text, to: "log")
    for reader in [try open("log"), try converted("log")] {
      #expect(try await hits("state.cart.open.total == 7", in: reader) == [10])
    }
    // A copy has the state of a damaged step in a line that tells the loss.
    let damaged = text.replacing(
      "open\":1}}}\n{\"state\":{\"_0\":{\"cart\":{",
      with: "open\":,1}}}\n{\"state\":{\"_0\":{\"cart\":{")
    #expect(damaged != text)
    try folder.write(damaged, to: "log")
    for reader in [try open("log"), try converted("log")] {
      #expect(try await hits("state.cart.open.total == 7", in: reader) == [10])
    }
    let onlyInState = text.replacing("total\",\"open", with: "a\",\"b")
    try folder.write(onlyInState, to: "log")
    let session = OpenSession(SessionRecording(try open("log")))
    let question = try StepQuestion("state.cart.open.total == 7")
    let absent = try await session.absentPlaces(in: question.condition, of: .main)
    #expect(!absent.contains { $0.isNowhere })
  }

  @Test("A fault has one column, whichever part of its line was read first")
  func columns() throws {
    let line = #"{"state":{"n":100},"action":{"type":"a"},"note":[,]}"#
    try folder.write("\(line)\n\(line.replacing("[,]", with: "[]"))\n", to: "log")
    let (step, state) = (try open("log"), try open("log"))
    #expect(try step.step(1).damage != nil)
    #expect(throws: SessionError.self) { try state.state(after: 1) }
    #expect(step.notices == state.notices && step.notices.count == 1)
  }

  @Test("No hit is told from a line that is damaged elsewhere, nor from one before it")
  func damagedLine() async throws {
    let text = """
      {"action":{"type":"a","n":2},"state":{"n":1},"note":[,]}
      {"action":{"type":"a","n":2}}
      {"state":{"_0":{"items":[,],"n":4}}}
      {"action":{"type":"b","n":2}}

      """
    try folder.write(text, to: "log")
    for reader in [try open("log"), try converted("log")] {
      #expect(try await hits("action.n == 2", in: reader) == [2, 3])
      #expect(try await hits("!state.items[0]", in: reader) == [])
    }
  }

  @Test("No hit and no change is told from a state that is damaged elsewhere")
  func damagedState() async throws {
    func line(_ number: Int, _ items: String) -> String {
      #"{"action":{"type":"a"},"state":{"n":\#(number),"items":[\#(items)]}}"# + "\n"
    }
    let text =
      line(1, "1,2") + line(2, "1,,2") + line(2, "1,2") + line(3, "1,2x") + line(3, "1,2")
      + line(4, "2") + line(4, "9.")
    try folder.write(text, to: "log")
    for reader in [try open("log"), try converted("log")] {
      #expect(try await hits("state.n > 1", in: reader) == [3, 5, 6])
      #expect(try await hits("previous.n < state.n", in: reader) == [6])
      #expect(try await hits("state.n == 3 || label == 'a'", in: reader) == Array(1...7))
      let session = OpenSession(SessionRecording(reader))
      var told: [String] = []
      try await session.visit([["n"]], in: 1...6, of: .main) { step, state in
        told.append(state?["n"]?.text() ?? "?")
        return true
      }
      #expect(told.joined(separator: " ") == "1 ? 2 ? 3 4")
      try await session.watch(["n"], on: .main, in: [1...6]) { batch in
        #expect(batch.values.map { $0.step } == [1, 2, 3, 4, 5, 6])
      }
    }
  }

  @Test("A damaged key of an action makes a damaged step, and no other state of the step before")
  func damagedKey() async throws {
    let lines = ["a", "b", "c", "d"].enumerated().map {
      Array(#"{"action":{"type":"\#($1)"},"state":{"n":\#($0)}}"#.utf8)
    }
    var text = Array(lines.joined(separator: [0x0A]))
    text[2 * (lines[0].count + 1) + 6] = 0xFF
    try folder.write(text, to: "log")
    let (inPlace, session) = (try open("log"), try converted("log"))
    for reader in [inPlace, session] {
      #expect(reader.steps == 0...4)
      #expect(try reader.state(after: 2) == ["n": 1])
      #expect(try reader.step(3).damage != nil)
      #expect(try await hits("state.n == 1", in: reader) == [2])
    }
  }

  @Test("A large file whose halves are scanned at once is the one that is scanned in pieces")
  func halves() throws {
    var text = ""
    let note = String(repeating: "x", count: 900)
    for number in 1...6_000 {
      text += number.isMultiple(of: 500) ? "{\"action\":\(number)\n" : ""
      text += number.isMultiple(of: 700) ? "\n" : ""
      text += #"{"action":{"type":"a","n":\#(number),"note":"\#(note)"}}"# + "\n"
    }
    try folder.write(text, to: "log")
    let whole = try open("log")
    let pieces = try SessionOpener.standard.open(folder("log"), piece: 1 << 20)
    #expect(!pieces.isScanned)
    while !pieces.isScanned { _ = try pieces.refresh() }
    // The torn lines are steps, too.
    #expect(whole.steps == 0...6_012)
    #expect(whole.steps == pieces.steps)
    #expect(whole.notices == pieces.notices && whole.notices.count == 12)
    for number in [1, 2_999, 3_000, 3_001, 6_000] {
      #expect(try whole.step(number + number / 500).action["n"] == .number(Number(number)))
    }
  }

  @Test("A log whose first lines fill a piece has states, as it has as a whole")
  func longStart() throws {
    let note = String(repeating: "x", count: 5_000)
    func state(_ number: Int) -> String { #"{"state":{"n":\#(number),"note":"\#(note)"}}"# + "\n" }
    func action(_ type: String) -> String { #"{"action":{"type":"\#(type)"}}"# + "\n" }
    for text in [state(0) + action("a") + action("b"), action("a") + state(1) + action("b")] {
      try folder.write(text, to: "log")
      let pieces = try SessionOpener.standard.open(folder("log"), piece: 1)
      #expect(try pieces.header == open("log").header)
    }
  }

  @Test("An index in the cache gives the same session, until the file changes")
  func cached() throws {
    var lines = ""
    for number in 1...3_000 {
      lines += #"{"action":{"type":"a","n":\#(number)},"state":{"n":\#(number)}}"# + "\n"
    }
    try folder.write(lines, to: "log")
    var cache = IndexCache(folder: folder("cache"))
    cache.smallestFile = 1
    var opener = SessionOpener.standard
    opener.indexCache = cache
    let first = try opener.open(folder("log"))
    #expect(first.steps == 0...3_000)
    let second = try opener.open(folder("log"))
    #expect(second.steps == 0...3_000)
    #expect(try second.step(1) == first.step(1))
    #expect(try second.state(after: 3_000) == ["n": 3_000])
    let stored = cache.load(
      for: try PartFile(path: folder("log")), size: lines.utf8.count, firstStep: 0, isInPlace: true)
    #expect(stored?.scanned == lines.utf8.count)
    try folder.append(#"{"action":"b","state":0}"# + "\n", to: "log")
    #expect(try opener.open(folder("log")).steps == 0...3_001)
    // A last line without a line end is read again.
    try folder.write(String(lines.dropLast()), to: "log")
    #expect(try opener.open(folder("log")).steps == 0...3_000)
    let cached = try opener.open(folder("log"))
    try folder.append(" x\n", to: "log")
    #expect(try cached.refresh() == .steps(2_999...3_000))
    #expect(try cached.step(3_000).damage != nil)
  }
}
