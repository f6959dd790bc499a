import Glibc
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import SessionFile
@testable import SessionImports

/// A document of another tool, read where it is, answers as its lines and as a session made from it.
@Suite("Documents in place") struct DocumentTests {
  private static let rounds = getenv("RETCON_LONG") != nil ? 1_000 : 10

  private let folder: TemporaryFolder
  private let other: TemporaryFolder

  init() throws { (folder, other) = (try TemporaryFolder(), try TemporaryFolder()) }

  private static func random(_ offset: UInt64) -> SeededGenerator {
    let seed = getenv("RETCON_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_125
    print("documents: \(rounds) files a shape, RETCON_SEED=\(seed)")
    return SeededGenerator(seed: seed &+ offset)
  }

  private func open(_ text: String) throws -> SessionReader {
    try folder.write(text, to: "log")
    let reader = try SessionOpener.standard.open(folder("log"))
    #expect(reader.isReadInPlace && !reader.isFollowed)
    return reader
  }

  private func converted(_ reader: SessionReader) throws -> SessionReader {
    unlink(other("copy.retcon"))
    try reader.copy(to: other("copy.retcon"))
    return try SessionReader(path: other("copy.retcon"), shownAs: reader.path)
  }

  private func state(after step: Int, of reader: SessionReader) throws -> Value {
    do throws(SessionError) { return try reader.state(after: step) } catch {
      switch error.problem {
      case .stateNotStored: return "not stored"
      case .stateLost: return "lost"
      default: throw error
      }
    }
  }

  private func hits(_ condition: String, in reader: SessionReader) async throws -> [Int] {
    let question = try StepQuestion(condition)
    var hits: [Int] = []
    let session = OpenSession(SessionRecording(reader))
    try await session.find(question, in: reader.steps, of: .main) {
      hits.append($0)
      return true
    }
    return hits
  }

  private func expectSame(
    _ left: SessionReader, _ right: SessionReader, _ place: Comment, searching: Bool = false
  ) async throws {
    #expect(left.header == right.header, place)
    try #require(left.steps == right.steps, place)
    for number in left.steps {
      let (step, same) = (try left.step(number), try right.step(number))
      #expect((step.damage == nil) == (same.damage == nil), place)
      if step.damage == nil { #expect(step == same, place) }
      #expect(
        try state(after: number, of: left) == state(after: number, of: right),
        "step \(number), \(place)")
      // The copy has a whole state behind a lost step.
      if step.damage == nil, try left.step(max(left.steps.lowerBound, number - 1)).damage == nil {
        #expect(try left.patch(at: number) == right.patch(at: number), "step \(number), \(place)")
      }
      // A lost step has no place of its own for its notes.
      if step.damage == nil {
        #expect(
          try left.signposts(in: number...number) == right.signposts(in: number...number), place)
      }
      #expect(
        try left.effectEvents(in: number...number) == right.effectEvents(in: number...number), place
      )
    }
    guard searching else { return }
    for condition in [
      "state.n > 5", "state.items[?@ == 2]", "state.items[1] != 2", "label == 'add'",
      "action.payload.n > 4", "time > 0.5",
      "previous.n < state.n", "cause == 'user'", "action.type == 'add' && state.n != 4",
    ] {
      #expect(
        try await hits(condition, in: left) == hits(condition, in: right), "\(condition), \(place)")
    }
  }

  @Test(
    "A list of records is the session of the same lines, and of its copy",
    arguments: RandomRecords.Shape.allCases.filter { ![.bareActions, .tap].contains($0) })
  func lists(shape: RandomRecords.Shape) async throws {
    var random = Self.random(UInt64(RandomRecords.Shape.allCases.firstIndex(of: shape) ?? 0))
    for round in 0..<Self.rounds {
      let records = RandomRecords(shape, isDamaged: false, &random)
      let elements = records.lines.map { $0.trimming(" ,\r\n") }
      let separator = [",", ",\n", "\n,  "].randomElement(using: &random) ?? ","
      let text = "[" + elements.joined(separator: separator) + "]\n"
      let place: Comment = "\(shape), round \(round):\n\(text)"
      let document = try open(text)
      try other.write(records.text, to: "log")
      let lines = try SessionOpener.standard.open(other("log"))
      try await expectSame(document, lines, place, searching: true)
      try await expectSame(document, try converted(document), place)
    }
  }

  @Test("A lifted state is the same session in every wrapping, in pieces, and as a copy")
  func lifted() async throws {
    var random = Self.random(50)
    for round in 0..<Self.rounds * 3 {
      let lifted = RandomLifted(&random)
      let place: Comment = "round \(round):\n\(lifted.text)"
      let document = try open(lifted.text)
      try #require(document.steps == 0...lifted.actions.count, place)
      #expect(try state(after: 0, of: document) == lifted.states[0], place)
      for (index, action) in lifted.actions.enumerated() {
        let step = try document.step(index + 1)
        #expect(
          step.action == action && step.isSkipped == lifted.skipped.contains(index + 1), place)
        #expect(step.error == lifted.errors[index + 1], place)
        #expect(
          try state(after: index + 1, of: document) == lifted.states[index + 1],
          "step \(index + 1), \(place)")
      }
      try await expectSame(document, try converted(document), place, searching: true)
      for text in lifted.wrappings {
        try other.write(text, to: "log")
        try await expectSame(document, SessionOpener.standard.open(other("log")), place)
      }
      try other.write(lifted.text, to: "log")
      let pieces = try SessionOpener.standard.open(other("log"), piece: 1)
      while !pieces.isScanned { _ = try pieces.refresh() }
      try await expectSame(document, pieces, place)
    }
  }

  @Test("A document that was cut shows what it holds, in pieces or with a notice")
  func cut() async throws {
    var random = Self.random(60)
    for round in 0..<Self.rounds * 3 {
      let isLifted = round.isMultiple(of: 2)
      let text =
        isLifted
        ? RandomLifted(&random).text
        : "["
          + RandomRecords(.flipper, isDamaged: false, &random).lines.map { $0.trimming(" ,\r\n") }
          .joined(separator: ",") + "]"
      let whole = try open(text)
      let length = Int.random(in: 2..<text.utf8.count - 1, using: &random)
      try other.write(Array(text.utf8.prefix(length)), to: "log")
      let place: Comment = "round \(round), \(length) bytes of \(text)"
      if let complete = try? SessionOpener.standard.open(other("log")) {
        // Only what follows the last state is cut off, or a list is shown as far as it goes.
        guard complete.steps.upperBound < whole.steps.upperBound else {
          try await expectSame(complete, whole, place)
          continue
        }
        for number in complete.steps.dropFirst() {
          #expect(try complete.step(number) == whole.step(number), place)
          #expect(try state(after: number, of: complete) == state(after: number, of: whole), place)
        }
        continue
      }
      guard let pieces = try? SessionOpener.standard.open(other("log"), piece: 1) else { continue }
      while !pieces.isScanned { _ = try pieces.refresh() }
      #expect(pieces.notices.count == 1, "\(pieces.notices) \(place)")
      for number in pieces.steps.dropFirst() {
        #expect(try pieces.step(number) == whole.step(number), place)
        #expect(try state(after: number, of: pieces) == state(after: number, of: whole), place)
      }
    }
  }

  @Test("An index in the cache gives the same session, until the document changes")
  func cached() async throws {
    var random = Self.random(70)
    var cache = IndexCache(folder: folder("cache"))
    cache.smallestFile = 1
    var opener = SessionOpener.standard
    opener.indexCache = cache
    let lifted = RandomLifted(&random)
    var first = try open(lifted.text)
    // Also texts that are unescaped into a file of their own.
    for text in lifted.wrappings + [lifted.text] {
      try folder.write(text, to: "log")
      first = try opener.open(folder("log"))
      try await expectSame(first, opener.open(folder("log")), "\(text)")
      let file = try #require(try opener.importer(of: folder("log"))?.source(folder("log"))).file
      #expect(
        cache.load(for: file, size: 1_000_000, firstStep: 0, isInPlace: true)?.index.lastStep
          == first.steps.upperBound)
    }
    let another = RandomLifted(&random)
    try folder.write(another.text, to: "log")
    #expect(try opener.open(folder("log")).steps == 0...another.actions.count)
    // Bytes at the known places could pass for other steps.
    #expect(throws: SessionError.self) { try first.step(1) }
  }
}

