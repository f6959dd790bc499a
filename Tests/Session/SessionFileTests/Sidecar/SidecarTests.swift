import Platform
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("The sidecar")
struct SidecarTests {
  private let folder: TemporaryFolder
  private let session: String
  private let fork = SavedBranch(
    name: "no coupon",
    script: Script(
      leavesAt: 3,
      edits: [
        .skip(step: 4), .set(step: 5, pointer: ["total"], value: 1), .insert(after: 6, action: [:]),
      ]),
    note: "the total stays whole")

  init() throws {
    folder = try TemporaryFolder()
    session = try folder.write(Array("{\"retcon\":\"1.0\"}\n".utf8), to: "cart.retcon")
  }

  private func sidecar(home: String? = nil) -> Sidecar {
    Sidecar(
      session: session, environment: { $0 == "XDG_STATE_HOME" ? home : nil })
  }

  @Test("marks, notes, branches and settings are found again, and the session is not touched")
  func foundAgain() throws {
    let before = folder.text("cart.retcon")
    let first = sidecar()
    try first.update {
      $0.marks = [Mark(step: 4, name: "a", note: "below zero"), Mark(branch: "no coupon", step: 5)]
      $0.branches = [fork]
      $0.view = ["pane": "Diff"]
    }
    let again = sidecar()
    #expect(again.contents == first.contents)
    #expect(again.contents.branches == [fork])
    #expect(folder.text("cart.retcon") == before)
    #expect(again.path == folder("cart.retcon.sidecar"))
  }

  @Test("a fork is kept whose name no position can be written with, as none is taken any more")
  func names() throws {
    try sidecar().update { $0.branches = [fork] }
    let text = folder.text("cart.retcon.sidecar").replacing("no coupon", with: "a@3")
    try folder.write(Array(text.utf8), to: "cart.retcon.sidecar")
    #expect(sidecar().notice == nil)
    #expect(sidecar().contents.branches.map(\.name) == ["a@3"])
  }

  @Test("a session and its sidecar that move together stay together")
  func moved() throws {
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    let other = try TemporaryFolder()
    try other.write(folder.bytes("cart.retcon"), to: "renamed.retcon")
    try other.write(folder.bytes("cart.retcon.sidecar"), to: "renamed.retcon.sidecar")
    let moved = Sidecar(session: other("renamed.retcon"))
    #expect(moved.contents.marks == [Mark(step: 1)])
  }

  @Test("two debuggers that have it open keep each other's changes")
  func together() throws {
    let one = sidecar()
    let other = sidecar()
    try one.update { $0.marks.append(Mark(step: 1)) }
    try other.update { $0.marks.append(Mark(step: 2)) }
    try one.update { $0.branches.append(fork) }
    #expect(other.reload().marks.map(\.step) == [1, 2])
    #expect(other.contents.branches == [fork])
  }

  @Test("many changes from many threads are all kept")
  func threads() async throws {
    await withTaskGroup(of: Void.self) { group in
      for step in 1...64 {
        group.addTask { [self] in _ = try? sidecar().update { $0.marks.append(Mark(step: step)) } }
      }
    }
    #expect(Set(sidecar().contents.marks.map(\.step)) == Set(1...64))
  }

  @Test("debuggers in processes of their own lose nothing, also when one is killed")
  func processes() throws {
    let children = try (1...3).map { number in
      try ChildProcess(running: "marksSteps", task: "\(number) \(session)")
    }
    #expect(children[0].wait() == 0)
    #expect(children[1].wait() == 0)
    while sidecar().contents.marks.allSatisfy({ $0.step < 300 }) { sched_yield() }
    children[2].kill(SIGKILL)
    #expect(children[2].wait() & 0x7F == SIGKILL)
    let last = sidecar()
    #expect(last.notice == nil)
    let marks = last.contents.marks.map(\.step)
    #expect(marks.filter { $0 < 300 }.sorted() == Array(100..<110) + Array(200..<210))
    let endless = marks.filter { $0 >= 300 }
    #expect(endless == Array(300..<300 + endless.count))
    try last.update { $0.marks = [] }
    #expect(sidecar().contents.marks == [])
  }

