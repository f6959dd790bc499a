import ReplayTesting
import Samples
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Samples replay")
struct SamplesReplayTests {
  @Test(
    "the demo of every sample runs again as it was recorded", arguments: Samples.all.map { $0.name }
  )
  func demos(name: String) async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Samples.named(name))
    try await Self.replayDemo(of: sample, folder("demo.retcon"))
  }

  private static func replayDemo<Played: Sample>(
    of sample: Played.Type, _ path: String
  ) async throws {
    await sample.recordDemo(to: path)
    try await expectReplays(URL(filePath: path), sample.app())
  }
}
