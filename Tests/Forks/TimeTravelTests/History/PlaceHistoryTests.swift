import RecordingSupport
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import TimeTravel

@Suite("The history of a place")
struct PlaceHistoryTests {
  private static let states: [Value] = [
    ["items": []],
    ["items": [["id": 1, "title": "tea"]]],
    ["items": [["id": 2, "title": "milk"], ["id": 1, "title": "tea"]]],
    ["items": [["id": 2, "title": "milk"], ["id": 1, "title": "green tea"]]],
    ["items": [["id": 1, "title": "green tea"], ["id": 2, "title": "milk"]]],
    ["items": [["id": 2, "title": "milk"]], "total": 2],
    ["items": [["id": 2, "title": "milk"], ["id": 3, "title": "green tea"]], "total": 2],
  ]

  private func periods(_ text: String, at step: Int) async throws -> [String] {
    let steps = Self.states.indices.map { Step(number: $0, label: "step \($0)", action: .null) }
    let session = OpenSession(
      MemoryRecording(name: "cart", steps: steps, states: Self.states))
    return try await session.history(of: try Pointer(text), at: Position(step: step)).periods.map {
      "\($0.place) \($0.steps.lowerBound)-\($0.steps.upperBound) "
        + ($0.value.map { ValuePreview.text($0) } ?? "not there")
    }
  }

  @Test(
    "an element of a list is followed as it moves, from the step that brought it to the one that took it"
  )
  func elements() async throws {
    let expected = [
      #"/items/1/title 1-2 "tea""#, #"/items/0/title 3-4 "green tea""#,
      "/items/0/title 5-6 not there",
    ]
    let first = try await periods("/items/1/title", at: 2)
    #expect(first == expected, "\(first)")
    #expect(try await periods("/items/0/title", at: 4) == expected)
    #expect(
      try await periods("/items/0", at: 6) == [#"/items/0 2-6 {id: 2, title: "milk"}"#])
  }

  @Test("what comes back into a list is another element")
  func another() async throws {
    #expect(
      try await periods("/items/1/title", at: 6) == [#"/items/1/title 6-6 "green tea""#])
  }

  @Test("a member has a time before it, and what is not there now is looked for in the past")
  func members() async throws {
    #expect(try await periods("/total", at: 6) == ["/total 0-4 not there", "/total 5-6 2"])
    #expect(try await periods("/items/1/title", at: 5) == [#"/items/0/title 2-6 "milk""#])
    #expect(try await periods("/none", at: 6) == [])
  }

  @Test("a place that a patch carries forward is carried back to where it was")
  func thereAndBack() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let old = Self.list(&random)
      let new = Self.changed(old, &random)
      let track = PlaceTrack(
        from: ["list": .array(ValueArray(old))], to: ["list": .array(ValueArray(new))])
      for index in old.indices {
        let place: Pointer = ["list", "\(index)", "id"]
        guard let there = track.forward(place) else { continue }
        #expect(track.back(there) == place)
        let value: Value = ["list": .array(ValueArray(new))]
        #expect(value[there] == old[index]["id"])
      }
    }
  }

  private static func list(_ random: inout SeededGenerator) -> [Value] {
    (0..<Int.random(in: 0...6, using: &random)).map { ["id": .number(Number($0)), "n": 0] }
  }

  private static func changed(_ list: [Value], _ random: inout SeededGenerator) -> [Value] {
    var list = list
    for number in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0...2, using: &random) {
      case 0 where !list.isEmpty: list.remove(at: Int.random(in: list.indices, using: &random))
      case 1:
        list.insert(
          ["id": .number(Number(100 + number)), "n": 1],
          at: Int.random(in: 0...list.count, using: &random))
      default: list.shuffle(using: &random)
      }
    }
    return list
  }
}
