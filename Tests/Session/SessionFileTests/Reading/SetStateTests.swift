import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("A part of the state that was set") struct SetStateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(_ header: String, member: String = "") throws -> SessionReader {
    let text = """
      {"retcon":\(header),"state":{"user":{"name":"Ann"}}}
      {"step":1,"label":"state set by hand","action":{"pointer":"/user/name","value":"Ben"}\(member),"patch":[{"op":"replace","path":"/user/name","value":"Ben"}]}

      """
    return try SessionReader(path: folder.write(text, to: "set.retcon"))
  }

  private static let member = #","set":{"pointer":"/user/name","value":"Ben"}"#
  private static let part = SetPart(["user", "name"], value: "Ben")

  @Test(
    "A trim reads its steps as the session does, whatever its version",
    arguments: [
      (#""1.0""#, "", false), (#""1.0","origin":{"format":"Redux DevTools"}"#, "", false),
      (#""1.0","origin":{"format":"trim"}"#, "", true),
      (#""1.0","origin":{"format":"branch a"}"#, "", true),
      (#""1.1","origin":{"format":"branch a"}"#, "", false), (#""1.1""#, member, true),
      (#""1.1""#, #","cause":{"effect":7}"# + member, false),
      (#""1.1","origin":{"format":"trim"}"#, member, true),
    ])
  func trims(header: String, member: String, isSet: Bool) throws {
    let session = try session(header, member: member)
    #expect(try session.step(1).set == (isSet ? Self.part : nil))
    #expect(try session.storedSteps(0...1).map(\.step.set) == [nil, isSet ? Self.part : nil])
    try SessionTrimmer(session).trim(1...1, to: folder("trim.retcon"))
    let trim = try SessionReader(path: folder("trim.retcon"))
    #expect(try trim.step(1) == session.step(1))
  }

  @Test("Steps that are written again say what the label said, in a file of today's version")
  func writing() throws {
    let session = try session(#""1.0","origin":{"format":"branch a"}"#)
    let writer = try SessionWriter(path: folder("again.retcon"), header: session.header)
    try writer.append(session.step(1), state: session.state(after: 1))
    try writer.finish()
    #expect(
      folder.text("again.retcon").hasPrefix(
        """
        {"retcon":"1.1","can":"replay","states":"every","origin":{"format":"branch a"},"state":{"user":{"name":"Ann"}}}
        {"step":1,"label":"state set by hand","action":{"pointer":"/user/name","value":"Ben"},"cause":"user","set":{"pointer":"/user/name","value":"Ben"},"patch":
        """))
    #expect(try SessionReader(path: folder("again.retcon")).step(1).set == Self.part)
  }

  @Test(
    "A redaction of the state takes it out of what was set there",
    arguments: [#""1.0","origin":{"format":"trim"}"#, #""1.1""#])
  func redaction(header: String) throws {
    let isOld = header.contains("trim")
    let session = try session(header, member: isOld ? "" : Self.member)
    var trimmer = SessionTrimmer(session)
    for redaction in [
      Redaction(paths: ["/user/name"]), Redaction(paths: ["/user"]), Redaction(keys: ["name"]),
      Redaction(keys: ["user"]), try Redaction(patterns: ["Ann|Ben"]),
    ] {
      trimmer.redaction = redaction
      try trimmer.trim(1...1, to: folder("trim.retcon"), replacing: true)
      let trim = try SessionReader(path: folder("trim.retcon"))
      #expect(!folder.text("trim.retcon").contains("Ben"))
      #expect(try trim.step(1).set == SetPart(["user", "name"], value: "<redacted>"))
    }
  }
}
