import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("How the screen was arranged")
struct ScreenMemoryTests {
  @Test("is remembered for the user, the last time alone, and nothing else is left beside it")
  func remembered() throws {
    let folder = try TemporaryFolder()
    let memory = ScreenMemory(["XDG_STATE_HOME": folder.path])
    #expect(memory.isNew)
    #expect(memory.arrangement == nil)
    memory.save("1/2345/67 0", typed: "")
    memory.save("17/26/345 4", typed: ";\tstate.total < 0\n")
    #expect(!memory.isNew)
    let other = ScreenMemory(["HOME": "/nowhere", "XDG_STATE_HOME": folder.path])
    #expect(other.arrangement == "17/26/345 4")
    #expect(other.typed == ";\tstate.total < 0\n")
    #expect(namesInFolder(folder("retcon")).sorted() == ["history", "panes"])
  }

  @Test("is not remembered without a home, and nobody is greeted each time then")
  func homeless() {
    let memory = ScreenMemory([:])
    memory.save("1/2345/67 0", typed: "")
    #expect(memory.arrangement == nil)
    #expect(!memory.isNew)
  }
}
