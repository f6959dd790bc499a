import Platform
import SessionFile
import SessionWords
import ValueTree

/// Results of `verify --resume`, one line each. A result counts only for the same bytes and the same host.
final class KeptResults: Sendable {
  private let path: String
  private let host: String
  private let file: Int32
  private let lines: [String: Value]

  init(_ path: String, of host: HostOptions) throws {
    self.path = path
    self.host = [host.command.map { "\($0.program) \($0.arguments)" }, host.reducer?.words]
      .compactMap(\.self).joined(separator: " ")
    file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0, let bytes = WholeTransfer.readAll(from: file) else {
      throw UsageError(
        what: "cannot use \(path): \(errorText(errno))", next: "Name a file that can be written")
    }
    var found: [String: Value] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // The last line of a killed run may be cut off; that session runs again.
      guard let value = try? Value(parsing: String(line)), let name = value["file"]?.string else {
        continue
      }
      found[name] = value
    }
    lines = found
    if let last = bytes.last, last != 0x0A { try write("\n") }
  }

  deinit { close(file) }

  func line(for session: String) -> Value? {
    guard let kept = lines[session], kept["error"] == nil,
      let stamp = stamp(of: session), kept["of"] == stamp,
      kept["host"]?.string == host, case .object(var members) = kept
    else { return nil }
    members["of"] = nil
    members["host"] = nil
    return .object(members)
  }

  func keep(_ line: Value) throws {
    guard case .object(var members) = line, let session = line["file"]?.string else { return }
    members["of"] = stamp(of: session)
    members["host"] = .string(host)
    try write(Value.object(members).text() + "\n")
  }

  private func write(_ text: String) throws {
    var text = text
    guard text.withUTF8({ WholeTransfer.write(UnsafeRawBufferPointer($0), to: file) }) else {
      throw UsageError(what: "cannot write \(path): \(errorText(errno))")
    }
  }

  /// Nil without a local file. Its session then runs again.
  private func stamp(of session: String) -> Value? {
    fileStatus(of: session, following: true).map { .string("\(FileStamp($0))") }
  }
}
