import Testing

@testable import Platform

@Suite("The table of names in a program")
struct ProgramTableTests {
  /// A Mach-O file of three names: its header, one other command, the command of the table, the table, the names.
  private func machO(symbolCount: UInt32 = 2, namesSize: UInt32 = 14) -> [UInt8] {
    let words: [UInt32] =
      [0xFEED_FACF, 0, 0, 2, 2, 40, 0, 0]
      + [0x1B, 16, 0, 0]
      + [2, 24, 72, symbolCount, 104, namesSize]
      + [1, 0, 0, 0] + [8, 0, 0, 0]
    let names = Array("\0_first\0_last\0".utf8)
    return words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } } + names
  }

  private func names(in bytes: [UInt8]) -> [String]? {
    bytes.withUnsafeBytes { bytes in
      guard let table = ProgramTable(bytes: bytes) else { return nil }
      var names: [String] = []
      table.forEachName { names.append(String(decoding: $0, as: UTF8.self)) }
      return names
    }
  }

  @Test("the names of a Mach-O file come without the linker's underscore")
  func machOFile() {
    #expect(names(in: machO()) == ["first", "last"])
  }

  @Test("a truncated or lying file has no table, and nothing behind its end is read")
  func damaged() {
    let whole = machO()
    for count in 0..<whole.count - 1 { #expect(names(in: Array(whole.prefix(count))) == nil) }
    #expect(names(in: machO(symbolCount: .max)) == nil)
    #expect(names(in: machO(namesSize: .max)) == nil)
  }

  @Test("this program names itself")
  func own() throws {
    #expect(ProgramSymbols.ofThisProgram.initializers.keys.contains { $0.contains("TableTests") })
  }
}
