import SessionLog
import TestFolder
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
      try session.steps(containing: "needle \"é\"", in: 0...500) == [100, 200, 300, 400, 500])
    #expect(try session.steps(containing: "needle", in: 150...420) == [200, 300, 400])
    #expect(try session.steps(containing: "needle", in: 0...500, limit: 2) == [100, 200])
    #expect(try session.steps(containing: "nowhere", in: 0...500) == [])
    #expect(try session.steps(containing: "hay", in: 7...11) == [7, 8, 9, 10, 11])
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
    #expect(try session.steps(containing: "needle", in: 0...20) == Array(1...20))
  }

  @Test("A part of the state is followed: its value is right at each step that may have changed it")
  func follows() throws {
    for places in [["/total"], ["/items/3"], ["/items", "/total"], [""]] {
      let pointers = try places.map { try Pointer($0) }
      var visited: [Int: Value?] = [:]
      try session.follow(pointers, in: 0...500) { step, state in
        visited[step] = state
        return true
      }
      var last: Value?
      for step in 0...500 {
        if let state = visited[step] { last = state }
        for pointer in pointers {
          let whole = try session.state(after: step)
          #expect(last?[pointer] == whole[pointer], "step \(step), \(pointer)")
        }
      }
      if places == ["/total"] { #expect(visited.count == 11) }
    }
  }
}
