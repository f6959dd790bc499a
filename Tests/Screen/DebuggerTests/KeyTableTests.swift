import Platform
import TestSupport
import Testing
import TextCanvas

@testable import Debugger

@Suite("The table of keys and commands")
struct KeyTableTests {
  @Test("gives no key two meanings in one place")
  func conflicts() {
    expectNoConflicts(
      KeyTable.always, KeyTable.time, KeyTable.look, KeyTable.change, KeyTable.program)
    expectNoConflicts(KeyTable.always, KeyTable.pane)
    expectNoConflicts(KeyTable.always, KeyTable.timeline)
    expectNoConflicts(KeyTable.always, KeyTable.range)
    expectNoConflicts(KeyTable.always, KeyTable.copying)
    expectNoConflicts(KeyTable.always, KeyTable.lists)
    expectNoConflicts(KeyTable.always, KeyTable.menu)
    expectNoConflicts(KeyTable.always, KeyTable.menu, KeyTable.forking)
    expectNoConflicts(KeyTable.always, KeyTable.prompt)
    expectNoConflicts(KeyTable.playing)
    expectNoConflicts(KeyTable.typing)
  }

  @Test("gives no command two meanings, and no digit one")
  func commands() {
    let bindings = KeyTable.maps(for: .pane).flatMap(\.bindings)
    let names = bindings.flatMap(\.commands)
    #expect(Set(names).count == names.count)
    let keys = Set(bindings.flatMap(\.keys))
    #expect(keys.isDisjoint(with: "0123456789".map { .character($0) }))
  }

  @Test("has no name that is neither a key nor a command")
  func names() {
    let others = [KeyTable.playing, KeyTable.menu].map(PageSection.init)
    let typing = [PageSection(KeyTable.typing)]
    for name in (page + others + typing).flatMap(\.rows).flatMap(\.names).flatMap(\.self) {
      let isCommand = name.hasPrefix(":") && name.count > 1
      #expect(isCommand == Key.named(name).isEmpty, "\(name)")
    }
  }

  @Test("tells of every binding")
  func undocumented() {
    for map in KeyTable.maps(for: .pane) + KeyTable.maps(for: .timeline, hasRange: true) {
      #expect(map.rows.reduce(0) { $0 + $1.names.count } == map.bindings.count, "\(map.title)")
    }
  }

  @Test("has the keys that hints name")
  func hints() {
    func hints(_ parts: String, in maps: [KeyMap<DebuggerUpdate>]) -> [String] {
      KeyHelp.hints(parts.split(separator: ",").map(String.init), in: maps, UserKeys()).map(\.text)
    }
    let list = ["Enter look at it", "d delete", "r rename", "M note", "z undo", "q back"]
    #expect(hints("Enter,d,r,M,z,q", in: [KeyTable.lists]) == list)
    let pane = ["? help", "= set", "y copy", "c where it started", "q back"]
    #expect(hints("?,= set,y,c,q", in: KeyTable.maps(for: .pane)) == pane)
  }

  @Test("is what the page in docs says")
  func docs() throws {
    let file = try #require(fopen("\(Checkout.root)/docs/keys.md", "r"))
    defer { fclose(file) }
    let bytes = WholeTransfer.readAll(from: fileno(file)) ?? []
    let wanted = page.map(\.text).joined(separator: "\n")
    let isThere = String(decoding: bytes, as: UTF8.self).contains(wanted)
    if !isThere { print("docs/keys.md should hold\n\(wanted)<end>") }
    #expect(isThere)
  }

  @Test("completes a command as far as it is certain, and lists what it can become")
  func completion() {
    var debugger = TestDebugger()
    debugger.type(":expo⇥")
    #expect(debugger.state.prompt?.line.text == "export")
    #expect(debugger.state.prompt?.offers == ["export", "export-state"])
    debugger.state.prompt = Prompt(.command, "noti")
    debugger.type("⇥")
    #expect(debugger.state.prompt?.line.text == "notices ")
    #expect(debugger.state.prompt?.offers == [])
    debugger.type("⏎")
    #expect(debugger.state.message?.text == "No problems with wishes.retcon.")
  }

  /// The maps of the page, in its order. The others are those of menus, lists, forms and text.
  private var page: [PageSection] {
    KeyTable.maps(for: .steps).dropLast().map(PageSection.init)
      + [KeyTable.timeline, KeyTable.range, KeyTable.pane, KeyTable.copying].map(PageSection.init)
      + [KeyTable.program, KeyTable.always].map(PageSection.init)
  }

  private func expectNoConflicts<Subject>(
    _ maps: KeyMap<Subject>..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let keys = maps.flatMap(\.bindings).flatMap(\.keys)
    let twice = Dictionary(grouping: keys, by: \.self).filter { $1.count > 1 }.keys
    #expect(twice.isEmpty, "\(Array(twice))", sourceLocation: sourceLocation)
  }
}

/// A part of the table in `docs/keys.md`.
private struct PageSection {
  var title: String
  var rows: [KeyRow]

  init<Subject>(_ map: KeyMap<Subject>) {
    title = map.title
    rows = map.rows
  }

  var text: String {
    let lines = rows.map { row in
      let names = row.names.map { $0.map { "`\($0)`" }.joined(separator: " ") }
      return "| \(names.joined(separator: ", ")) | \(row.words) |\n"
    }
    return "| \(title) | |\n|---|---|\n" + lines.joined()
  }
}
