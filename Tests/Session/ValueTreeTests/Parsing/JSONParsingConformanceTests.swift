import FoundationEssentials
import Testing
import ValueTree

/// Every file of the JSON parsing vectors: `y_` is accepted, `n_` is rejected, `i_` is either.
@Suite struct JSONParsingConformanceTests {
  @Test("every file is accepted or rejected as its name states")
  func files() throws {
    guard let folder = ConformanceVectors.path("json-parsing") else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".json") }
    var asStated = 0
    for name in names {
      let bytes = try Data(contentsOf: URL(filePath: folder + "/" + name))
      let value = try? Value(parsing: bytes)
      let isAsStated =
        switch name.prefix(2) {
        case "y_": value != nil
        case "n_": value == nil
        default: true
        }
      #expect(isAsStated, "\(name)")
      bytes.withUnsafeBytes { bytes in
        let text = bytes.bindMemory(to: UInt8.self)
        let isText = String(validating: text, as: UTF8.self) != nil
        #expect(!isText || !ValueScanner(text).isCertainlyJSON || value != nil, "\(name)")
        let isShort = bytes.count < 1_000 && bytes.first != 0xEF
        #expect(value == nil || !isShort || ValueScanner(text).isCertainlyJSON, "\(name)")
      }
      if isAsStated { asStated += 1 }
      if let value {
        #expect(try Value(parsing: value.bytes()) == value, "\(name) prints back")
      }
    }
    print("json-parsing: \(names.count) files, \(asStated) as stated")
    #expect(names.count > 100)
  }
}
