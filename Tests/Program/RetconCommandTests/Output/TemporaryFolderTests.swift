import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("Folders of this process")
struct TemporaryFolderTests {
  @Test("what a killed process left is removed by the next, what a living one has stays")
  func abandoned() throws {
    let runner = try CommandRunner()
    let environment = ["TMPDIR": runner.folder]
    let own = try FileSystem.temporaryFolder(in: environment)
    // No process has the greatest number.
    let abandoned = "\(runner.folder)/retcon-of-\(pid_t.max)-abcdef"
    mkdir(abandoned, 0o700)
    try FileSystem.write("{}", to: abandoned + "/counter.retcon")
    let foreign = "\(runner.folder)/retcon-of-nobody"
    mkdir(foreign, 0o700)

    let next = try FileSystem.temporaryFolder(in: environment)
    #expect(!FileSystem.exists(abandoned))
    #expect(FileSystem.exists(own.path))
    #expect(FileSystem.exists(next.path))
    #expect(FileSystem.exists(foreign))
    rmdir(foreign)
  }

  @Test("a command that only opens a file removes it, too")
  func opening() throws {
    let runner = try CommandRunner()
    let abandoned = "\(runner.folder)/retcon-of-\(pid_t.max)-abcdef"
    mkdir(abandoned, 0o700)
    _ = try LocalFile("any.retcon", in: ["TMPDIR": runner.folder])
    // In a thread of its own.
    for _ in 0..<3_000 where FileSystem.exists(abandoned) { poll(nil, 0, 10) }
    #expect(!FileSystem.exists(abandoned))
  }

  @Test("the folder of a process with another's number stays as long as it is locked")
  func locked() throws {
    let runner = try CommandRunner()
    let inUse = "\(runner.folder)/retcon-of-\(pid_t.max)-abcdef"
    mkdir(inUse, 0o700)
    let lock = open(inUse, O_RDONLY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    _ = try FileSystem.temporaryFolder(in: ["TMPDIR": runner.folder])
    #expect(FileSystem.exists(inUse))
    close(lock)
    _ = try FileSystem.temporaryFolder(in: ["TMPDIR": runner.folder])
    #expect(!FileSystem.exists(inUse))
    #expect(namesInFolder(runner.folder).isEmpty)
  }

  @Test("a link with such a name is left alone, and so is what it leads to")
  func link() throws {
    let runner = try CommandRunner()
    let target = "\(runner.folder)/precious"
    mkdir(target, 0o700)
    try FileSystem.write("kept", to: target + "/file")
    symlink(target, "\(runner.folder)/retcon-of-\(pid_t.max)-abcdef")
    _ = try FileSystem.temporaryFolder(in: ["TMPDIR": runner.folder])
    #expect(FileSystem.exists(target + "/file"))
    unlink(target + "/file")
    rmdir(target)
  }

  @Test("a process that is killed as soon as its folder is there leaves none")
  func killed() throws {
    let runner = try CommandRunner()
    let child = try ChildProcess(running: "makesFolder", task: runner.folder)
    while namesInFolder(runner.folder).isEmpty { sched_yield() }
    child.kill(SIGKILL)
    #expect(child.wait() & 0x7F == SIGKILL)
    for _ in 0..<3_000 where !namesInFolder(runner.folder).isEmpty { poll(nil, 0, 10) }
    #expect(namesInFolder(runner.folder).isEmpty)
  }

  @Test("makes a folder", .enabled(if: ChildProcess.task != nil))
  func makesFolder() throws {
    let folder = try FileSystem.temporaryFolder(in: ["TMPDIR": try #require(ChildProcess.task)])
    while FileSystem.exists(folder.path) { pause() }
  }
}
