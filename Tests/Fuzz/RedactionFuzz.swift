import Glibc
import SessionFile
import SessionWords
import ValueTree

private let folder = FuzzFolder()

/// Called by libFuzzer with one input after another. Its bytes decide where a session has a secret
/// and how it is spelled. Some steps are trimmed with redaction, and no byte of the secret may be
/// left.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedaction(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = UnsafeBufferPointer(start: start, count: count)[...]
  var numbers = InputNumbers(input)
  func pick(_ range: ClosedRange<Int>) -> Int {
    guard let byte = input.popFirst() else { return numbers.next(in: range) }
    return range.lowerBound + Int(byte) % range.count
  }
  let way = SecretSession.Way(rawValue: pick(0...3)) ?? .path
  guard let session = try? SecretSession(way, pick) else { return 0 }
  folder.write(Array(session.text.utf8), to: "whole.retcon")
  let first = pick(1...session.lastStep)
  let range = first...pick(first...session.lastStep)
  guard let reader = try? SessionReader(path: folder("whole.retcon")) else {
    require(false, "does not open:\n\(session.text)")
    return 0
  }
  var trimmer = SessionTrimmer(reader)
  trimmer.redaction = session.redaction
  unlink(folder("trim.retcon"))
  guard (try? trimmer.trim(range, to: folder("trim.retcon"))) != nil,
    let file = fopen(folder("trim.retcon"), "r")
  else {
    require(false, "cannot trim \(range):\n\(session.text)")
    return 0
  }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  let text = String(decoding: bytes, as: UTF8.self)
  require(
    !text.contains(SecretSession.trace), "steps \(range) of\n\(session.text)are\n\(text)")
  return 0
}
