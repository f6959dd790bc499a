#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a test's own, gone when the test is over.
final class TemporaryFolder {
  let path: String
  private var names: [String] = []

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/retcon-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileTrouble(path: base, error: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Writes a file and answers its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = self[name]
    guard let handle = fopen(file, "w") else { throw FileTrouble(path: file, error: errno) }
    defer { fclose(handle) }
    fputs(text, handle)
    return file
  }

  /// The path of a file that is removed at the end, whoever writes it.
  subscript(name: String) -> String {
    if !names.contains(name) { names.append(name) }
    return "\(path)/\(name)"
  }

  func text(_ name: String) throws -> String {
    guard let handle = fopen("\(path)/\(name)", "r") else {
      throw FileTrouble(path: name, error: errno)
    }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, handle), count > 0 {
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

struct FileTrouble: Error, CustomStringConvertible {
  var path: String
  var error: Int32

  var description: String { "\(path): \(String(cString: strerror(error)))" }
}