  /// Two mark ten steps, the third goes on until it is killed.
  @Test("marks steps", .enabled(if: ChildProcess.task != nil))
  func marksSteps() throws {
    let words = try #require(ChildProcess.task).split(separator: " ")
    let sidecar = Sidecar(session: String(words[1]))
    let first = 100 * (try #require(Int(words[0])))
    for step in first..<(first == 300 ? .max : first + 10) {
      try sidecar.update { $0.marks.append(Mark(step: step)) }
    }
  }

  @Test("where the session's folder cannot be written, it lies in the user's state folder")
  func stateFolder() throws {
    let home = try TemporaryFolder()
    chmod(folder.path, 0o555)
    chmod(session, 0o444)
    chmod(home.path, 0o777)
    defer { chmod(folder.path, 0o700) }
    let child = try ChildProcess(
      running: "marksInAReadOnlyFolder", task: "\(home.path) \(session)")
    #expect(child.wait() == 0)
    #expect(folder.names == ["cart.retcon"])
    let name = "retcon/sidecars/\(SessionIdentity(session: session).number).sidecar"
    #expect(access(home(name), F_OK) == 0)
    #expect(sidecar(home: home.path).contents.marks == [Mark(step: 1), Mark(step: 2)])
    for name in [name, name + ".lock"] { unlink(home(name)) }
    for name in ["retcon/sidecars", "retcon"] { rmdir(home(name)) }
  }

  /// As a user who may not write there: root may write anywhere.
  @Test("marks in a folder that is read only", .enabled(if: ChildProcess.task != nil))
  func marksInAReadOnlyFolder() throws {
    let words = try #require(ChildProcess.task).split(separator: " ").map(String.init)
    if getuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
    for step in 1...2 {
      let sidecar = Sidecar(
        session: words[1], environment: { $0 == "XDG_STATE_HOME" ? words[0] : nil })
      #expect(sidecar.notice == nil)
      try sidecar.update { $0.marks.append(Mark(step: step)) }
      #expect(sidecar.path.hasPrefix(words[0]))
    }
  }

  @Test("what could not be read again is not written")
  func unreadable() throws {
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    var deep: Value = 1
    for _ in 0..<600 { deep = [deep] }
    let script = Script(leavesAt: 0, edits: [.insert(after: 0, action: deep)])
    let changes: [(inout SidecarContents) -> Void] = [
      { $0.branches = [SavedBranch(name: "deep", script: script)] },
      { $0.marks = Array(repeating: Mark(step: 1), count: 10_001) },
      { $0.marks = [Mark(step: -1)] },
      { $0.view = ["x": .string(String(repeating: "x", count: 33 << 20))] },
    ]
    for change in changes {
      #expect(throws: SessionError.self) { try sidecar().update(change) }
    }
    #expect(sidecar().contents.marks == [Mark(step: 1)])
    #expect(folder.names == ["cart.retcon", "cart.retcon.sidecar", "cart.retcon.sidecar.lock"])
  }

  @Test("a lock or a sidecar that is a link to something else touches nothing there")
  func links() throws {
    #expect(symlink(folder("target"), folder("cart.retcon.sidecar.lock")) == 0)
    #expect(throws: SessionError.self) { try sidecar().update { $0.marks = [Mark(step: 1)] } }
    unlink(folder("cart.retcon.sidecar.lock"))
    try folder.write("secret", to: "other")
    #expect(symlink(folder("other"), folder("cart.retcon.sidecar")) == 0)
    #expect(sidecar().contents == SidecarContents())
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    #expect(folder.text("other") == "secret")
    #expect(!folder.names.contains("target"))
    #expect(sidecar().contents.marks == [Mark(step: 1)])
  }

  @Test(
    "one that cannot be used says why, is not used, and is put aside before anything is written",
    arguments: [
      ("hello", "expected a value, found h: line 1, column 1 (byte 0)"),
      (
        "{\"retcon-sidecar\":\"7.0\",\"session\":\"x\"}",
        "sidecar.retcon-sidecar: expected a version 1"
      ),
      (
        "{\"retcon-sidecar\":\"1.0\",\"session\":\"another\"}",
        "sidecar.session: expected the session that it lies beside"
      ),
    ])
  func unusable(text: String, reason: String) throws {
    try folder.write(Array(text.utf8), to: "cart.retcon.sidecar")
    let sidecar = sidecar()
    #expect(sidecar.contents == SidecarContents())
    #expect(
      sidecar.notice
        == "\(folder("cart.retcon.sidecar")): the marks and forks cannot be used: \(reason). "
        + "The session is unchanged. Mend this file, or Retcon renames it when you keep a mark or a "
        + "fork.")
    try sidecar.update { $0.marks = [Mark(step: 1)] }
    let aside = folder("cart.retcon.sidecar.unreadable-1")
    #expect(folder.text("cart.retcon.sidecar.unreadable-1") == text)
    #expect(
      sidecar.takeRemark()
        == "\(folder("cart.retcon.sidecar")) cannot be used and is now \(aside); mend it and rename "
        + "it back to have its marks and forks again")
    #expect(sidecar.takeRemark() == nil)
    #expect(self.sidecar().contents.marks == [Mark(step: 1)])
  }

  @Test("keys of a newer version survive a change")
  func unknownKeys() throws {
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    let text = folder.text("cart.retcon.sidecar").replacing(
      "{\n", with: "{\n\"colour\": \"red\",\n", maxReplacements: 1)
    try folder.write(Array(text.utf8), to: "cart.retcon.sidecar")
    try sidecar().update { $0.marks.append(Mark(step: 2)) }
    #expect(folder.text("cart.retcon.sidecar").contains("\"colour\": \"red\""))
  }

  @Test("a sidecar nested as deep as the parser allows, or cut anywhere, never traps")
  func hostile() throws {
    try sidecar().update { $0.branches = [fork] }
    let whole = folder.bytes("cart.retcon.sidecar")
    for length in 0..<whole.count {
      try folder.write(Array(whole.prefix(length)), to: "cart.retcon.sidecar")
      _ = sidecar().contents
    }
    try folder.write(Array(repeating: UInt8(ascii: "["), count: 1 << 20), to: "cart.retcon.sidecar")
    #expect(sidecar().notice?.contains("more than 500 arrays and objects") == true)
  }

  @Test("a session that begins with the same line is another one, and one that grew is the same")
  func alike() throws {
    let steps = "{\"step\":1,\"action\":\"a\"}\n"
    try folder.append(steps, to: "cart.retcon")
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    try folder.append("{\"step\":2,\"action\":\"b\"}\n", to: "cart.retcon")
    #expect(sidecar().contents.marks == [Mark(step: 1)])
    let other = try folder.write(
      "{\"retcon\":\"1.0\"}\n{\"step\":1,\"action\":\"other\"}\n", to: "other.retcon")
    try folder.write(folder.bytes("cart.retcon.sidecar"), to: "other.retcon.sidecar")
    #expect(
      Sidecar(session: other).notice?.contains(
        "sidecar.begins: expected the session that it lies beside") == true)
  }

  @Test("a run that begins like another one, and goes on otherwise, is another session")
  func otherRun() throws {
    let boot = (1...100).map { "{\"step\":\($0),\"action\":\"boot\"}\n" }.joined()
    func write(_ last: String) throws {
      try folder.write(
        "{\"retcon\":\"1.0\"}\n\(boot){\"step\":101,\"action\":\"\(last)\"}\n", to: "cart.retcon")
    }
    try write("a")
    try sidecar().update { $0.marks = [Mark(step: 101)] }
    try folder.append("{\"step\":102,\"action\":\"torn", to: "cart.retcon")
    #expect(sidecar().contents.marks == [Mark(step: 101)])
    // Behind a torn line, the last whole one counts.
    try sidecar().update { $0.marks.append(Mark(step: 102)) }
    try folder.append("\"}\n", to: "cart.retcon")
    #expect(sidecar().contents.marks.count == 2)
    try write("b")
    #expect(sidecar().contents.marks == [])
    #expect(sidecar().notice?.contains("the session that it lies beside") == true)
  }

  @Test("two sessions that begin with the same line do not share a place in the state folder")
  func stateFolderOfTwo() throws {
    let home = try TemporaryFolder()
    let sessions = try ["a", "b"].map {
      try folder.write(
        "{\"retcon\":\"1.0\"}\n{\"step\":1,\"action\":\"\($0)\"}\n", to: "\($0).retcon")
    }
    func places(_ session: String) -> SidecarPlaces {
      SidecarPlaces(
        session: folder("nowhere/s.retcon"), identity: SessionIdentity(session: session).number,
        environment: { $0 == "XDG_STATE_HOME" ? home.path : nil })
    }
    let first = places(sessions[0]).writable { _ in false }
    #expect(places(sessions[1]).writable { _ in false } == first)
    makeFolders(above: first)
    try home.write("", to: String(first.dropFirst(home.path.count + 1)))
    let second = places(sessions[1]).writable { $0 == first }
    #expect(second == first.replacing(".sidecar", with: "-2.sidecar"))
    #expect(places(sessions[0]).found { _ in false } == first)
  }

  @Test("a session that was moved away, or replaced by another, takes no more marks")
  func movedAway() throws {
    let open = sidecar()
    try folder.move("cart.retcon", to: "elsewhere.retcon")
    #expect(throws: SessionError(.movedAway, path: session)) {
      try open.update { $0.marks = [Mark(step: 1)] }
    }
    try folder.write("{\"retcon\":\"1.0\",\"app\":\"other\"}\n", to: "cart.retcon")
    #expect(throws: SessionError(.changed, path: session)) {
      try open.update { $0.marks = [Mark(step: 1)] }
    }
    #expect(folder.names == ["cart.retcon", "elsewhere.retcon"])
  }

  @Test("what a killed debugger was writing is removed by the next one")
  func leftOver() throws {
    try sidecar().update { $0.marks = [Mark(step: 1)] }
    try folder.write("{", to: "cart.retcon.sidecar.new")
    #expect(sidecar().contents.marks == [Mark(step: 1)])
    #expect(!folder.names.contains("cart.retcon.sidecar.new"))
  }

  @Test("a lock that another program holds for long is an error, and nobody waits for ever")
  func heldLock() throws {
    let held = try FileLock(session + ".sidecar.lock", patience: .zero)
    defer { held.release() }
    let impatient = Sidecar(
      session: session, patience: .milliseconds(20), environment: { _ in nil })
    #expect(
      throws: SessionError(
        .system("another program holds this lock"), path: session + ".sidecar.lock")
    ) {
      try impatient.update { $0.marks = [Mark(step: 1)] }
    }
  }
}
