import Glibc
import SessionLog
import ValueTree

/// Opens any bytes as a session and asks everything that can be asked. `Tests/Fuzz/run` builds it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSessionReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let path = "/tmp/retcon-fuzz-\(getpid()).retcon"
  let trimmed = path + ".trim"
  guard let file = fopen(path, "w") else { return 0 }
  // Without a header nothing behind it would be reached: a first byte that is even gives one.
  if let start, count > 0, start[0].isMultiple(of: 2) {
    fputs("{\"retcon\":\"1.0\",\"state\":{\"a\":[1,2,3]}}\n", file)
  }
  fwrite(start, 1, count, file)
  fclose(file)
  defer { unlink(path) }
  guard let session = try? SessionReader(path: path) else { return 0 }
  for number in session.steps.prefix(64) {
    _ = try? session.step(number)
    _ = try? session.state(after: number)
    _ = try? session.patch(at: number)
  }
  _ = try? session.effectsInFlight(after: session.steps.upperBound)
  _ = try? session.outsideReads(in: session.steps)
  _ = try? session.signposts(in: session.steps)
  try? session.examine()
  _ = try? session.refresh()
  var trimmer = SessionTrimmer(session)
  trimmer.redaction = Redaction(paths: ["/a/*"], keys: ["b"])
  try? trimmer.trim(session.steps, to: trimmed, replacing: true)
  unlink(trimmed)
  for notice in session.notices where notice.sentence.isEmpty { abort() }
  return 0
}