extension String {
  fileprivate func trimming(_ characters: String) -> String {
    var text = self[...]
    while let last = text.unicodeScalars.last, characters.unicodeScalars.contains(last) {
      text.unicodeScalars.removeLast()
    }
    return String(text)
  }
}

/// A lifted state of Redux DevTools, with what its steps hold.
struct RandomLifted {
  private(set) var actions: [Value] = []
  private(set) var states: [Value] = []
  private(set) var skipped: Set<Int> = []
  private(set) var errors: [Int: String] = [:]
  private var members: [(key: String, text: String)] = []

  init(_ random: inout SeededGenerator) {
    let count = Int.random(in: 1...12, using: &random)
    let known =
      Int.random(in: 0..<4, using: &random) == 0
      ? Int.random(in: 0...count, using: &random) : count + 1
    var entries = [#""0":{"action":{"type":"@@INIT"},"timestamp":1000}"#]
    var computed: [String] = []
    var state: Value?
    for number in 0...count {
      if number > 0 { entries.append(entry(number, &random)) }
      guard number < known else {
        states.append(number == 0 ? ["committed": true] : "not stored")
        continue
      }
      let next = Int.random(in: 0..<9, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where number > 0:
        errors[number] = "it \"failed\""
        computed.append(#"{"error":"it \"failed\""}"#)
        states.append("not stored")
        continue
      case 1 where number > 0:
        errors[number] = "two"
        state = ["n": .number(Number(next))]
        computed.append(#"{ "error" : "two" , "state":{"n":\#(next)}}"#)
      case 2:
        state = ["n": .number(Number(next)), "date": "2016-04-21T14:26:25.265Z"]
        computed.append(#"{"state":{"n":\#(next),"date":{"$jsan":"d1461248785265"}}}"#)
      case 3:
        state = ["n": .number(Number(next))]
        computed.append(#"{"state":"{\"n\":\#(next)}"}"#)
      case 4:
        computed.append("{ }")
        states.append(number == 0 ? ["committed": true] : "not stored")
        if number == 0 { state = ["committed": true] }
        continue
      default:
        state = ["n": .number(Number(next)), "items": [1, 2]]
        computed.append("{\n\"state\": {\"n\": \(next),\n \"items\":[1,2]}}")
      }
      states.append(state ?? "not stored")
    }
    let ids = (0...count).map(String.init).joined(separator: ", ")
    members = [
      ("monitorState", "{}"), ("nextActionId", "\(count + 1)"),
      ("actionsById", "{\(entries.joined(separator: ",\n"))}"), ("stagedActionIds", "[\(ids)]"),
      ("skippedActionIds", "[\(skipped.sorted().map(String.init).joined(separator: ","))]"),
      ("committedState", #"{"committed":true}"#), ("currentStateIndex", "\(count)"),
      ("computedStates", "[\(computed.joined(separator: ", "))]"), ("isLocked", "false"),
    ]
    if known == 0 {
      // Without any state none is known after the first.
      members.removeAll { $0.key == "computedStates" }
    }
    if Bool.random(using: &random) { members[1...].shuffle(using: &random) }
  }

  private mutating func entry(_ number: Int, _ random: inout SeededGenerator) -> String {
    if Int.random(in: 0..<6, using: &random) == 0 { skipped.insert(number) }
    let request = Int.random(in: 1...3, using: &random)
    let texts = [
      #"{"type":"add","payload":{"n":\#(number)}}"#, #"{"type":7}"#, #"{"kind":"té"}"#,
      #"{"type":"cart/save/pending","meta":{"requestId":"r\#(request)","requestStatus":"pending"}}"#,
      #"{"type":"cart/save/fulfilled","meta":{"requestId":"r\#(request)","requestStatus":"fulfilled"}}"#,
      #"{"type":"q\u0075ote","list":[{"type":"no"}]}"#, #"{"type":"a","type":"b"}"#,
    ]
    let text = texts.randomElement(using: &random) ?? ""
    let action = (try? Value(parsing: text)) ?? .null
    actions.append(action)
    let told = Int.random(in: 0..<5, using: &random) == 0 ? Value.string(text).text() : text
    var entry = [#""type":"PERFORM_ACTION""#, "\"action\":\(told)"]
    if Bool.random(using: &random) { entry.append(#""timestamp":\#(1_000 + number * 125)"#) }
    if Int.random(in: 0..<6, using: &random) == 0 {
      entry.append(#""stack":"at put (node_modules/@redux-saga/core/dist/a.js:1)""#)
    }
    entry.shuffle(using: &random)
    return "\"\(number)\": {\(entry.joined(separator: ",\n "))}"
  }

  private func text(_ texts: Set<String> = []) -> String {
    "{"
      + members.map { key, text in
        "\"\(key)\":\(texts.contains(key) ? Value.string(text).text() : text)"
      }.joined(separator: ",") + "}"
  }

  var text: String { text() }

  var wrappings: [String] {
    [
      Value.string(text).text(), #"{"payload":\#(Value.string(text).text())}"#,
      #"{"payload":\#(text)}"#, text(["actionsById", "computedStates"]),
    ]
  }
}
