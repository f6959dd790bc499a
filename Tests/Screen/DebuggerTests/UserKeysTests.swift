import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("Keys of the user's own")
struct UserKeysTests {
  private static func keys(_ lines: String...) throws -> UserKeys {
    var keys = UserKeys()
    for (index, line) in lines.enumerated() {
      let words = line.split(separator: " ").map(String.init)
      try keys.bind(words[0], to: Array(words.dropFirst()), line: index + 1)
    }
    return keys
  }

  private static func debugger(_ keys: UserKeys, problems: [String] = []) -> TestDebugger {
    var debugger = TestDebugger(at: 5)
    debugger.send(.configured(keys, problems: problems))
    return debugger
  }

  @Test("do what the keys of the table do, wherever those mean something; two can be exchanged")
  func pressed() throws {
    var debugger = Self.debugger(try Self.keys("F2 j", "j k", "k j", "Ctrl-x '"))
    debugger.press(.function(2))
    #expect(debugger.step == 6)
    debugger.type("jj")
    #expect(debugger.step == 4)
    debugger.type("4k")
    #expect(debugger.step == 8)
    debugger.type("m")
    debugger.press(.control("x"))
    #expect(debugger.state.overlay == .list(.marks))
  }

  @Test("type what they are where text is typed")
  func typed() throws {
    var debugger = Self.debugger(try Self.keys("n j", "Ctrl-x Enter", "Ctrl-t j"))
    debugger.type("/note")
    debugger.press(.control("t"))
    #expect(debugger.state.prompt?.line.text == "note")
    debugger.press(.control("x"))
    #expect(debugger.state.prompt == nil)
    #expect(debugger.state.searches.asked?.question == .text("note"))
  }

  @Test("stand for commands with their words, and open the line for one that needs more")
  func commands() throws {
    var debugger = Self.debugger(try Self.keys("F5 :goto 12", "F6 :trim", "F7 :notices"))
    debugger.press(.function(5))
    #expect(debugger.step == 12)
    debugger.press(.function(6))
    #expect(debugger.state.prompt?.line.text == "trim ")
    // Within the line, the other key is not a command.
    debugger.press(.function(5))
    #expect(debugger.state.prompt?.line.text == "trim ")
    debugger.type("⎋")
    debugger.press(.function(7))
    #expect(debugger.state.message?.text == "No problems with wishes.retcon.")
  }

