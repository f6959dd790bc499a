import SessionWords
import StoreCore

enum TestStoreText {
  static func unreceived(_ actions: [Any]) -> String {
    """
    \(counted(actions.count, "received action")) \(actions.count == 1 ? "was" : "were") not asserted \
    at the end of the test:

    \(list(actions))

    \(howToReceive)
    """
  }

  private static let howToReceive = """
    Receive them, skip them with skipReceivedActions(), or make the test less exhaustive: \
    store.exhaustivity = .off.
    """

  static func waiting(_ actions: [Any]) -> String {
    """
    \(counted(actions.count, "received action")) must be asserted before another action is sent:

    \(list(actions))

    \(howToReceive)
    """
  }

  static func skipped(_ actions: [Any]) -> String {
    "\(counted(actions.count, "received action")) \(actions.count == 1 ? "was" : "were") skipped:"
      + "\n\n" + list(actions)
  }

  static let dismissed =
    "The feature has dismissed itself: its parent would not pass anything on to it any more."

  static func before(_ actions: [Any]) -> String {
    """
    \(counted(actions.count, "received action")) came before this one and \
    \(actions.count == 1 ? "was" : "were") not asserted:

    \(list(actions))
    """
  }

  static func running(_ effect: StoreEffect) -> String {
    """
    \(effect.title) still runs at the end of the test.

    If it is about to end, wait with finish(). If it waits for a clock, advance the clock.
    If only an action ends it, send that. Or skip it with skipInFlightEffects().
    """
  }

  static func notReceived(
    _ expected: String, within timeout: Duration, running: [StoreEffect]
  ) -> String {
    guard !running.isEmpty else {
      return """
        Nothing was received, and no effect is running that could send anything.

        − \(expected)
        """
    }
    return """
      Nothing was received within \(timeout).

      − \(expected)

      Still running: \(running.map(\.title).joined(separator: "; "))
      An effect that waits for a clock goes on when the test advances that clock. One that only \
      takes longer needs a longer timeout.
      """
  }

  static func noneAmong(_ expected: String, _ actions: [Any]) -> String {
    """
    No such action was received.

    − \(expected)

    Received, and still waiting:

    \(list(actions))
    """
  }

  static func pending(_ texts: [String]) -> String {
    "\(texts.count == 1 ? "this is" : "these are") pending:\n\n"
      + texts.map { "• \($0)" }.joined(separator: "\n")
  }

  static func unexpected<Action>(
    _ action: Action, insteadOf expected: ActionPattern<Action>.Expected
  ) -> String {
    let difference: String
    switch expected {
    case .value(let value):
      difference =
        readableDifference(expected: value, actual: action)
        ?? "− \(expected.text)\n+ \(Dump.line(action, limit: 300))"
    case .text(let text):
      difference = "− \(text)\n+ \(Dump.line(action, limit: 300))"
    }
    return "Another action was received (− expected, + received):\n\n" + difference
  }

  static func difference<State>(
    _ sentence: String, signs: String = "− expected, + actual", _ expected: State, _ actual: State
  ) -> String {
    let difference =
      readableDifference(expected: expected, actual: actual)
      ?? "They are not equal by ==, but they print the same."
    return "\(sentence) (\(signs)):\n\n\(difference)"
  }

  static func list(_ effects: [StoreEffect]) -> String {
    effects.map { "• \($0.title)" }.joined(separator: "\n")
  }

  private static func list(_ actions: [Any]) -> String {
    actions.map { "• \(Dump.line($0, limit: 300))" }.joined(separator: "\n")
  }
}
