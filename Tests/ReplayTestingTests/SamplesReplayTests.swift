import ReplayTesting
import Samples
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Samples replay")
struct SamplesReplayTests {
  @Test(
    "the demo of every sample runs again as it was recorded", arguments: Samples.all.map { $0.name }
  )
  func demos(name: String) async throws {
    let path = "/tmp/retcon-sample-\(getpid())-\(name).retcon"
    defer { unlink(path) }
    let sample = try #require(Samples.named(name))
    try await Self.replayDemo(of: sample, path)
  }

  private static func replayDemo<Played: Sample>(
    of sample: Played.Type, _ path: String
  ) async throws {
    await sample.recordDemo(to: path)
    try await expectReplays(URL(filePath: path), sample.app())
  }
}
