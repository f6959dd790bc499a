import Platform

/// A folder of one test, removed with all that is in it.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let path = try folder.write("{}", to: "session.retcon")
/// ```
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let base = temporaryFolder
    var template = Array("\(base)/retcon-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileTrouble(path: base, error: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in namesInFolder(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// The path of a file in here, be it there or not.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  package var names: [String] { namesInFolder(path) }

  /// The bytes of a file, or none.
  package func bytes(_ name: String) -> [UInt8] { Self.bytes(of: self(name)) }

  package static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  package func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

  /// Writes a file and gives its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    guard let file = fopen(self(name), "w") else {
      throw FileTrouble(path: self(name), error: errno)
    }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw FileTrouble(path: self(name), error: errno)
    }
    return self(name)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes behind what a file holds, or makes it.
  package func append(_ text: String, to name: String) throws {
    guard let file = fopen(self(name), "a") else {
      throw FileTrouble(path: self(name), error: errno)
    }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw FileTrouble(path: self(name), error: errno) }
  }

  package func shorten(_ name: String, to size: Int) throws {
    guard truncate(self(name), off_t(size)) == 0 else {
      throw FileTrouble(path: self(name), error: errno)
    }
  }

  /// Gives a file another name, and takes the place of what had it.
  package func move(_ name: String, to new: String) throws {
    guard rename(self(name), self(new)) == 0 else {
      throw FileTrouble(path: self(name), error: errno)
    }
  }
}

/// A test's file could not be made.
package struct FileTrouble: Error, CustomStringConvertible {
  var path: String
  var error: Int32

  package var description: String { "\(path): \(errorText(error))" }
}
