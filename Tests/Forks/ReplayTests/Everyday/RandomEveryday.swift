import SessionWords
import StoreCore
import ValueTree

@testable import Replay

extension RandomApps {
  /// A user of an everyday app.
  static let everyday = RandomApp<Everyday.State, Everyday.Action>(
    name: "everyday", reducer: Everyday(), state: Everyday.State(),
    action: { state, random in
      if state.compose != nil, Int.random(in: 0..<5, using: &random) > 0 {
        return .compose(inCompose(&random))
      }
      if state.settings != nil, Int.random(in: 0..<3, using: &random) > 0 {
        return .settings(
          random.one(of: [
            .presented(.themeTapped("light")), .presented(.themeTapped("dark")), .dismiss,
          ]))
      }
      if let id = state.path.ids.last, Int.random(in: 0..<3, using: &random) > 0 {
        return random.one(of: [
          .path(.element(id: id, action: .loadTapped)),
          .path(.element(id: id, action: .starTapped)), .path(.popFrom(id: id)),
        ])
      }
      return home(&random)
    },
    otherAnswer: { action, _ in
      switch action {
      case .refreshed: .refreshed(["other"])
      case .searched: .searched(["other"])
      case .path(.element(let id, action: .loaded)):
        .path(.element(id: id, action: .loaded("other")))
      default: nil
      }
    },
    setting: { _, random in
      random.one(of: [
        (["likes"], .number(Number(Int.random(in: 0...9, using: &random)))),
        (["filter"], "set"), (["compose"], .null), (["items"], []), (["isRunning"], false),
      ])
    },
    services: { dependencies, world in
      dependencies.everyday.items = {
        let number = try await world.call("items", $0)
        return ["\($0) \(number % 10)", "\($0) \(number % 7)"]
      }
      dependencies.everyday.search = { ["\($0) \(try await world.call("search", $0) % 10)"] }
      dependencies.everyday.detail = { "\($0) \(try await world.call("detail", $0) % 10)" }
      dependencies.everyday.star = { try await world.call("star", $0).isMultiple(of: 2) }
      dependencies.everyday.save = {
        _ = try await world.call("save", $0)
        return $0
      }
    },
    tapes: { $0.everyday.putOnTape($1) },
    reply: { question, world in
      world.reply(to: question) { number in
        let asked = question.arguments?.first.flatMap(text) ?? ""
        return switch question.key {
        case "items": [.string("\(asked) \(number % 10)"), .string("\(asked) \(number % 7)")]
        case "search": [.string("\(asked) \(number % 10)")]
        case "detail": .string("\(asked) \(number % 10)")
        case "star": .bool(number.isMultiple(of: 2))
        default: .string(asked)
        }
      }
    })

  private static func home(_ random: inout SeededRandomNumberGenerator) -> Everyday.Action {
    let number = Int.random(in: 1...3, using: &random)
    return random.one(of: [
      .refreshTapped, .refreshTapped, .filterTapped(random.one(of: ["all", "new", "done"])),
      .queryChanged(random.one(of: ["a", "ab", "abc", ""])), .queryChanged("a"),
      .queryChanged("ab"), .runTapped, .runTapped, .likeTapped, .likeTapped, .soundTapped,
      .soundTapped, .messageTapped, .openTapped("page \(number)"), .openTapped("page \(number)"),
      .composeTapped, .composeTapped, .settingsTapped,
    ])
  }

  private static func inCompose(
    _ random: inout SeededRandomNumberGenerator
  ) -> PresentationAction<Everyday.Compose.Action> {
    random.one(of: [
      .presented(.textChanged("m")), .presented(.textChanged("mi")),
      .presented(.textChanged("milk")), .presented(.saveTapped), .presented(.saveTapped),
      .dismiss,
    ])
  }

  private static func text(_ value: Value) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
}
