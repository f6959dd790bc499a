import SessionLog
import StoreCore

package enum WishesSample: Sample {
  package static let name = "wishes"
  package static let title = "Wishes"

  package static func app() -> Wishes { Wishes() }
  package static func initialState() -> Wishes.State { Wishes.State() }

  package static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.wishClient.fetchWishes = tape.closure(
      "fetchWishes", dependencies.wishClient.fetchWishes)
    dependencies.wishClient.save = tape.closure("save", dependencies.wishClient.save)
  }

  package static var show: DemoShow? {
    DemoShow(
      at: 5,
      "Nobody knew “Stf”. `C` shows a fork in which somebody did, `f` makes one of your own, "
        + "`j` and `k` go through the steps.",
      fork: "Stf is known",
      action: [
        "wishesResponse": [
          "_0": [
            "success": [
              "_0": [["id": "00000000-0000-0000-0000-00000000000a", "title": "A better memory"]]
            ]
          ]
        ]
      ])
  }

  /// An unknown name, a known one, a rejected wish, a saved and shared one, and at last a button
  /// that waits for ever.
  package static func demo() -> [DemoMove<Wishes.Action>] {
    typing("Stf") + [
      DemoMove(after: .milliseconds(900), .discoverWishesTapped),
      DemoMove(after: .milliseconds(2_300), .destination(.dismiss)),
      typed("St", after: 600), typed("Ste", after: 230), typed("Stef", after: 190),
      DemoMove(after: .milliseconds(700), .discoverWishesTapped),
      submit(after: 3_100, .wishSelected(id(2))),
      submit(after: 800, .save),
      submit(after: 2_400, .wishSelected(id(0))),
      submit(after: 1_200, .save),
      result(after: 2_900, 0, .shareTapped),
      result(after: 1_600, 0, .doneTapped),
      DemoMove(after: .milliseconds(1_500), .discoverWishesTapped),
      submit(after: 2_000, .cancelTapped),
      typed("Stefa", after: 1_300), typed("Stefan", after: 260),
      DemoMove(after: .milliseconds(500), .discoverWishesTapped),
    ]
  }

  private static func typing(_ text: String) -> [DemoMove<Wishes.Action>] {
    text.indices.map { typed(String(text[...$0]), after: 220) }
  }

  private static func typed(_ text: String, after pause: Int) -> DemoMove<Wishes.Action> {
    DemoMove(after: .milliseconds(pause), .binding(.set(\.name, text)))
  }

  private static func submit(
    after pause: Int, _ action: SubmitWish.Action
  ) -> DemoMove<Wishes.Action> {
    DemoMove(after: .milliseconds(pause), .destination(.presented(.submit(action))))
  }

  private static func result(
    after pause: Int, _ id: StackElementID, _ action: WishResult.Action
  ) -> DemoMove<Wishes.Action> {
    DemoMove(after: .milliseconds(pause), .path(.element(id: id, action: .result(action))))
  }

  /// The recorder's ids count from 0: these are the first answer's wishes.
  private static func id(_ number: UInt64) -> Wish.ID { Wish.ID(number) }
}
