import Glibc
import RecordingSupport
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// A secret in every place of a file, those that this version does not know included.
@Suite("What a trim takes out") struct TrimRedactionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func trimmed(_ text: String, _ redaction: Redaction) throws -> String {
    let path = try folder.write(text, to: "whole.retcon")
    let session = try SessionReader(path: path)
    var trimmer = SessionTrimmer(session)
    trimmer.redaction = redaction
    try trimmer.trim(session.steps, to: folder("trim.retcon"), replacing: true)
    let trim = try SessionReader(path: folder("trim.retcon"))
    try trim.examine()
    #expect(trim.steps == session.steps)
    return folder.text("trim.retcon")
  }

  @Test("A key is taken out of members that nobody knows, and these are kept otherwise")
  func unknownMembers() throws {
    let text = try trimmed(
      """
      {"retcon":"1.0","app":{"name":"A","token":"SECRET","build":7},"token":"SECRET","more":{"token":"SECRET","x":1},"effects":[{"effect":9,"from":0,"token":"SECRET","x":2}],"state":{"token":"SECRET"}}
      {"step":1,"label":"a","action":{"token":"SECRET"},"cause":{"effect":9,"token":"SECRET"},"reads":[{"key":"k","value":{"token":"SECRET"},"token":"SECRET","x":3}],"token":"SECRET","x":{"token":"SECRET","y":4},"patch":[]}
      {"effect":1,"event":"started","after":1,"from":1,"ordinal":0,"file":"A.swift","line":1,"token":"SECRET","x":{"token":"SECRET","y":5}}
      {"read":"k","after":1,"arguments":[{"token":"SECRET"}],"value":{"token":"SECRET"},"token":"SECRET","x":{"y":6,"token":"SECRET"}}
      {"read":"token","after":1,"arguments":["SECRET"],"value":"SECRET"}
      {"tape":"late","token":"SECRET","x":7}
      {"signpost":"s","after":1,"value":{"token":"SECRET"},"token":"SECRET","x":8}
      {"signpost":"token","after":1,"value":"SECRET"}
      {"novelty":{"token":"SECRET","x":9},"token":"SECRET"}
      {"end":1,"token":"SECRET","x":10}

      """, Redaction(keys: ["token"]))
    #expect(!text.contains("SECRET"))
    #expect(
      text == """
        {"retcon":"1.1","app":{"name":"A","token":"<redacted>","build":7},"can":"replay","tape":["late"],"redacted":["key token"],"states":"every","origin":{"format":"trim","file":"whole.retcon"},"token":"<redacted>","more":{"token":"<redacted>","x":1},"effects":[{"effect":9,"from":0,"ordinal":0,"file":"","line":0,"token":"<redacted>","x":2}],"state":{"token":"<redacted>"}}
        {"step":1,"label":"a","action":{"token":"<redacted>"},"cause":{"effect":9,"token":"<redacted>"},"reads":[{"key":"k","value":{"token":"<redacted>"},"token":"<redacted>","x":3}],"token":"<redacted>","x":{"token":"<redacted>","y":4},"patch":[]}
        {"effect":1,"event":"started","after":1,"from":1,"ordinal":0,"file":"A.swift","line":1,"token":"<redacted>","x":{"token":"<redacted>","y":5}}
        {"read":"k","after":1,"arguments":[{"token":"<redacted>"}],"value":{"token":"<redacted>"},"token":"<redacted>","x":{"y":6,"token":"<redacted>"}}
        {"read":"token","after":1,"arguments":["<redacted>"],"value":"<redacted>"}
        {"tape":"late","token":"<redacted>","x":7}
        {"signpost":"s","after":1,"value":{"token":"<redacted>"},"token":"<redacted>","x":8}
        {"signpost":"token","after":1,"value":"<redacted>"}
        {"novelty":{"token":"<redacted>","x":9},"token":"<redacted>"}
        {"end":1,"token":"<redacted>","x":10}

        """)
  }

  /// A change in a lost step may be a copy of a secret.
  @Test("The state of a lost step is redacted as any state, and the next patch does not pass it")
  func lostState() throws {
    let text = try trimmed(
      """
      {"retcon":"1.0","state":{"pin":1}}
      {"lost":[1,2],"because":"torn","state":{"pin":2,"n":2}}
      {"step":3,"keyframe":true,"label":"a","action":1,"state":{"pin":3,"n":3}}
      {"step":4,"label":"a","action":1,"patch":[{"op":"replace","path":"/n","value":4}]}

      """, Redaction(paths: ["/pin"]))
    #expect(
      text.split(separator: "\n").dropFirst().map(String.init) == [
        #"{"lost":[1,2],"because":"torn","state":{"pin":"<redacted>","n":"<redacted>"}}"#,
        #"{"step":3,"keyframe":true,"label":"a","action":1,"state":{"pin":"<redacted>","n":3}}"#,
        #"{"step":4,"label":"a","action":1,"patch":[{"op":"replace","path":"/n","value":4}]}"#,
      ])
  }

  @Test(
    "A pattern is taken out of labels, messages, names, keys and values; no step loses its number")
  func patterns() throws {
    let text = try trimmed(
      """
      {"retcon":"1.0","app":{"name":"A"},"state":{"users":{"ann@x.org":{"n":1,"mail":"ann@x.org"}},"card":4111}}
      {"step":4,"label":"typed.ann@x.org","action":{"typed":"mail to ann@x.org"},"error":"no ann@x.org","patch":[]}
      {"effect":1,"event":"started","after":4,"from":4,"ordinal":0,"name":"of ann@x.org","file":"A","line":1,"cancel":"ann@x.org"}
      {"effect":1,"event":"failed","after":4,"message":"ann@x.org is unknown"}
      {"read":"of ann@x.org","after":4,"value":{"ann@x.org":4111}}
      {"signpost":"ann@x.org came","after":4,"ann@x.org":1}

      """.replacing("\"step\":4", with: "\"step\":1").replacing("\"after\":4", with: "\"after\":1")
        .replacing("\"from\":4", with: "\"from\":1"),
      try Redaction(patterns: ["[a-z]+@x\\.org", "^4[0-9]+$|^1$"]))
    #expect(!text.contains("x.org"))
    #expect(!text.contains("4111"))
    #expect(text.contains(#"{"step":1,"label":"<redacted>","action":{"typed":"<redacted>"}"#))
    #expect(text.contains(#""effect":1,"event":"failed","after":1,"message":"<redacted>""#))
    #expect(text.contains(#""redacted":["by 2 patterns"]"#))
    #expect(text.contains(#"{"read":"<redacted>","after":1,"value":{"<redacted>":"<redacted>"}}"#))
  }

  @Test(
    "No byte of a secret is left, wherever it stands and however it is spelled",
    arguments: [false, true])
  func random(tears: Bool) throws {
    var random = SeededGenerator(seed: 20_261_125)
    for round in 0..<400 {
      let way = SecretSession.Way.allCases[round % 4]
      let session = try SecretSession(way, tears: tears) { Int.random(in: $0, using: &random) }
      let path = try folder.write(session.text, to: "whole.retcon")
      let first = Int.random(in: 1...session.lastStep, using: &random)
      var range = first...Int.random(in: first...session.lastStep, using: &random)
      let reader = try SessionReader(path: path)
      // Not every state is known.
      if tears { range = reader.steps }
      var trimmer = SessionTrimmer(reader)
      trimmer.redaction = session.redaction
      unlink(folder("trim.retcon"))
      try trimmer.trim(range, to: folder("trim.retcon"))
      let text = folder.text("trim.retcon")
      guard !text.contains(SecretSession.trace) else {
        Issue.record("round \(round), steps \(range):\n\(session.text)\n\(text)")
        return
      }
      let trim = try SessionReader(path: folder("trim.retcon"))
      #expect(trim.header.redacted.contains("<redacted>") || trim.header.redacted.count <= 4)
      guard !tears else { continue }
      try trim.examine()
      let expected = /of a kind that|has not started in this file/
      #expect(trim.notices.allSatisfy { $0.sentence.contains(expected) }, "round \(round)")
    }
  }

  @Test("What a move or a copy carried elsewhere is taken out there, before the range and in it")
  func carried() throws {
    let path = try folder.write(
      """
      {"retcon":"1.0","state":{"user":{"password":"SECRET"},"log":[0]}}
      {"step":1,"label":"a","action":1,"patch":[{"op":"copy","from":"/user/password","path":"/log/0"}]}
      {"step":2,"label":"b","action":1,"patch":[{"op":"add","path":"/log/0","value":"new"},{"op":"move","from":"/user","path":"/old"}]}
      {"step":3,"label":"c","action":1,"patch":[{"op":"remove","path":"/log/0"}]}
      {"step":4,"label":"d","action":1,"patch":[{"op":"replace","path":"/log/0","value":"open"}]}

      """, to: "whole.retcon")
    for redaction in [Redaction(paths: ["/user/password"]), Redaction(keys: ["password"])] {
      for first in 1...4 {
        unlink(folder("trim.retcon"))
        var trimmer = SessionTrimmer(try SessionReader(path: path))
        trimmer.redaction = redaction
        try trimmer.trim(first...4, to: folder("trim.retcon"))
        #expect(!folder.text("trim.retcon").contains("SECRET"))
        let trim = try SessionReader(path: folder("trim.retcon"))
        #expect(try trim.state(after: 4)["log"] == ["open", 0])
        #expect(try trim.state(after: 4)["old"]?["password"] == "<redacted>")
      }
    }
  }

  @Test("What a copying step that cannot be read may have carried is taken out", arguments: [1, 5])
  func carriedUnseen(first: Int) throws {
    let path = try folder.write(
      """
      {"retcon":"1.0","state":{"pin":"SECRET","list":["a"],"n":0}}
      {"step":1,"label":"a","action":1,"patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":2,"label":"b","action":1,"patch":[{"op":"copy","from":"/pin","path":"/list/0"}
      {"step":3,"label":"c","action":1,"patch":[{"op":"replace","path":"/n","value":3}]}
      {"step":4,"keyframe":true,"label":"d","action":1,"patch":[],"state":{"pin":"SECRET","list":["SECRET","a"],"n":3}}
      {"step":5,"label":"e","action":1,"patch":[{"op":"add","path":"/list/0","value":"b"}]}
      {"step":6,"label":"f","action":1,"patch":[{"op":"replace","path":"/n","value":6}]}

      """, to: "whole.retcon")
    var trimmer = SessionTrimmer(try SessionReader(path: path))
    trimmer.redaction = Redaction(paths: ["/pin"])
    try trimmer.trim(first...6, to: folder("trim.retcon"))
    #expect(!folder.text("trim.retcon").contains("SECRET"))
    let trim = try SessionReader(path: folder("trim.retcon"))
    #expect(
      try trim.state(after: 6) == ["pin": "<redacted>", "list": ["b", "<redacted>", "a"], "n": 6])
    #expect(
      trim.header.redacted == ["/pin", "what changed between steps that can be read"])
  }

  @Test("Too many carried secrets redact the whole state, and the header says so")
  func manyCarried() throws {
    // Each step doubles the places of the secret.
    let steps = (1...16).map { step in
      #"{"step":\#(step),"label":"a","action":1,"patch":[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/c","value":{}},{"op":"move","from":"/a","path":"/c/a"},{"op":"move","from":"/b","path":"/c/b"},{"op":"move","from":"/c","path":"/a"}]}"#
    }
    let redaction = Redaction(paths: ["/a/pin"])
    for count in [4, 16] {
      let text = try trimmed(
        ([#"{"retcon":"1.1","state":{"a":{"pin":"SECRET"},"n":1}}"#] + steps.prefix(count))
          .map { $0 + "\n" }.joined(), redaction)
      #expect(!text.contains("SECRET"))
      let trim = try SessionReader(path: folder("trim.retcon"))
      #expect(try (trim.state(after: count) == "<redacted>") == (count == 16))
      #expect(
        trim.header.redacted
          == ["/a/pin"]
          + (count == 16 ? ["whole states, as over 4096 values were carried elsewhere"] : []))
    }
  }

  @Test(
    "Of a text that is JSON nothing is left that its parser drops",
    arguments: [
      #"{"token":"SECRET","token":"<redacted>"}"#, #"[{"a":{"token":"SECRET"},"a":":"}]"#,
    ])
  func repeatedKeys(inner: String) throws {
    let inner = Value.string(inner)
    let text = try trimmed(
      """
      {"retcon":"1.1","state":{"token":1}}
      {"step":1,"label":"a","action":\(inner.text()),"patch":[{"op":"add","path":"/t","value":\(inner.text())}]}

      """, Redaction(keys: ["token"]))
    #expect(!text.contains("SECRET"))
  }

  @Test(
    "A text with a redacted key in quotes that is not JSON as a whole is replaced as a whole",
    arguments: [
      "\u{FEFF}{\"token\":\"SECRET\"}", #"{"token":"SECRET",}"#,
      "data: {\"token\" :\"SECRET\"}\n\n",
      #"{"token":"SECRET"} {"token":"SECRET"}"#, #"{"a":1,"token":"SECRE"#,
      #"{'token': 'SECRET'}"#, #"sent "{\"token\":\"SECRET\"}""#, #"{"t\u006fken":"SECRET",}"#,
      #"{"a":"{\"b\":\"{\\\"t\\u006fken\\\":\\\"SECRET"#, #"{"a\"b":"SECRET",}"#,
      #"{"PIN":"SECRET",}"#,
    ])
  func nearlyJSON(text: String) throws {
    var redaction = Redaction(keys: ["token", #"a"b"#])
    redaction.keysInAnyCase = ["pin"]
    let secret = Value.string(text).text()
    let list = Value.string("[\(secret)]").text()
    let written = try trimmed(
      """
      {"retcon":"1.1","state":{"a":\(secret),"b":["{\\"tokens\\":1,}","token: \\"no\\"","C:\\\\a\\\\"]}}
      {"step":1,"label":"a","action":{\(secret):{"c":\(list)}},"patch":[]}

      """, redaction)
    #expect(!written.contains("SECRE"))
    let trim = try SessionReader(path: folder("trim.retcon"))
    #expect(
      try trim.state(after: 1)
        == ["a": "<redacted>", "b": [#"{"tokens":1,}"#, #"token: "no""#, #"C:\a\"#]])
    #expect(try trim.step(1).action == ["<redacted>": ["c": #"["<redacted>"]"#]])
    #expect(trim.header.redacted.count == 1)
  }

  @Test("The header lists what was really taken out, and covers what it listed before")
  func found() throws {
    let header = #"{"retcon":"1.0","redacted":["the SECRET plan"],"state":{"a":"SECRET","b":1}}"#
    let path = try folder.write(header + "\n", to: "whole.retcon")
    var trimmer = SessionTrimmer(try SessionReader(path: path))
    trimmer.redaction = try Redaction(
      paths: ["/a", "/nosuch"], keys: ["nokey"], patterns: ["SECRET", "nothing"])
    try trimmer.trim(0...0, to: folder("trim.retcon"))
    #expect(
      try SessionReader(path: folder("trim.retcon")).header.redacted
        == ["<redacted>", "/a", "by 1 pattern"])
    trimmer.redaction.mustMatch = true
    let error = #expect(throws: SessionError.self) {
      try trimmer.trim(0...0, to: folder("none.retcon"))
    }
    #expect(
      error?.problem
        == .nothingRedacted(by: ["--redact /nosuch", "--redact-key nokey", "--redact-text nothing"])
    )
    #expect(!folder.names.contains("none.retcon"))
  }

  @Test("What is not a pointer is an error with the right spelling")
  func spelling() {
    for (path, right) in [
      ("user/password", "/user/password"), ("state.user.name", "/user/name"),
      ("items[3].price", "/items/3/price"), ("#/a/b", "/a/b"), ("/a~b", "/a~0b"),
    ] {
      var words = RedactionWords()
      words.paths = [path]
      let error = #expect(throws: SessionError.self) { try words.redaction }
      #expect(error?.problem == .badPointer(path, right: right))
      #expect(
        Redactor(Redaction(paths: [path])).named
          == Redactor(Redaction(paths: [right])).named
          .map { Redactor.Place(.path(path), $0.tokens) })
    }
  }

  @Test("A pattern that is none is an error")
  func badPattern() {
    #expect(throws: (any Error).self) { try Redaction(patterns: ["("]) }
  }

  @Test("A trim that takes the name of a session keeps that one")
  func keepsSession() throws {
    let path = try folder.write(
      #"{"retcon":"1.0","started":"2026-11-20T10:56:00.000Z","state":0}"# + "\n", to: "s.retcon")
    let old = folder.bytes("s.retcon")
    let other = try folder.write(#"{"retcon":"1.0","state":1}"# + "\n", to: "other.retcon")
    try SessionTrimmer(SessionReader(path: other)).trim(0...0, to: path, replacing: true)
    #expect(folder.bytes("s.2026-11-20T10-56-00.000Z.retcon") == old)
    #expect(try SessionReader(path: path).state(after: 0) == 1)
    try folder.write("mine", to: "mine.txt")
    #expect(throws: SessionError.self) {
      try SessionTrimmer(SessionReader(path: other)).trim(
        0...0, to: folder("mine.txt"), replacing: true)
    }
    #expect(folder.text("mine.txt") == "mine")
    #expect(folder.names.count == 4)
  }
}
