import TestFolder
import Testing
import ValueTree

@testable import SessionLog

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The sidecar")
struct SidecarTests {
  private let folder: TemporaryFolder
  private let session: String
  private let fork = SavedBranch(
    name: "no coupon",
    script: Script(
      leavesAt: 3,
      edits: [
        .skip(step: 4), .set(step: 5, pointer: "/total", value: 1), .insert(after: 6, action: [:]),
      ]),
    note: "the total stays whole")

  init() throws {
    folder = try TemporaryFolder()
    session = try folder.write(Array("{\"retcon\":\"1.0\"}\n".utf8), to: "cart.retcon")
  }

  private func sidecar(home: String? = nil) -> Sidecar {
    Sidecar(
      session: session, identity: Sidecar.identity(ofSession: session),
      environment: { $0 == "XDG_STATE_HOME" ? home : nil })
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

  @Test("where the session's folder cannot be written, it lies in the user's state folder")
  func stateFolder() throws {
    guard getuid() != 0 else {
      // Root may write anywhere: what is chosen is told by the places alone.
      let places = SidecarPlaces(
        session: "/proc/cart.retcon", identity: "x",
        environment: { $0 == "XDG_STATE_HOME" ? "/state" : nil })
      #expect(places.inStateFolder == "/state/retcon/sidecars/x.sidecar")
      return
    }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let home = try TemporaryFolder()
    let sidecar = sidecar(home: home.path)
    try sidecar.update { $0.marks = [Mark(step: 1)] }
    #expect(sidecar.path.hasPrefix(home.path))
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
        == "\(folder("cart.retcon.sidecar")): these marks and branches cannot be used: \(reason). "
        + "The session itself is not touched; new marks are kept, and this file is put aside.")
    try sidecar.update { $0.marks = [Mark(step: 1)] }
    #expect(folder.text("cart.retcon.sidecar.unreadable-1") == text)
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
}
