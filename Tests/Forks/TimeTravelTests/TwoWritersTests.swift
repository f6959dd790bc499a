import HostProtocol
import Platform
import RecordingSupport
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import TimeTravel

@Suite("Two debuggers on one session lose nothing of each other")
struct TwoWritersTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("{\"retcon\":\"1.0\"}\n", to: "shop.retcon")
  }

  private struct Silent: BranchHost {
    var name: String { "Silent" }
    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport { BranchReport(lastStep: step - 1) }
    func state(of branch: BranchPath, after step: Int) async throws -> Value { .null }
  }

  private func open() -> OpenSession {
    OpenSession(Shop.recording, host: Silent(), sidecar: Sidecar(session: path))
  }

  private func script(_ number: Int) -> Script {
    Script(leavesAt: 2, edits: [.insert(after: 2, action: .number(Number(number)))])
  }

  private var kept: [String] { Sidecar(session: path).contents.branches.map(\.name) }

  @Test("both make a fork of the same name: the second one gets a free name, and is told")
  func sameName() throws {
    let (one, two) = (open(), open())
    let first = try one.addFork("fork 1", script(1))
    #expect(first == KeptFork(id: "fork 1"))
    let second = try two.addFork("fork 1", script(2))
    #expect(two.name(of: second.id) == "fork 2")
    #expect(second.remark == "Another debugger has made a “fork 1”: this one is “fork 2”")
    #expect(kept == ["fork 1", "fork 2"])
    #expect(two.applyOthersWork() == ["Another debugger has made “fork 1”."])
    #expect(two.branches.map(\.name) == ["main", "fork 2", "fork 1"])
    #expect(one.applyOthersWork() == ["Another debugger has made “fork 2”."])
    #expect(one.branches.map(\.name) == ["main", "fork 1", "fork 2"])
  }

  @Test("an unreadable file stays where it is until there is a mark or a fork to keep")
  func unreadable() throws {
    try folder.write(Array("hello".utf8), to: "shop.retcon.sidecar")
    let session = open()
    session.savePlace(Position(step: 1))
    #expect(folder.text("shop.retcon.sidecar") == "hello")
    let kept = try session.addFork("mine", script(1))
    #expect(kept.remark?.contains("shop.retcon.sidecar.unreadable-1; mend it") == true, "\(kept)")
    #expect(folder.text("shop.retcon.sidecar.unreadable-1") == "hello")
  }

  @Test("a new fork does not get the notes of a deleted one, which gets them back")
  func notesOfDeleted() throws {
    let session = open()
    let fork = try session.addFork("fork 1", script(1)).id
    let place = Position(branch: fork, step: 3)
    _ = session.setMark(place, "needed")
    let gone = try #require(session.branch(fork))
    _ = try session.deleteFork(fork)
    _ = session.restoreForks([gone])
    #expect(session.marks[place] == "needed")
    _ = try session.deleteFork(fork)
    #expect(try session.addFork("fork 1", script(2)).id == fork)
    #expect(session.marks == [:])
    #expect(Sidecar(session: path).contents.marks == [])
  }

  @Test("only what was deleted goes, and the other is told")
  func deleting() throws {
    let (one, two) = (open(), open())
    _ = try one.addFork("mine", script(1))
    _ = try two.addFork("yours", script(2))
    #expect(try one.deleteFork("mine") == nil)
    #expect(kept == ["yours"])
    _ = two.applyOthersWork()
    _ = one.applyOthersWork()
    #expect(try one.deleteFork("yours") == nil)
    #expect(
      two.applyOthersWork() == ["Another debugger has deleted “yours”; undo brings it back."])
    #expect(two.branches.map(\.name) == ["main"])
  }

  @Test("both edit one fork: both are kept, and both see both")
  func editing() throws {
    let one = open()
    _ = try one.addFork("f", script(1))
    let two = open()
    #expect(try one.changeFork("f", script(2)) == nil)
    let remark = try two.changeFork("f", script(3))
    #expect(two.name(of: "f") == "f 2")
    #expect(remark == "Another debugger has changed “f” too: this one is “f 2” now")
    _ = one.applyOthersWork()
    _ = two.applyOthersWork()
    for session in [one, two, open()] {
      #expect(session.branches[named: "f"]?.script == script(2))
      #expect(session.branches[named: "f 2"]?.script == script(3))
    }
  }

  @Test("what somebody else has changed, or uses, is not deleted")
  func conflicts() throws {
    let one = open()
    _ = try one.addFork("f", script(1))
    _ = try one.addFork("g", script(2))
    let two = open()
    _ = try two.changeFork("f", script(3))
    _ = try two.addFork("child", Script(parent: "g", leavesAt: 2))
    #expect(try one.deleteFork("f") == "“f” stays: another debugger has changed it")
    #expect(try one.deleteFork("g") == "“g” stays: “child” of another debugger leaves it")
    _ = one.applyOthersWork()
    #expect(one.branches.map(\.name) == ["main", "f", "g", "child"])
    #expect(one.branch("f")?.script == script(3))
  }

  @Test("a rename changes the name alone; the file has the new one everywhere")
  func renaming() throws {
    let session = open()
    _ = try session.addFork("a", script(1))
    _ = try session.addFork("b", Script(parent: "a", leavesAt: 2))
    let position = Position(branch: "a", step: 2)
    _ = session.setMark(position, "here")
    let path = session.path(to: "b")
    try session.renameFork("a", to: "c")
    #expect(session.text(of: position) == "c/2")
    #expect(session.marks == [position: "here"])
    #expect(session.path(to: "b") == path)
    _ = session.setNote("later", ofFork: "b")
    // The old name is free for another fork.
    let id = session.freeID(for: "a")
    #expect(id != "a")
    _ = try session.addFork(id, script(2))
    #expect(session.branches.map(\.name) == ["main", "c", "b", "a"])
    let contents = Sidecar(session: self.path).contents
    #expect(contents.branches.map(\.name) == ["c", "b", "a"])
    #expect(contents.branches[1].script.parent == "c")
    #expect(contents.marks == [Mark(branch: "c", step: 2, note: "here")])
  }

  @Test("both mark one step: both notes are kept")
  func marks() {
    let (one, two) = (open(), open())
    let position = Position(step: 3)
    #expect(one.setMark(position, "here") == nil)
    #expect(
      two.setMark(position, "no, here")
        == "Another debugger has marked step 3 too: both marks are kept")
    #expect(open().marks == [position: "here; no, here"])
    #expect(one.setMark(position, nil) == "Step 3 stays marked: another debugger has marked it too")
    #expect(open().marks == [position: "no, here"])
  }

  @Test("what cannot be kept is there all the same, says so, and is kept later")
  func notKept() throws {
    let session = OpenSession(
      Shop.recording, host: Silent(), sidecar: Sidecar(session: path, patience: .zero))
    try folder.write("", to: "shop.retcon.sidecar.lock")
    let reason = "\(path).sidecar.lock: another program holds this lock."
    try holdingLock {
      let fork = try session.addFork("f", script(1))
      #expect(fork == KeptFork(id: "f"))
      _ = session.setMark(Position(step: 2), "here")
      #expect(session.branch("f")?.notKept == reason)
      #expect(session.marks == [Position(step: 2): "here"])
      #expect(
        session.notKept == [
          "The fork “f” is not saved: \(reason)", "The mark on step 2 is not saved: \(reason)",
        ])
      #expect(session.saveRest() == nil)
      #expect(session.notKept.count == 2)
    }
    #expect(session.saveRest() == nil)
    #expect(session.notKept == [])
    #expect(kept == ["f"])
    #expect(open().marks == [Position(step: 2): "here"])
  }

  private func holdingLock(_ work: () throws -> Void) throws {
    let descriptor = Platform.open(path + ".sidecar.lock", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    try work()
  }

  @Test("random work of two is all there in the end", arguments: 1...20)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sessions = [open(), open()]
    // The edits that no writer who knew them has replaced or deleted.
    var wanted: Set<Int> = []
    for number in 1...60 {
      let session = sessions[Int.random(in: 0...1, using: &random)]
      let fork = session.branches.dropFirst().randomElement(using: &random)
      switch (Int.random(in: 0..<10, using: &random), fork) {
      case (0..<3, _), (_, nil):
        _ = try session.addFork(freeID(session), script(number))
        wanted.insert(number)
      case (3..<5, let fork?):
        _ = try session.changeFork(fork.id, script(number))
        wanted.subtract(numbers([fork]))
        wanted.insert(number)
      case (5, let fork?):
        try? session.renameFork(fork.id, to: "name \(Int.random(in: 0..<5, using: &random))")
      case (6, let fork?):
        _ = try session.deleteFork(fork.id)
        wanted.subtract(numbers([fork]))
      case (7, let fork?): _ = session.setNote("\(number)", ofFork: fork.id)
      default: _ = session.applyOthersWork()
      }
      let there = numbers(open().branches)
      #expect(wanted.isSubset(of: there), "seed \(seed), \(number)")
    }
    for session in sessions + sessions { _ = session.applyOthersWork() }
    let end = open()
    for session in sessions {
      #expect(Set(session.branches.map(\.name)) == Set(end.branches.map(\.name)), "seed \(seed)")
      #expect(numbers(session.branches) == numbers(end.branches), "seed \(seed)")
      #expect(session.notKept == [])
    }
  }

  private func freeID(_ session: OpenSession) -> BranchID {
    let names = Set(session.branches.map(\.name))
    let name = (1...).lazy.map { "fork \($0)" }.first { !names.contains($0) } ?? ""
    return session.branches.freeID(for: name)
  }

  private func numbers(_ branches: [Branch]) -> Set<Int> {
    Set(
      branches.flatMap { $0.script?.edits ?? [] }.compactMap { edit in
        if case .insert(_, .number(.integer(let number))) = edit { Int(number) } else { nil }
      })
  }
}
