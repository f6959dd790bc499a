import Testing
import ValueTree

@testable import RetconCommand

/// A shop with sixty orders, and one mistake against what its steps and states keep to else.
@Suite("Odd steps that break what else holds") struct OddLawTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private struct Shop {
    var orders: [(id: String, price: Int, isPaid: Bool)] = []
    var order: [String] = []
    var total = 0
    var open = 0
    var accounts = ["shop": 1_000, "bank": 1_000]
    var chosen: String?
    var playing = 0

    var state: Value {
      let byId = orders.map { order -> ValueObject.Element in
        (
          order.id,
          ["id": .string(order.id), "price": Value(order.price), "isPaid": .bool(order.isPaid)]
        )
      }
      return [
        "byId": .object(ValueObject(byId)), "order": .array(ValueArray(order.map { .string($0) })),
        "total": Value(total), "open": Value(open), "chosen": chosen.map { .string($0) } ?? .null,
        "accounts": ["acc-1": Value(accounts["shop"] ?? 0), "acc-2": Value(accounts["bank"] ?? 0)],
        "playing": Value(playing),
      ]
    }
  }

  /// The line of the first odd step that the mistake at step 150 makes.
  private func found(_ mistake: (inout Shop, inout ValueObject) -> Void) async throws -> String? {
    var shop = Shop()
    var lines = [(["state": shop.state] as Value).text()]
    for step in 1...240 {
      var action: ValueObject
      switch step % 4 {
      case 1:
        let (id, price) = ("o\(step)", 3 + step * 7 % 50)
        action = ["type": "added", "id": .string(id), "price": Value(price)]
        shop.orders.append((id, price, false))
        shop.order.append(id)
        shop.total += price
        shop.open += 1
      case 2:
        let place = shop.orders.count - 1
        action = ["type": "chosen", "id": .string(shop.orders[place].id)]
        shop.chosen = shop.orders[place].id
        shop.playing = place
      case 3:
        let place = shop.orders.count - 1
        action = ["type": "paid", "id": .string(shop.orders[place].id)]
        shop.orders[place].isPaid = true
        shop.open -= 1
        shop.accounts["shop", default: 0] -= shop.orders[place].price
        shop.accounts["bank", default: 0] += shop.orders[place].price
      default:
        action = ["type": "sorted", "by": Value(step)]
        if shop.order.count > 2 { shop.order.swapAt(0, 1) }
      }
      if (149...152).contains(step) {
        var changed = shop
        mistake(&changed, &action)
        if changed.state != shop.state || step == 149 { shop = changed }
      }
      lines.append((["action": .object(action), "state": shop.state] as Value).text())
    }
    let file = try runner.write(
      lines.joined(separator: "\n") + "\n", as: "shop-\(UInt32.random(in: 0 ... .max)).jsonl")
    let rows = await runner.run("odd", file).data.split(separator: "\n")
    return rows.first { (149...152).contains(Int($0.prefix { $0.isNumber }) ?? 0) }.map(String.init)
  }

  @Test("a healthy session has no such step")
  func healthy() async throws {
    #expect(try await found { _, _ in } == nil)
  }

  @Test("sums, totals and counts")
  func sums() async throws {
    let lost = try await found { shop, action in
      if action["type"] == "paid" { shop.accounts["bank", default: 0] -= 2 }
    }
    #expect(
      lost
        == "151  paid changed accounts.acc-1 by -46 and accounts.acc-2 by +44; usually one loses "
        + "what the other gains", "\(lost ?? "")")
    let total = try await found { shop, action in
      if action["type"] == "added" { shop.total += 1 }
    }
    #expect(total?.hasPrefix("149  ") == true && total?.contains("total") == true, "\(total ?? "")")
    let open = try await found { shop, action in
      if action["type"] == "paid" { shop.open += 1 }
    }
    #expect(open?.hasPrefix("151  ") == true && open?.contains("open") == true, "\(open ?? "")")
  }

  @Test("lists: one thing twice, and one that is missing")
  func lists() async throws {
    let twice = try await found { shop, action in
      if action["type"] == "added" { shop.order.append(shop.order[3]) }
    }
    #expect(
      twice == "149  added put one thing into order twice; usually it is there once",
      "\(twice ?? "")")
    let missing = try await found { shop, action in
      if action["type"] == "added" { shop.order.removeLast() }
    }
    #expect(missing?.hasPrefix("149  ") == true && missing?.contains("order") == true)
  }

  @Test("references to nothing, and another payload than what the state gets")
  func references() async throws {
    let chosen = try await found { shop, action in
      if action["type"] == "chosen" { shop.chosen = "o9999" }
    }
    #expect(chosen?.hasPrefix("150  chosen") == true && chosen?.contains("chosen") == true)
    let unheard = try await found { _, action in
      if action["type"] == "chosen" { action["id"] = "o9998" }
    }
    #expect(unheard?.contains("chosen") == true && unheard?.hasPrefix("150  ") == true)
  }
}
