// Written by retcon test.
// swift-format-ignore-file

import Foundation
import ReplayTesting
import StoreCore
import StoreTesting
import XCTest

@testable import Samples

/// wishes.retcon, steps 1 to 28
final class WishesXCTests: CheckedTestCase {
  func testSession() async throws {
    let state: Wishes.State = try decoded(
      #"{"name":"","discoverButtonState":"disabled","destination":null,"path":{"ids":[],"elements":[],"nextID":0}}"#
    )
    let reads = PinnedReads()
    let store = TestStore(initialState: state) {
      Wishes()
    } withDependencies: {
      $0.replay(reads)
    }

    await store.send(.binding(.set(\.name, "S"))) {
      $0.name = "S"
      $0.discoverButtonState = .enabled
    }
    await store.send(.binding(.set(\.name, "St"))) { $0.name = "St" }
    await store.send(.binding(.set(\.name, "Stf"))) { $0.name = "Stf" }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.receive(
      .wishesResponse(
        .failure(
          try decoded(
            #"{"type":"Samples.WishServiceError","description":"Nobody called Stf is known here."}"#
          )
        )
      ),
      from: .last("fetchWishes")
    ) {
      $0.discoverButtonState = .enabled
      $0.destination = .alert(
        AlertState<WishesDestination.AlertAction>(
          title: "No wishes were found",
          message: "Nobody called Stf is known here.",
          buttons: [
            try decoded(#"{"label":"Try again","action":{"tryAgainTapped":{}}}"#),
            try decoded(#"{"label":"Leave it","role":"cancel"}"#)
          ]
        )
      )
    }
    await store.send(.destination(.dismiss)) { $0.destination = nil }
    await store.send(.binding(.set(\.name, "St"))) { $0.name = "St" }
    await store.send(.binding(.set(\.name, "Ste"))) { $0.name = "Ste" }
    await store.send(.binding(.set(\.name, "Stef"))) { $0.name = "Stef" }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.receive(
      .wishesResponse(
        .success(
          [
            Wish(id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, title: "Health"),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
              title: "A quiet garden"
            ),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000002")!,
              title: "World peace"
            ),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000003")!,
              title: "A letter from Stef"
            )
          ]
        )
      ),
      from: .last("fetchWishes")
    ) {
      $0.discoverButtonState = .enabled
      $0.destination = .submit(
        try decoded(
          #"{"wishes":[{"id":"00000000-0000-0000-0000-000000000000","title":"Health"},{"id":"00000000-0000-0000-0000-000000000001","title":"A quiet garden"},{"id":"00000000-0000-0000-0000-000000000002","title":"World peace"},{"id":"00000000-0000-0000-0000-000000000003","title":"A letter from Stef"}],"isSaving":false}"#
        )
      )
    }
    await store.send(
      .destination(
        .presented(
          .submit(.wishSelected(UUID(uuidString: "00000000-0000-0000-0000-000000000002")!))
        )
      )
    ) {
      $0.$destination[case: \.submit]?.selectedWish = Wish(
        id: UUID(uuidString: "00000000-0000-0000-0000-000000000002")!,
        title: "World peace"
      )
    }
    await store.send(.destination(.presented(.submit(.save)))) {
      $0.$destination[case: \.submit]?.isSaving = true
    }
    await store.receive(
      .destination(
        .presented(
          .submit(
            .saveWishResponse(
              .failure(
                try decoded(
                  #"{"type":"Samples.WishServiceError","description":"World peace is more than this service can keep."}"#
                )
              )
            )
          )
        )
      ),
      from: .last("save")
    ) {
      $0.$destination[case: \.submit]?.isSaving = false
      $0.$destination[case: \.submit]?.message = "World peace is more than this service can keep."
    }
    await store.send(
      .destination(
        .presented(
          .submit(.wishSelected(UUID(uuidString: "00000000-0000-0000-0000-000000000000")!))
        )
      )
    ) {
      $0.$destination[case: \.submit]?.selectedWish?.id = UUID(
        uuidString: "00000000-0000-0000-0000-000000000000"
      )!
      $0.$destination[case: \.submit]?.selectedWish?.title = "Health"
      $0.$destination[case: \.submit]?.message = nil
    }
    await store.send(.destination(.presented(.submit(.save)))) {
      $0.$destination[case: \.submit]?.isSaving = true
    }
    reads.pin("stackID", 0)
    await store.receive(
      .destination(
        .presented(
          .submit(
            .saveWishResponse(
              .success(
                Wish(id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, title: "Health")
              )
            )
          )
        )
      ),
      from: "save"
    ) {
      $0.$destination[case: \.submit]?.isSaving = false
    }
    await store.receive(
      .destination(
        .presented(
          .submit(
            .delegate(
              .saved(
                Wish(id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, title: "Health")
              )
            )
          )
        )
      )
    ) {
      $0.destination = nil
      $0.path[id: 0] = .result(
        try decoded(
          #"{"wish":{"id":"00000000-0000-0000-0000-000000000000","title":"Health"},"isShared":false}"#
        )
      )
    }
    await store.send(.path(.element(id: 0, action: .result(.shareTapped)))) {
      $0.path[id: 0, case: \.result]?.isShared = true
    }
    await store.send(.path(.element(id: 0, action: .result(.doneTapped))))
    await store.receive(.path(.popFrom(id: 0)), from: "close") { $0.path.removeAll() }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.receive(
      .wishesResponse(
        .success(
          [
            Wish(id: UUID(uuidString: "00000000-0000-0000-0000-000000000004")!, title: "Health"),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000005")!,
              title: "A quiet garden"
            ),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000006")!,
              title: "World peace"
            ),
            Wish(
              id: UUID(uuidString: "00000000-0000-0000-0000-000000000007")!,
              title: "A letter from Stef"
            )
          ]
        )
      ),
      from: .last("fetchWishes")
    ) {
      $0.discoverButtonState = .enabled
      $0.destination = .submit(
        try decoded(
          #"{"wishes":[{"id":"00000000-0000-0000-0000-000000000004","title":"Health"},{"id":"00000000-0000-0000-0000-000000000005","title":"A quiet garden"},{"id":"00000000-0000-0000-0000-000000000006","title":"World peace"},{"id":"00000000-0000-0000-0000-000000000007","title":"A letter from Stef"}],"isSaving":false}"#
        )
      )
    }
    await store.send(.destination(.presented(.submit(.cancelTapped))))
    await store.receive(.destination(.dismiss), from: "close") { $0.destination = nil }
    await store.send(.binding(.set(\.name, "Stefa"))) { $0.name = "Stefa" }
    await store.send(.binding(.set(\.name, "Stefan"))) { $0.name = "Stefan" }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.skipInFlightEffects(["fetchWishes"])
  }
}
