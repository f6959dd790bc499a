// Written by retcon test.
// swift-format-ignore-file

import Foundation
import ReplayTesting
import StoreCore
import StoreTesting
import XCTest

@testable import Samples

/// wishes.retcon, steps 3 to 21
final class WishesStepsXCTests: CheckedTestCase {
  func testSession() async throws {
    let state: Wishes.State = try decoded(
      #"{"name":"St","discoverButtonState":"enabled","destination":null,"path":{"ids":[],"elements":[],"nextID":0}}"#
    )
    let reads = PinnedReads()
    reads.pin("stackID", 0)
    await assert(
      initialValue: state,
      reducer: Wishes(),
      withDependencies: {
        $0.replay(reads)
      },
      steps: Step(.send, .binding(.set(\.name, "Stf"))) { $0.name = "Stf" },
      Step(.send, .discoverWishesTapped) { $0.discoverButtonState = .loading },
      Step(
        .receive,
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
      },
      Step(.send, .destination(.dismiss)) { $0.destination = nil },
      Step(.send, .binding(.set(\.name, "St"))) { $0.name = "St" },
      Step(.send, .binding(.set(\.name, "Ste"))) { $0.name = "Ste" },
      Step(.send, .binding(.set(\.name, "Stef"))) { $0.name = "Stef" },
      Step(.send, .discoverWishesTapped) { $0.discoverButtonState = .loading },
      Step(
        .receive,
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
      },
      Step(
        .send,
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
      },
      Step(.send, .destination(.presented(.submit(.save)))) {
        $0.$destination[case: \.submit]?.isSaving = true
      },
      Step(
        .receive,
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
      },
      Step(
        .send,
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
      },
      Step(.send, .destination(.presented(.submit(.save)))) {
        $0.$destination[case: \.submit]?.isSaving = true
      },
      Step(
        .receive,
        .destination(
          .presented(
            .submit(
              .saveWishResponse(
                .success(
                  Wish(
                    id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
                    title: "Health"
                  )
                )
              )
            )
          )
        ),
        from: "save"
      ) {
        $0.$destination[case: \.submit]?.isSaving = false
      },
      Step(
        .receive,
        .destination(
          .presented(
            .submit(
              .delegate(
                .saved(
                  Wish(
                    id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
                    title: "Health"
                  )
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
      },
      Step(.send, .path(.element(id: 0, action: .result(.shareTapped)))) {
        $0.path[id: 0, case: \.result]?.isShared = true
      },
      Step(.send, .path(.element(id: 0, action: .result(.doneTapped)))),
      Step(.receive, .path(.popFrom(id: 0)), from: "close") { $0.path.removeAll() }
    )
  }
}
