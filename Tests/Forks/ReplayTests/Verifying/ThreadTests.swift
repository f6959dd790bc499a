import SessionFile
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

@Suite struct ThreadTests {
  @Test(
    "runs/thread-order: what several threads sent replays in the order in which the store reduced it"
  )
  func threads() async throws {
    let file = TemporaryFile()
    let recorder = StoreRecorder<Shop.State, Shop.Action>(to: file.path)
    do {
      let store = Store(initialState: Shop.State(), hooks: recorder) { Shop() }
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<50 {
              store.send(number.isMultiple(of: 5) ? .announce : .noted("\(thread).\(number)"))
            }
          }
        }
      }
    }
    recorder.finish()
    let session = try SessionReader(path: file.path)
    #expect(session.stepCount == 4 * (40 + 10 * 3))
    let report = try SessionReplay(session, RecordedShop.setup).verify()
    #expect(report.isEqual && report.steps == session.stepCount)
  }
}
