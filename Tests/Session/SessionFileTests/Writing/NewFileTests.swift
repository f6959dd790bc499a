import Platform
import SessionWords
import TestSupport
import Testing

@testable import SessionFile

@Suite("A new file") struct NewFileTests {
  @Test("It has no name before it is whole, so that not even a killed process leaves some of it")
  func noName() throws {
    let folder = try TemporaryFolder()
    do {
      var file = try NewFile(path: folder("a"))
      try file.append([UInt8](repeating: 65, count: 1 << 20))
      #expect(folder.names == [])
    }
    #expect(folder.names == [])
    var file = try NewFile(path: folder("a"))
    try file.append(Array("whole".utf8))
    try file.commit()
    #expect(folder.text("a") == "whole")
  }

  @Test("It takes no name that something has got meanwhile, unless it is to")
  func taken() throws {
    let folder = try TemporaryFolder()
    var file = try NewFile(path: folder("a"))
    try file.append(Array("new".utf8))
    symlink("nowhere", folder("a"))
    #expect(throws: SessionError(.alreadyExists, path: folder("a"))) { try file.commit() }
    #expect(folder.names == ["a"])
    var other = try NewFile(path: folder("a"), taken: .isReplaced())
    try other.append(Array("new".utf8))
    try other.commit()
    #expect(folder.names == ["a"])
    #expect(folder.text("a") == "new")
  }

  @Test(
    "Where it has a name from the start, what a killed process left is removed by the next one; nothing else is"
  )
  func leftOvers() throws {
    let folder = try TemporaryFolder()
    let gone = "a.retcon.99999999-abcdef.new"
    let kept = [
      "a.retcon.\(getppid())-abcdef.new", "a.retcon.99999999-abc.new",
      "b.retcon.99999999-abcdef.new",
      "a.retcon.99999999-abcdef.news", "a.retcon.notes.new",
    ]
    for name in kept + [gone] { try folder.write("half", to: name) }
    var file = try NewFile(path: folder("a.retcon"), hasName: true)
    #expect(folder.names.count == kept.count + 1)
    #expect(!folder.names.contains(gone))
    try file.append(Array("whole".utf8))
    try file.commit()
    #expect(folder.text("a.retcon") == "whole")
  }

  @Test("Where it has a name from the start, one that is not kept leaves nothing")
  func notKept() throws {
    let folder = try TemporaryFolder()
    do {
      var file = try NewFile(path: folder("a.retcon"), hasName: true)
      try file.append(Array("half".utf8))
    }
    #expect(folder.names == [])
  }
}
