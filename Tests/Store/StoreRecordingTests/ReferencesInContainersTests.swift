import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

/// `@unchecked Sendable`: the tests touch it on one thread; that it can change is their point.
private final class Box: Codable, @unchecked Sendable {
  var number = 0
}

private struct Row<Part: Codable & Sendable>: Codable, Identifiable, Sendable {
  var id: Int
  var part: Part
}

private struct Page<Part: Codable & Sendable>: Codable, Sendable {
  enum Destination: Codable, Sendable {
    case sheet(Part)
  }

  var rows: IdentifiedArrayOf<Row<Part>> = []
  var path = StackState<Destination>()
  @PresentationState var destination: Destination?
}

@Suite("References in the containers of the store") struct ReferencesInContainersTests {
  private func snapshots<State: Codable & Sendable>(
    _ empty: State, _ states: [State] = [], change: (Int) -> Void = { _ in }
  ) throws -> (SessionHeader.Snapshots?, [String]) {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<State, Int>(to: folder("c.retcon"), options: .steady)
    recorder.start(with: empty)
    for (index, state) in states.enumerated() {
      recorder.step(index) {
        change(index)
        return state
      }
      change(-1)
    }
    recorder.finish()
    let session = try SessionReader(path: folder("c.retcon"))
    let texts = try states.indices.map { try session.state(after: $0 + 1).text() }
    return (session.header.snapshots, texts)
  }

  @Test("Identified arrays, stacks and presented states of values are copied")
  func values() throws {
    #expect(try snapshots(Page<String>()).0 == .copied)
    #expect(try snapshots(Page<[Row<Int>]>()).0 == .copied)
  }

  @Test("An instance that comes later in one of them is logged as it was")
  func instances() throws {
    let box = Box()
    var states = [Page<Box>](repeating: Page(), count: 3)
    states[0].rows.append(Row(id: 1, part: box))
    states[1].path.append(.sheet(box))
    states[2].destination = .sheet(box)
    let (snapshots, texts) = try snapshots(Page<Box>(), states) { box.number = $0 }
    #expect(snapshots == .encoded)
    for (index, text) in texts.enumerated() {
      #expect(text.contains(#"{"number":\#(index)}"#), "\(text)")
    }
  }
}