  @Test("stand in hints, in the help and in the palette in place of those of the table")
  func shown() throws {
    let keys = try Self.keys("F2 ?", "s /", "Ctrl-p :minimize", "S none", "F5 :filter only note")
    let maps = KeyTable.maps(for: .steps)
    #expect(
      KeyHelp.hints(["/", "? help", "q quit"], in: maps, keys).map(\.text)
        == ["s search", "F2 help", "q quit"])
    var debugger = Self.debugger(keys)
    let help = KeyHelp.lines(for: debugger.state).map { $0.map(\.text).joined() }
    #expect(help.prefix(2) == ["yours", "  F5              :filter only note"])
    #expect(help.contains { $0 == "  F2              this help" }, "\(help)")
    #expect(help.contains { $0.hasPrefix("  s n N ") }, "\(help)")
    debugger.state.host.status = .ready("host")
    let change = KeyHelp.lines(for: debugger.state).map { $0.map(\.text).joined() }
    #expect(change.contains { $0.hasPrefix("  Ctrl-p          the fewest actions") }, "\(change)")
    let item = CommandPalette.items(for: "minimize", debugger.state).first
    #expect(item?.name == ":minimize CONDITION")
    #expect(item?.key == "Ctrl-p")
    #expect(DebuggerView.draw(debugger.state).text.contains("F2 help"))
  }

  @Test("stand in what is said of keys")
  func said() async throws {
    var debugger = Self.debugger(try Self.keys("F3 n", "F4 F"))
    debugger.search("note")
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [9], searched: 34, total: 34))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    #expect(DebuggerView.draw(debugger.state).text.contains("F3 next  N previous"))
    debugger.type("-")
    #expect(
      debugger.state.message?.text.hasSuffix(
        "is hidden: F4 changes the filter, :filter off shows all.")
        == true)
  }

  @Test("stand in every sentence in which a key of the table would")
  func everywhere() async throws {
    // Each key of the table has another one, by which it is called.
    var (keys, letters) = (
      UserKeys(), (0x410...).lazy.compactMap(Unicode.Scalar.init).makeIterator()
    )
    let table = Set(KeyTable.everything.flatMap(\.names).filter { Key.named($0).count == 1 })
    for name in table.sorted() {
      guard let letter = letters.next() else { break }
      let isCharacter = Key.named(name).first?.isCharacter == true
      try keys.bind(isCharacter ? "\(letter)" : "Alt-\(letter)", to: [name], line: 1)
    }
    // Some names always mean the same key. Others are ambiguous: they may be plain text.
    let names = table.subtracting(["Esc", "Ctrl-c", "a", "s", ":", ";", "<", "→", "%"])
    func named(_ text: String) -> [String] {
      text.split(separator: " ").map { word in
        let word = word.drop { $0.isNumber || "“(".contains($0) }
        return String(
          word.count > 1 && ".,:;)”".contains(word.last ?? " ") ? word.dropLast() : word)
      }.filter(names.contains)
    }
    var desks = [try await TestDebugger.full(), TestDebugger(at: 33)]
    for pane in [4, 7] {
      var debugger = try await TestDebugger.full()
      debugger.type("\(pane)⇥⏎")
      desks.append(debugger)
    }
    for var debugger in desks {
      debugger.send(.configured(keys, problems: []))
      for press in try KeyWalk(from: debugger).presses {
        let state = press.after.state
        let bottom = DebuggerView.draw(state).text.split(separator: "\n").last ?? ""
        let help =
          press.name == "?" ? KeyHelp.lines(for: state).map { $0.dropFirst().map(\.text) } : []
        let sentences = [state.message?.text ?? "", String(bottom)] + help.flatMap(\.self)
        for sentence in sentences
        where state.prompt == nil && !sentence.contains("does nothing here") {
          #expect(named(sentence).isEmpty, "\(press.map), \(press.name): \(sentence)")
        }
      }
    }
  }

  @Test("a click on a hint does what it says")
  func clicked() throws {
    var debugger = Self.debugger(try Self.keys("F2 ?"))
    let row = DebuggerView.draw(debugger.state).text.split(
      separator: "\n", omittingEmptySubsequences: false)[23]
    let range = try #require(row.firstRange(of: "F2 help"))
    let column = row.distance(from: row.startIndex, to: range.lowerBound)
    debugger.send(.input(.mouse(Mouse(.press, column: column, row: 23))))
    #expect(debugger.state.overlay == .list(.help))
  }

  @Test(
    "are refused with the reason and the nearest word",
    arguments: [
      ("Crtl-x j", "there is no key “Crtl-x”; did you mean Ctrl-x?"),
      ("F2 PgDwn", "there is no key “PgDwn”; did you mean PgDn?"),
      ("F2 :expotr", "there is no command “:expotr”; did you mean :export?"),
      ("F2 F3", "F3 has no meaning that another key could have"),
      ("F2 j k", "a key stands for one key, for a :command, or for none"),
      ("Ctrl-c j", "Ctrl-c always means the same; choose another key"),
      ("7 j", "7 always means the same; choose another key"),
    ])
  func refused(line: String, words: String) {
    #expect(throws: UserKeys.Problem(words: words)) { try Self.keys(line) }
  }

  @Test("two meanings of one key are told with the line of the first")
  func conflict() {
    #expect(throws: UserKeys.Problem(words: "F2 has a meaning in line 1 already")) {
      try Self.keys("F2 j", "F2 k")
    }
  }

  @Test("what no key does any more is told, unless that was meant")
  func losses() throws {
    let keys = try Self.keys("x j", "n k", "N none")
    #expect(
      keys.losses.map { "\($0.line): \($0.words)" } == [
        "2: n was for “search a text in this pane; next and previous hit”, which no key does now: "
          + "add key KEY n",
        "1: x was for “skip the step, or restore a skipped one; twice takes it back”, which no key does "
          + "now: add key KEY x",
      ])
    #expect(try Self.keys("x j", "F8 x").losses.isEmpty)
    #expect(try Self.keys("f j").losses.isEmpty, "there is :fork")
  }

  @Test("what is wrong with the configuration is said at first, and by :notices")
  func problems() throws {
    var debugger = Self.debugger(
      UserKeys(), problems: ["config, line 3: no", "config, line 4: no"])
    #expect(debugger.state.message?.text == "1 of 2, :notices shows all: config, line 3: no")
    #expect(debugger.state.message?.kind == .warning)
    debugger.type(":notices⏎")
    #expect(
      debugger.state.overlay
        == .list(.text(title: "notices", ["config, line 3: no", "config, line 4: no"])))
  }
}
