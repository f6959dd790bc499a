import Testing

@testable import SessionLog

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of its own for a test, gone when the test is.
final class ImportFixture {
  let folder: String

  init() throws {
    var template = Array("/tmp/retcon-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private var names: Set<String> = []

  func write(_ text: String, as name: String) throws -> String {
    names.insert(name)
    let path = "\(folder)/\(name)"
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs(text, file)
    return path
  }

  func open(_ text: String, as name: String) throws -> SessionReader {
    try SessionOpener.standard.open(write(text, as: name))
  }
}

/// The files that Redux DevTools wrote, or nil with a loud sentence where they are not.
func samplePath(_ name: String) throws -> String? {
  let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  let folder = getenv("RETCON_SAMPLES").map { String(cString: $0) } ?? "/\(root)/../shared/samples"
  let path = "\(folder)/\(name)"
  if access(path, R_OK) == 0 { return path }
  let sentence: Comment = """
    There is no \(path): set RETCON_SAMPLES to the folder with the files of Redux DevTools.
    """
  guard getenv("CI") == nil else {
    Issue.record(sentence)
    return nil
  }
  print("SKIPPED:", sentence.rawValue)
  return nil
}
