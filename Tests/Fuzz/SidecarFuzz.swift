import Glibc
import SessionFile
import SessionWords
import ValueTree

private let folder = FuzzFolder()

/// Called by libFuzzer with one sidecar after another. The viewer reports an unreadable one and
/// renames it, and then it keeps what it writes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSidecar(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  folder.write("{\"retcon\":\"1.0\",\"state\":0}\n".utf8, to: "a.retcon")
  var bytes = Array(input)
  // With the number of the session in its place: no fuzzer finds that out.
  if let first = input.first, first.isMultiple(of: 2) {
    bytes = Array("{\"retcon-sidecar\":\"1.0\",\"session\":\"\(identity)\",".utf8) + bytes
  }
  folder.write(bytes, to: "a.retcon.sidecar")
  let sidecar = Sidecar(session: folder("a.retcon"))
  let found = sidecar.contents
  if let notice = sidecar.notice {
    require(!notice.isEmpty && found == SidecarContents(), "used in spite of: \(notice)")
  }
  do throws(SessionError) {
    try sidecar.update { $0.marks.append(Mark(step: 7, note: "new")) }
  } catch {
    require(false, error.sentence)
  }
  let again = Sidecar(session: folder("a.retcon"))
  var expected = found
  expected.marks.append(Mark(step: 7, note: "new"))
  require(again.notice == nil, "what was written is not read: \(again.notice ?? "")")
  require(again.contents == expected, "\(again.contents) is read, \(expected) was written")
  unlink(folder("a.retcon.sidecar.unreadable-1"))
  return 0
}

/// As a sidecar of the session says it.
private let identity: String = {
  let sidecar = Sidecar(session: folder("a.retcon"))
  _ = try? sidecar.update { _ in }
  guard let file = fopen(folder("a.retcon.sidecar"), "r") else { return "" }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  bytes.removeLast(4096 - fread(&bytes, 1, 4096, file))
  unlink(folder("a.retcon.sidecar"))
  guard case .string(let text)? = (try? Value(parsing: bytes))?["session"] else { return "" }
  return text
}()
