import TestFolder
import Testing

@testable import SessionLog

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension TemporaryFolder {
  /// Opens a text as a session, as if it came in a file of this name.
  func open(_ text: String, as name: String) throws -> SessionReader {
    try SessionOpener.standard.open(try write(Array(text.utf8), to: name))
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
