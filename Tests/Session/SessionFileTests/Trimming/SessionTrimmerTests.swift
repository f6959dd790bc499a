import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite struct SessionTrimmerTests {
  let folder: TemporaryFolder
  let session: SessionReader

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.write(
      """
      {"retcon":"1.0","can":"replay","states":"every","future":1,"state":{"n":0,"name":"Ann"}}
      {"effect":1,"event":"started","after":0,"from":0,"ordinal":0,"file":"A.swift","line":1}
      {"step":1,"label":"a","action":{"a":"Ann"},"patch":[{"op":"replace","path":"/n","value":1}]}
      {"effect":2,"event":"started","after":1,"from":1,"ordinal":0,"file":"A.swift","line":2}
      {"step":2,"label":"b","action":"b","patch":[{"op":"replace","path":"/n","value":2}],"later":true}
      {"novelty":[1,2]}
      {"step":3,"label":"c","action":"c","cause":{"effect":1},"patch":[{"op":"replace","path":"/n","value":3},{"op":"replace","path":"/name","value":"Bob"}]}
      {"effect":1,"event":"finished","after":3}
      {"step":4,"label":"d","action":"d","patch":[{"op":"replace","path":"/n","value":4}]}

      """, to: "whole.retcon")
    session = try SessionReader(path: path)
  }

  @Test("A trim starts with the state and the effects in flight, and keeps what it does not know")
  func trims() throws {
    try SessionTrimmer(session).trim(2...3, to: folder("short.retcon"))
    #expect(
      folder.text("short.retcon") == """
        {"retcon":"1.1","can":"replay","states":"every","origin":{"format":"trim","file":"whole.retcon"},"future":1,"first":1,"effects":[{"effect":1,"from":0,"ordinal":0,"file":"A.swift","line":1}],"state":{"n":1,"name":"Ann"}}
        {"effect":2,"event":"started","after":1,"from":1,"ordinal":0,"file":"A.swift","line":2}
        {"step":2,"label":"b","action":"b","patch":[{"op":"replace","path":"/n","value":2}],"later":true}
        {"novelty":[1,2]}
        {"step":3,"label":"c","action":"c","cause":{"effect":1},"patch":[{"op":"replace","path":"/n","value":3},{"op":"replace","path":"/name","value":"Bob"}]}
        {"effect":1,"event":"finished","after":3}
        {"end":3}

        """)
    let short = try SessionReader(path: folder("short.retcon"))
    #expect(short.steps == 1...3)
    #expect(short.stepCount == 2)
    #expect(try short.state(after: 1) == ["n": 1, "name": "Ann"])
    #expect(try short.state(after: 3) == ["n": 3, "name": "Bob"])
    #expect(try short.effectsInFlight(after: 2).map(\.effect) == [1, 2])
    #expect(
      short.notices.map(\.sentence) == [
        "line 4: 1 line of a kind that this program does not know (\"novelty\") is ignored."
      ])
  }

  @Test(
    "What nobody knows of an effect in flight goes along, as it stands in its line, and is redacted"
  )
  func unknownOfEffects() throws {
    let path = try folder.write(
      """
      {"retcon":"1.0","state":0}
      {"effect":1,"event":"started","after":0,"from":0,"ordinal":0,"file":"A.swift","line":1,"trace":{"id":"x","token":"secret"},"later":[1]}
      {"step":1,"label":"a","action":"a","patch":[]}
      {"step":2,"label":"b","action":"b","patch":[]}
      {"end":2}

      """, to: "effects.retcon")
    var trimmer = SessionTrimmer(try SessionReader(path: path))
    try trimmer.trim(2...2, to: folder("kept.retcon"))
    #expect(
      folder.text("kept.retcon").contains(
        #""line":1,"trace":{"id":"x","token":"secret"},"later":[1]}],"state":0}"#))
    trimmer.redaction = Redaction(keys: ["token"])
    try trimmer.trim(2...2, to: folder("redacted.retcon"))
    #expect(folder.text("redacted.retcon").contains(#""trace":{"id":"x","token":"#))
    #expect(!folder.text("redacted.retcon").contains("secret"))
    // A trim of a trim loses nothing either.
    try SessionTrimmer(SessionReader(path: folder("kept.retcon"))).trim(
      2...2, to: folder("t.retcon"))
    #expect(folder.text("t.retcon").contains(#""later":[1]"#))
  }

  @Test("A trim that nobody waits for any more ends after a small piece, and leaves no file")
  func interrupted() throws {
    let lines = (1...3_000).map {
      #"{"step":\#($0),"label":"a","action":"\#(String(repeating: "x", count: 200))","patch":[]}"#
    }
    let path = try folder.write(
      #"{"retcon":"1.0","state":0}"# + "\n" + lines.joined(separator: "\n") + "\n",
      to: "long.retcon")
    let long = try SessionReader(path: path)
    let work = LookCount()
    _ = try work.counting { try SessionTrimmer(long).trim(0...3_000, to: folder("all.retcon")) }
    #expect(work.count >= 600_000 / (1 << 15))
    for stop in [1, work.count / 2, work.count] {
      let stopped = LookCount(stopAt: stop)
      let error = #expect(throws: SessionError.self) {
        try stopped.counting {
          try SessionTrimmer(long).trim(0...3_000, to: folder("part.retcon"))
        }
      }
      #expect(error?.problem == .interrupted)
      #expect(stopped.count == stop)
    }
    #expect(!folder.names.contains { $0.hasPrefix("part") })
  }

  @Test(
    "A state that nobody waits for any more is given up without a remark, and read the next time")
  func interruptedState() throws {
    let lines = (1...2_000).map {
      #"{"step":\#($0),"label":"a","action":"\#(String(repeating: "x", count: 200))","patch":[{"op":"replace","path":"","value":\#($0)}]}"#
    }
    let path = try folder.write(
      #"{"retcon":"1.0","state":0}"# + "\n" + lines.joined(separator: "\n") + "\n",
      to: "long.retcon")
    let work = LookCount()
    let counted = try SessionReader(path: path)
    _ = try work.counting { try counted.state(after: 2_000) }
    #expect(work.count > 10)
    let session = try SessionReader(path: path)
    for stop in [1, 5, work.count] {
      let stopped = LookCount(stopAt: stop)
      #expect(throws: SessionError(.interrupted, path: path)) {
        try stopped.counting { try session.state(after: 2_000) }
      }
      #expect(stopped.count <= stop + 1)
    }
    #expect(session.notices == [])
    #expect(try session.state(after: 2_000) == 2_000)
  }

  @Test("What was written ahead of a later step is no part of a trim")
  func writtenAhead() throws {
    let path = try folder.write(
      """
      {"retcon":"1.0","state":0}
      {"begin":1,"label":"a","action":"a"}
      {"step":1,"label":"a","action":"a","patch":[]}
      {"begin":2,"label":"b","action":"b"}
      {"read":"r","begin":2,"value":1}
      {"signpost":"between","after":1}
      {"step":2,"label":"b","action":"b","reads":[{"key":"r","value":1}],"patch":[]}

      """, to: "ahead.retcon")
    try SessionTrimmer(SessionReader(path: path)).trim(0...1, to: folder("trim.retcon"))
    #expect(
      folder.text("trim.retcon").split(separator: "\n").dropFirst().joined(separator: "\n") == """
        {"begin":1,"label":"a","action":"a"}
        {"step":1,"label":"a","action":"a","patch":[]}
        {"signpost":"between","after":1}
        {"end":1}
        """)
    #expect(try SessionReader(path: folder("trim.retcon")).notices == [])
  }

  @Test(
    "A trim keeps the state that only the header of a further part holds",
    arguments: [#"{"step":2,"action":oops,"patch":[]}"#, #"{"step":2,"act"#, ""])
  func headerOfPart(damaged: String) throws {
    let path = try folder.write(
      """
      {"retcon":"1.1","session":"s","state":{"n":0}}
      {"step":1,"action":1,"patch":[{"op":"replace","path":"/n","value":1}]}
      \(damaged)
      {"end":2}

      """, to: "parts.retcon")
    try folder.write(
      """
      {"retcon":"1.1","session":"s","part":2,"first":2,"state":{"n":2,"secret":"x"}}
      {"step":3,"action":1,"patch":[{"op":"replace","path":"/n","value":3}]}
      {"end":3}

      """, to: "parts.2.retcon")
    var trimmer = SessionTrimmer(try SessionReader(path: path))
    for keys in [[], ["secret"]] {
      trimmer.redaction = Redaction(keys: keys)
      let name = folder("trim\(keys.count).retcon")
      try trimmer.trim(0...3, to: name)
      let trim = try SessionReader(path: name)
      #expect(try trim.state(after: 3)["n"] == 3)
      #expect(try trim.state(after: 2)["secret"] == (keys.isEmpty ? "x" : "<redacted>"))
      #expect(try trim.step(2).damage != nil)
    }
  }

  @Test("A redacted trim holds no byte of what was taken out, and its patches fit")
  func redacts() throws {
    var trimmer = SessionTrimmer(session)
    trimmer.redaction = Redaction(paths: ["/name"]) { _, value in value == "Ann" }
    try trimmer.trim(0...4, to: folder("short.retcon"))
    #expect(!folder.text("short.retcon").contains("Ann"))
    #expect(!folder.text("short.retcon").contains("Bob"))
    let short = try SessionReader(path: folder("short.retcon"))
    #expect(short.header.redacted == ["/name", "by a predicate of the app"])
    #expect(try short.step(1).action == ["a": "<redacted>"])
    #expect(try short.state(after: 4) == ["n": 4, "name": "<redacted>"])
    #expect(folder.text("short.retcon").contains("\"later\":true"))
  }

  @Test("A trim into a file that exists is refused, and nothing is left of it")
  func refuses() throws {
    try folder.write("mine", to: "mine.retcon")
    #expect(throws: SessionError(.alreadyExists, path: folder("mine.retcon"))) {
      try SessionTrimmer(session).trim(0...1, to: folder("mine.retcon"))
    }
    #expect(throws: SessionError(.noStep(9, available: 0...4), path: session.path)) {
      try SessionTrimmer(session).trim(0...9, to: folder("other.retcon"))
    }
    #expect(folder.names == ["mine.retcon", "whole.retcon"])
    #expect(folder.text("mine.retcon") == "mine")
  }

  @Test("Where there is no state to start with, the nearest ones are named")
  func noState() throws {
    let lines = (1...900).map { step in
      [300, 700, 900].contains(step)
        ? #"{"step":\#(step),"label":"a","action":1,"patch":[{"op":"replace","path":"/n","value":\#(step)}]}"#
        : #"{"step":\#(step),"label":"a","action":1,"dropped":true}"#
    }
    let header = #"{"retcon":"1.0","can":"replay","states":"every","state":{"n":0}}"#
    let path = try folder.write(
      ([header] + lines).joined(separator: "\n") + "\n", to: "dropped.retcon")
    let session = try SessionReader(path: path)
    for (step, sentence) in [
      (600, "Start with step 301 or 701: the state before is recorded"),
      (299, "Start with step 1 or 301: the state before is recorded"),
      (800, "Start with step 701: the state before is recorded"),
    ] {
      let error = #expect(throws: SessionError.self) {
        try SessionTrimmer(session).trim(step + 1...850, to: folder("short.retcon"))
      }
      #expect(error?.next == sentence)
    }
    try SessionTrimmer(session).trim(301...850, to: folder("short.retcon"))
    #expect(try SessionReader(path: folder("short.retcon")).state(after: 700) == ["n": 700])
  }
}
