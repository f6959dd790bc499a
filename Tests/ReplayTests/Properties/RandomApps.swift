import Samples
import SessionLog
import StoreCore
import StoreRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

enum RandomApps {
  static let shop = RandomApp<Shop.State, Shop.Action>(
    reducer: Shop(), state: Shop.State(),
    action: { random in
      let number = Int.random(in: 0..<5, using: &random)
      return switch Int.random(in: -8..<20, using: &random) {
      case ...3: .add(number)
      case 4: .clear
      case 5, 6: .roll
      case 7, 8: .rate
      case 9, 10: .announce
      case 11: .noted("note \(number)")
      case 12, 13: .fetch(number)
      case 14: .cancelFetch
      case 15: .fan
      case 16: .poll
      case 17: .stopPolling
      case 18: .type("text \(number)")
      default: .chain
      }
    },
    dependencies: { $0.withRandomNumberGenerator = .init(ConstantNumbers()) },
    tapes: { RecordedShop.tapes(&$0, $1) })

  static let counter = RandomApp<Counter.State, Counter.Action>(
    reducer: Counter(), state: Counter.State(),
    action: { random in
      let taps: [Counter.Action] = [
        .incrementTapped, .decrementTapped, .incrementTapped, .randomizeTapped, .randomizeTapped,
        .factTapped, .factCancelTapped, .messageDismissed, .timerTapped,
      ]
      return taps.randomElement(using: &random) ?? .incrementTapped
    },
    dependencies: {
      $0.withRandomNumberGenerator = .init(ConstantNumbers())
      $0.factClient = FactClient.liveValue
    },
    tapes: { $0.factClient.fact = $1.closure("fact", $0.factClient.fact) })

  /// A sample, its random user doing what the demo does, in order or not.
  static func sample<Shown: Sample>(
    _ sample: Shown.Type, dependencies: @escaping @Sendable (inout DependencyValues) -> Void
  ) -> RandomApp<Shown.App.State, Shown.App.Action> {
    let moves = sample.demo().map(\.action)
    return RandomApp(
      reducer: sample.app(), state: sample.initialState(),
      action: { moves.randomElement(using: &$0) ?? moves[0] },
      dependencies: {
        dependencies(&$0)
        // Actions for children that are not there are told as issues; here they are wanted.
        $0.issueReporter = IssueReporter { _ in }
      },
      tapes: { sample.putDependenciesOnTape(&$0, $1) })
  }

  /// The service of Wishes with ids that depend on nothing but the name.
  @Sendable static func fetchWishes(_ name: String) async throws -> [Wish] {
    @Dependency(\.continuousClock) var clock
    try await clock.sleep(for: .milliseconds(900))
    if name.count < 3 { throw WishServiceError("Nobody called \(name) is known here.") }
    return ["Health", "A quiet garden", "World peace", "A letter from \(name)"].enumerated().map {
      Wish(id: UUID(UInt64($0.offset)), title: $0.element)
    }
  }
}
