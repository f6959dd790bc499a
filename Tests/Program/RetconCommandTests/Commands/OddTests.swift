import Testing
import ValueTree

@testable import RetconCommand

/// Sessions with one mistake each, as an app could make them.
@Suite("Odd steps, and one thing through all actions") struct OddTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// Writes a session of 60 steps; `change` makes the mistake in the state after a step.
  private func session(
    _ change: (_ step: Int, _ state: inout ValueObject) -> Void
  ) throws -> String {
    var orders: [Value] = []
    var lines = [#"{"state":{"orders":[],"total":0,"version":0,"chosen":null}}"#]
    var state: ValueObject = ["orders": [], "total": 0, "version": 0, "chosen": .null]
    for step in 1...60 {
      var action: ValueObject = ["type": "order/chosen", "id": Value(100 + step / 3)]
      state["version"] = Value(step)
      if step % 3 == 1 {
        orders.append(["id": Value(101 + step / 3), "price": Value(step)])
        action = ["type": "order/added", "id": Value(101 + step / 3), "price": Value(step)]
        state["orders"] = .list(orders) { $0 }
        state["total"] = Value(orders.count)
      } else {
        state["chosen"] = Value(step)
      }
      change(step, &state)
      lines.append((["action": .object(action), "state": .object(state)] as Value).text())
    }
    let text = lines.joined(separator: "\n") + "\n"
    return try runner.write(text, as: "odd-\(UInt32.random(in: 0 ... .max)).jsonl")
  }

  private func first(_ change: (Int, inout ValueObject) -> Void) async throws -> String {
    let answer = await runner.run("odd", try session(change), "-n", "3")
    return String(answer.data.prefix { $0 != "\n" })
  }

  @Test("names the step that is unlike its kind first")
  func odd() async throws {
    #expect(await runner.run("odd", try session { _, _ in }).status == .no)
    #expect(
      try await first { if $0 == 31 { $1["total"] = 10 } }
        == "31  after order/added, the length of orders is 11 and total is 10; usually they are equal"
    )
    #expect(
      try await first { if $0 >= 32, $0 % 3 != 1, $0 < 34 { $1["total"] = 0 } }
        == "32  after order/chosen, the length of orders is 11 and total is 0; usually they are equal"
    )
    #expect(
      try await first { if $0 == 40 { $1["version"] = 3 } }
        == "40  order/added made version 3; usually it equals action.price, which is 40")
    #expect(
      try await first { if $0 >= 50 { $1["version"] = .string("\($0)") } }
        == "50  version became a text, and was a number")
    #expect(
      try await first { if $0 == 46 { $1["orders"] = [["id": 116, "price": 46]] } }
        == "46  after order/added, the length of orders is 1 and total is 16; usually they are equal"
    )
  }

  @Test("a request without an answer, and an answer without a request")
  func requests() async throws {
    var text = #"{"state":{"n":0}}"# + "\n"
    var step = 0
    func add(_ type: String, _ id: Int) {
      step += 1
      text +=
        #"{"action":{"type":"\#(type)","meta":{"requestId":"r\#(id)"}},"state":{"n":\#(step)}}"#
        + "\n"
    }
    for id in 1...12 {
      add("save/pending", id)
      if id != 7 { add("save/fulfilled", id == 10 ? 99 : id) }
    }
    let file = try runner.write(text, as: "requests.jsonl")
    let rows = await runner.run("odd", file, "--json").data.split(separator: "\n")
    let found = try rows.map { try Value(parsing: String($0)) }
    #expect(found.first?["kind"] == "unasked" && found.first?["step"] == 19, "\(found)")
    #expect(found.contains { $0["kind"] == "unanswered" && $0["step"] == 13 }, "\(found)")
  }

  @Test("follows an order between lists, and says which action changed nothing of it")
  func trace() async throws {
    let file = try runner.write(
      """
      {"state":{"orders":[],"archive":[],"chosenOrderId":null,"users":{"7":{"name":"Ann"}}}}
      {"action":{"type":"order/added","id":7},"state":{"orders":[{"id":7,"qty":1}],"archive":[],"chosenOrderId":null,"users":{"7":{"name":"Ann"}}}}
      {"action":{"type":"order/added","id":8},"state":{"orders":[{"id":8,"qty":7},{"id":7,"qty":1}],"archive":[],"chosenOrderId":null,"users":{"7":{"name":"Ann"}}}}
      {"action":{"type":"order/more","id":7},"state":{"orders":[{"id":8,"qty":7},{"id":7,"qty":2}],"archive":[],"chosenOrderId":7,"users":{"7":{"name":"Ann"}}}}
      {"action":{"type":"user/renamed","id":7},"state":{"orders":[{"id":8,"qty":7},{"id":7,"qty":2}],"archive":[],"chosenOrderId":7,"users":{"7":{"name":"Bo"}}}}
      {"action":{"type":"order/paid","id":7},"state":{"orders":[{"id":8,"qty":7},{"id":7,"qty":2}],"archive":[],"chosenOrderId":7,"users":{"7":{"name":"Bo"}}}}
      {"action":{"type":"archived"},"state":{"orders":[{"id":8,"qty":7}],"archive":[{"id":7,"qty":2}],"chosenOrderId":7,"users":{"7":{"name":"Bo"}}}}

      """, as: "shop.jsonl")
    let order = await runner.run("trace", file, "order 7")
    #expect(
      order.data == """
        1    order/added {id: 7}
            + orders  {id: 7, qty: 1}
        3    order/more {id: 7}
            orders.qty  1 → 2
            + chosenOrderId  7
        5    order/paid {id: 7}
            it changes nothing of this
        6    archived
            orders → archive

        """, "\(order)")
    #expect(order.messages == "After step 6 it is at archive, chosenOrderId.\n")
    let user = await runner.run("trace", file, "user 7")
    #expect(user.data.contains("    users.name  \"Ann\" → \"Bo\"\n"), "\(user)")
    #expect(!user.data.contains("order/added"))
    #expect(await runner.run("trace", file, "9").status == .no)
    let wrong = await runner.run("trace", file, "an order 7")
    #expect(wrong.messages.contains("is not a kind and an id. Write 'order 4711', or 4711."))
  }
}
