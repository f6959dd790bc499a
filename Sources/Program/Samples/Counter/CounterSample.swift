import SessionLog
import StoreCore

package enum CounterSample: Sample {
  package static let name = "counter"
  package static let title = "Counter"

  package static func app() -> Counter { Counter() }
  package static func initialState() -> Counter.State { Counter.State() }

  package static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.factClient.fact = tape.closure("fact", dependencies.factClient.fact)
  }

  package static var show: DemoShow? {
    DemoShow(
      at: 26,
      "The service gave no answer here. `C` shows a fork in which it did, `f` makes one of your own, "
        + "`j` and `k` go through the steps.",
      fork: "it answers", action: ["factReceived": ["_0": "143 is 11 times 13."]])
  }

  /// A fact, a cancelled one, a failed one, and a timer.
  package static func demo() -> [DemoMove<Counter.Action>] {
    [
      DemoMove(after: .milliseconds(1_400), .incrementTapped),
      DemoMove(after: .milliseconds(420), .incrementTapped),
      DemoMove(after: .milliseconds(380), .incrementTapped),
      DemoMove(after: .milliseconds(2_100), .factTapped),
      DemoMove(after: .milliseconds(2_600), .randomizeTapped),
      DemoMove(after: .milliseconds(900), .factTapped),
      DemoMove(after: .milliseconds(350), .factCancelTapped),
      DemoMove(after: .milliseconds(1_800), .timerTapped),
      DemoMove(after: .milliseconds(3_300), .decrementTapped),
      DemoMove(after: .milliseconds(500), .decrementTapped),
      DemoMove(after: .milliseconds(2_400), .timerTapped),
      DemoMove(after: .milliseconds(1_200), .randomizeTapped),
      DemoMove(after: .milliseconds(700), .randomizeTapped),
      DemoMove(after: .milliseconds(1_500), .incrementTapped),
      DemoMove(after: .milliseconds(240), .incrementTapped),
      DemoMove(after: .milliseconds(220), .incrementTapped),
      DemoMove(after: .milliseconds(250), .incrementTapped),
      DemoMove(after: .milliseconds(600), .factTapped),
      DemoMove(after: .milliseconds(3_000), .messageDismissed),
      DemoMove(after: .milliseconds(800), .incrementTapped),
      DemoMove(after: .milliseconds(900), .factTapped),
      DemoMove(after: .milliseconds(2_000), .timerTapped),
      DemoMove(after: .milliseconds(2_500), .incrementTapped),
    ]
  }
}
