import StoreCore
import ValueTree

@testable import Replay

extension RandomApps {
  /// A user at a desk.
  static let desk = RandomApp<Desk.State, Desk.Action>(
    name: "desk", reducer: Desk(), state: Desk.State(),
    action: { state, random in
      let number = Int.random(in: 0..<4, using: &random)
      if state.sheet != nil, number > 1 {
        return .sheet(
          random.one(of: [
            .presented(.typed("text \(number)")), .presented(.save), .presented(.save), .dismiss,
          ]))
      }
      if let id = state.rows.ids.randomElement(using: &random), number > 1 {
        return random.one(of: [
          .rows(.element(id: id, action: .load)), .rows(.element(id: id, action: .load)),
          .rows(.element(id: id, action: .more)), .removeRow(id),
        ])
      }
      return random.one(of: [
        .add(number), .add(number), .scale, .price, .price, .stamp, .stamp,
        .tag(random.one(of: ["a", "b", "c"])), .tag(random.one(of: ["a", "b", "c"])),
        .type("text \(number)"), .type("text \(number)"), .scroll(number), .scroll(number), .order,
        .order, .maybe(number), .maybe(number), .announce, .noted("note \(number)"),
        .addRow(number), .addRow(number), .open(number),
      ])
    },
    otherAnswer: { action, _ in
      switch action {
      case .searched: .searched(["other"])
      case .quoted: .quoted(0.1)
      case .confirmed(let isDone): .confirmed(!isDone)
      case .came: .came(77)
      case .rows(.element(let id, action: .loaded)): .rows(.element(id: id, action: .loaded(0.2)))
      default: nil
      }
    },
    setting: { _, random in
      random.one(of: [
        (["counter"], .number(Number(Int.random(in: 0...5, using: &random)))),
        (["tags"], ["c"]), (["total"], .number(.double(-0.0))), (["sheet"], .null), (["notes"], []),
      ])
    },
    services: { dependencies, world in
      dependencies.desk.price = { Double(world.answer("price", "\($0)") % 100) / 8 }
      dependencies.desk.quote = {
        Double(try await world.call("quote", "\($0)") % 1_000) / 10
      }
      dependencies.desk.search = {
        let number = try await world.call("search", $0)
        return ["\($0) \(number % 10)"]
      }
      dependencies.desk.confirm = { try await world.call("confirm", $0).isMultiple(of: 2) }
    },
    tapes: { $0.desk.putOnTape($1) },
    reply: { question, world in
      world.reply(to: question) { number in
        switch question.key {
        case "quote": .number(.double(Double(number % 1_000) / 10))
        case "search":
          [.string("\(question.arguments?.first.flatMap(text) ?? "") \(number % 10)")]
        default: .bool(number.isMultiple(of: 2))
        }
      }
    },
    written: { state in
      // A set has no order.
      var state = state
      state.notes += state.tags.sorted()
      state.tags = []
      return state
    })

  private static func text(_ value: Value) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
}
