import Testing

@testable import Recorder

@Suite("The queue between an app and its recorder") struct EntryQueueTests {
  @Test("A send counts what the worker has in hand, and waits no longer than its patience")
  func patience() {
    let queue = EntryQueue(napLimit: 0)
    for _ in 0..<3 { queue.push { _ in .tape(key: "a") } }
    var entries: [RecordedEntry] = []
    _ = queue.moveAll(into: &entries, waitingAtMost: .zero)
    #expect(queue.unhandled == 3)
    queue.waitBriefly(beyond: 3)
    for _ in 0..<3 { queue.handledEntry() }
    #expect(queue.unhandled == 0)
    queue.push { _ in .tape(key: "b") }
    #expect(queue.unhandled == 1 && queue.open(nil).waiting == 1)
  }

  @Test("By default, states are dropped from 8,000 waiting entries on")
  func dropLimit() {
    #expect(RecordingOptions().backPressure.dropLimit == 8_000)
    #expect(RecordingOptions.BackPressure.dropStates(beyond: 5).dropLimit == 5)
    #expect(RecordingOptions.BackPressure.wait(beyond: 5).dropLimit == nil)
  }
}
