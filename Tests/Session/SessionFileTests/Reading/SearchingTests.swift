import SessionFile
import SessionImports
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Searching") struct SearchingTests {
  let folder: TemporaryFolder
  let session: SessionReader

  init() throws {
    folder = try TemporaryFolder()
    var options = WritingOptions()
    options.keyframes = .every(40)
    options.partSize = 40_000
    var header = SessionHeader(state: ["total": 0, "items": [], "name": "Ann"])
    header.session = "s"
    let writer = try SessionWriter(path: folder("s.retcon"), header: header, options: options)
    var items: [Value] = []
    for number in 1...500 {
      if number.isMultiple(of: 5) { items.insert(.number(Number(number)), at: 0) }
      try writer.append(
        Step(
          number: number, label: "step",
          action: ["note": .string(number.isMultiple(of: 100) ? "needle \"é\" \(number)" : "hay")]),
        state: [
          "total": .number(Number(number / 50)), "items": .array(ValueArray(items.prefix(9))),
          "name": .string("Ann \(number)"),
        ])
      try writer.append(Signpost("needle between", step: number))
    }
    try writer.finish()
    session = try SessionReader(path: folder("s.retcon"))
  }

  @Test("Steps whose lines hold a text are found without parsing, in all parts")
  func text() throws {
    #expect(folder.names.count > 2)
    #expect(
      try steps("needle \"é\"", in: 0...500) == [100, 200, 300, 400, 500])
    #expect(try steps("needle", in: 150...420) == [200, 300, 400])
    #expect(try steps("needle", in: 0...500, limit: 2) == [100, 200])
    #expect(try steps("nowhere", in: 0...500) == [])
    #expect(try steps("hay", in: 7...11) == [7, 8, 9, 10, 11])
  }

  @Test(
    "A walk sees which states of another tool's log left the places alone",
    arguments: [[["items"]], [["items"], ["extra"]]] as [[Pointer]], [true, false])
  func unchanged(places: [Pointer], areApart: Bool) throws {
    let lists = ["[1,2]", "[1,2]", "[2]", "[2]", "[1,2]"]
    let lines = lists.enumerated().map { number, list in
      let state = #""state":{"n":\#(number),"items":\#(list)}"#
      return areApart
        ? #"{"action":{"type":"a"}}"# + "\n{\(state)}" : #"{"action":{"type":"a"},\#(state)}"#
    }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log.jsonl")
    let session = try SessionOpener.standard.open(folder("log.jsonl"))
    var walk = session.walk(places, from: 1)
    var told: [String] = []
    try walk.advance(through: 5) { preview in
      told.append((preview.state?["items"]?.text() ?? "") + (preview.hasChanged ? " new" : ""))
      return true
    }
    #expect(told == ["[1,2] new", "[1,2]", "[2] new", "[2]", "[1,2] new"])
  }

  @Test("A walk tells the state of a line whose patch leads to another one")
  func contradiction() throws {
    let lines = [
      #"{"retcon":"1.0","state":{"n":0}}"#,
      #"{"step":1,"label":"a","action":{},"patch":[{"op":"replace","path":0,"value":1}]}"#,
      #"{"step":2,"label":"a","action":{},"state":{"n":1},"keyframe":true}"#,
      #"{"step":3,"label":"a","action":{},"patch":[{"op":"replace","path":"/n","value":2}],"#
        + #""state":{"n":3},"keyframe":true}"#,
    ]
    try folder.write(lines.joined(separator: "\n") + "\n", to: "c.retcon")
    let session = try SessionReader(path: folder("c.retcon"))
    var walk = session.walk([["n"]], from: 0)
    var told: [Value?] = []
    try walk.advance(through: 3) { preview in
      told.append(preview.state?["n"])
      return true
    }
    #expect(told == [0, nil, 1, 3])
    #expect(try session.state(after: 3) == ["n": 3])
  }

  @Test(
    "Behind a line that tells no state a patch applies to the one before",
    arguments: [#""more":1"#, #""p\tch":1"#])
  func untold(member: String) throws {
    let text = """
      {"retcon":"1.0","state":{"n":0}}
      {"step":1,"label":"a","action":{},\(member)}
      {"step":2,"label":"a","action":{},"patch":[{"op":"replace","path":"/n","value":2}]}

      """
    let session = try SessionReader(path: folder.write(text, to: "u.retcon"))
    var walk = session.walk([["n"]], from: 0)
    var told: [Value?] = []
    try walk.advance(through: 2) { preview in
      told.append(preview.state?["n"])
      return true
    }
    #expect(told == [0, nil, 2])
    #expect(try session.state(after: 2) == ["n": 2])
  }

  @Test(
    "Of a member that comes twice a walk takes the last, and a whole state before any patch",
    arguments: [
      (#""state":{"n":1},"patch":[{}],"patch":[{"op":"replace","path":"/n","value":2}]"#, 1),
      (#""state":{"n":1},"patch":[{}],"patch":[{"op":"replace","path":0,"value":2}]"#, 1),
      (#""state":{"n":1},"patch":[{}],"patch":null"#, 1),
      (#""state":{"n":1},"patch":[{"op":"replace","path":"/n","value":2}],"patch":[{}]"#, 1),
      (#""patch":[{}],"state":{"n":1},"patch":[],"state":{"n":2}"#, 2),
      (#""patch":[{}],"patch":[{"op":"replace","path":"/n","value":2}]"#, 2),
      (#""patch":[{"op":"replace","path":"/n","value":2}],"patch":[{}]"#, nil),
      (#""patch":[{"op":"add","op":"replace","path":"/m","path":"/n","value":1,"value":2}]"#, 2),
    ] as [(String, Int?)])
  func repeated(members: String, expected: Int?) throws {
    let text = """
      {"retcon":"1.0","state":{"n":0}}
      {"step":1,"label":"a","label":"b","action":1,"action":{"n":7},\(members)}

      """
    let session = try SessionReader(path: folder.write(text, to: "r.retcon"))
    let value = expected.map { Value.number(Number($0)) }
    var walk = session.walk([["n"]], from: 1)
    try walk.advance(through: 1) { preview in
      #expect(preview.state?["n"] == value)
      let step = try? preview.step(StepPreview.Parts(.label, actionPlaces: [["n"]]))
      #expect(step?.label == "b")
      #expect(step?.action == ["n": 7])
      return true
    }
    #expect((try? session.state(after: 1))?["n"] == value)
    #expect(try session.step(1).label == "b")
    #expect(try session.step(1).action == ["n": 7])
  }

  @Test("A text across the borders of what is read at once is found")
  func borders() throws {
    let long = String(repeating: "x", count: 300_000)
    let writer = try SessionWriter(path: folder("l.retcon"), header: SessionHeader(state: 0))
    for number in 1...20 {
      let size = long.dropLast(number * 7_919)
      try writer.append(
        Step(number: number, label: "a", action: .string("\(size)needle\(size)")), state: 0)
    }
    try writer.finish()
    let session = try SessionReader(path: folder("l.retcon"))
    #expect(try steps("needle", in: 0...20, of: session) == Array(1...20))
  }

  private func steps(
    _ text: String, in steps: ClosedRange<Int>, limit: Int = .max, of other: SessionReader? = nil
  ) throws -> [Int] {
    let needle = try #require(TextNeedle(text, ignoringCase: false))
    return try (other ?? session).steps(holding: needle, in: steps, limit: limit)
  }

  @Test("A part of the state is followed: it is right at each step, and said to have changed if so")
  func follows() throws {
    for places in [["/total"], ["/items/3"], ["/items", "/total"], ["/name/none"], [""]] {
      let pointers = try places.map { try Pointer($0) }
      var visited = 0
      var changes = 0
      var last: Value?
      var walk = session.walk(pointers, from: 0)
      while walk.next <= 500 {
        try walk.advance(through: min(500, walk.next + 70)) { preview in
          #expect(preview.number == visited)
          let whole = try? session.state(after: preview.number)
          for pointer in pointers {
            #expect(preview.value(at: pointer) == whole?[pointer])
            #expect(preview.state?[pointer] == whole?[pointer])
          }
          if !preview.hasChanged {
            for pointer in pointers { #expect(preview.state?[pointer] == last?[pointer]) }
          }
          visited += 1
          changes += preview.hasChanged ? 1 : 0
          last = preview.state
          return true
        }
      }
      #expect(visited == 501)
      // The header of a further part holds a state of its own, so its first step counts as changed.
      let parts = folder.names.count
      if places == ["/total"] { #expect(changes == 11 + parts - 1) }
    }
  }

  @Test(
    "A whole state answers from its text as it does when it is parsed",
    arguments: [
      #"{"n":2}"#, #"{"n":"b"}"#, #"{"n":"\u0062"}"#, #"{"n":[2]}"#, #"{"n":{"m":2}}"#, #"{"m":2}"#,
      #"{"n":1,"n":2}"#, #"{"n":02}"#, #"{"n":true}"#, #"{"n":20e-1}"#, #"{"\u006e":2}"#, "7",
      "[2]",
    ])
  func scalars(state: String) throws {
    let text = """
      {"action":{"type":"a"},"state":{"n":0}}
      {"action":{"type":"b"},"state":\(state)}

      """
    var opener = SessionOpener.standard
    opener.indexCache = nil
    let session = try opener.open(folder.write(text, to: "log.jsonl"))
    let known = try? session.state(after: 2)
    for words in ["state.n == 2", "state.n != 'b'", "state.n", "state.n > 1 || label == 'c'"] {
      let condition = try Condition(words)
      for asksFirst in [true, false] {
        var walk = session.walk([["n"]], from: 2)
        try walk.advance(through: 2) { preview in
          if asksFirst { #expect(preview.isStateKnown == (known != nil)) }
          let answer = preview.answer(condition)
          if let answer, let known {
            let holds = try? condition.holds(for: ["label": "b", "state": known])
            #expect(answer == holds, "\(words)")
          }
          #expect(preview.isStateKnown == (known != nil))
          #expect(preview.value(at: ["n"]) == known?["n"])
          #expect(preview.state?["n"] == known?["n"])
          let step = try? preview.step(StepPreview.Parts(.label))
          #expect(known == nil || step?.label == "b")
          return true
        }
      }
    }
  }

  @Test(
    "Bytes tell the label that the parser tells",
    arguments: [
      #"{"type":"a","type":"b"}"#, #"{"type":"a","type":1}"#, #"{"type":1,"name":"a","name":"b"}"#,
      #"{"name":"a","type":"b"}"#, #"{"a":1,"a":2}"#, #"{"type":"a","storeId":"b"}"#, #""a""#,
    ])
  func labels(action: String) throws {
    var opener = SessionOpener.standard
    opener.indexCache = nil
    let line = #"{"action":\#(action),"state":{"n":1}}"# + "\n"
    let session = try opener.open(folder.write(line, to: "log.jsonl"))
    let label = try session.step(1).label
    let condition = try Condition("label == '\(label)'")
    var walk = session.walk([["n"]], from: 1)
    try walk.advance(through: 1) { preview in
      #expect(preview.answer(condition) != false)
      #expect((try? preview.step(StepPreview.Parts(.label)))?.label == label)
      return true
    }
  }

  @Test("A walk stops where its visitor says so")
  func stops() throws {
    var numbers: [Int] = []
    var walk = session.walk(nil, from: 7)
    try walk.advance(through: 500) { preview in
      numbers.append(preview.number)
      return preview.number < 9
    }
    #expect(numbers == [7, 8, 9])
  }
}
