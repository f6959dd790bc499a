import Recorder
import Samples
import Testing

@Suite("Recorded samples") struct SnapshotTests {
  @Test("The states of the samples are values: recording only copies them")
  func copied() {
    func mayChange<Opened: Sample>(_: Opened.Type) -> Bool {
      ReferenceSearch().mayBe(in: Opened.App.State.self)
    }
    #expect(!mayChange(CounterSample.self))
    #expect(!mayChange(PrimesSample.self))
    #expect(!mayChange(WishesSample.self))
  }
}
