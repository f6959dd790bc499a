import SessionWords
import Testing
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Payloads of listed steps")
struct StepPayloadsTests {
  private func shown(_ actions: [Value]) -> [String] {
    let rows = actions.enumerated().map { number, action in
      StepRow(Step(number: number, label: action["type"]?.string ?? "", action: action))
    }
    let payloads = StepPayloads(rows)
    return rows.map { payloads[$0] }
  }

  private func typed(_ field: String, _ value: String) -> Value {
    ["type": "form/typed", "payload": ["field": .string(field), "value": .string(value)]]
  }

  @Test("a row shows what differs from the row above of its kind")
  func typing() {
    let rows = shown([
      typed("name", "A"), typed("name", "Ad"), ["type": "saved"], typed("name", "Ada"),
      typed("coupon", "S"), typed("coupon", "S"),
    ])
    #expect(
      rows == ["name: \"A\"", "\"Ad\"", "", "name: \"Ada\"", "coupon: \"S\"", "coupon: \"S\""])
  }

  @Test("parts inside are compared, too; the first row of a kind is compared with the next")
  func nested() {
    func pending(_ id: String, _ page: Value) -> Value {
      [
        "type": "list/pending",
        "meta": ["requestId": .string(id), "arg": ["page": page, "size": 20]],
      ]
    }
    #expect(
      shown([pending("a", 1), pending("b", 1), pending("c", 2)]) == [
        "requestId: \"a\" …", "requestId: \"b\" …", "requestId: \"c\", page: 2 …",
      ])
  }

  @Test("payloads of another shape, lists and single values stay whole")
  func whole() {
    #expect(
      shown([
        ["type": "set", "payload": ["a": 1, "b": 2]],
        ["type": "set", "payload": ["a": 1, "c": 3]],
        ["type": "set", "payload": [1, 2]], ["type": "set", "payload": [1, 3]],
        ["type": "set", "payload": 4],
      ]) == ["{a: 1, b: 2}", "{a: 1, c: 3}", "[1, 2]", "[1, 3]", "4"])
  }
}
