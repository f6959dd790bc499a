import Glibc
import Recorder
import SessionFile
import TestSupport
import Testing
import ValueTree

@Suite("What has the name of a recording") struct KeptSessionsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records one step; the second at which it starts tells the recordings apart.
  @discardableResult
  private func record(
    second: Int = 0, keeping count: Int = 10, told: Told = Told(), partSize: Int? = nil
  ) -> RecordingStatistics {
    var options = RecordingOptions()
    options.started = "2026-11-20T10:56:\(second < 10 ? "0" : "")\(second).000Z"
    options.writing.existing = .keep(count)
    options.writing.partSize = partSize
    options.report = { told.add($0.sentence.replacing(folder.path, with: "$")) }
    let recorder = SessionRecorder<Int, Int>(to: folder("cart.retcon"), options: options)
    recorder.start(with: second)
    for number in 1...(partSize == nil ? 1 : 20) { recorder.step(number) { second } }
    return recorder.finish()
  }

  private func kept(_ second: String, _ suffix: String = "") -> String {
    "cart.2026-11-20T10-56-\(second).000Z\(suffix).retcon"
  }

  @Test("The session that was there is kept under its start time, with its sidecar")
  func keepsSession() throws {
    record(second: 1)
    try Sidecar(session: folder("cart.retcon")).update { $0.marks.append(Mark(step: 1, note: "!")) }
    let bytes = folder.bytes("cart.retcon")
    record(second: 2)
    #expect(folder.bytes(kept("01")) == bytes)
    #expect(Sidecar(session: folder(kept("01"))).contents.marks.map(\.note) == ["!"])
    #expect(Sidecar(session: folder("cart.retcon")).contents.marks == [])
    #expect(try SessionReader(path: folder("cart.retcon")).state(after: 1) == 2)
  }

  @Test("The parts of a recording are kept with it, and open as one")
  func keepsParts() throws {
    record(second: 1, partSize: 500)
    let parts = folder.names.count
    #expect(parts > 2)
    record(second: 2)
    #expect(folder.names.count == parts + 1)
    let session = try SessionReader(path: folder(kept("01")))
    #expect(session.steps == 0...20)
    #expect(session.isFinished)
    #expect(try SessionReader(path: folder("cart.retcon")).steps == 0...1)
  }

  @Test("So many are kept as the option says, the newest")
  func keepsSoMany() throws {
    for second in 1...14 { record(second: second) }
    #expect(folder.names == (4...13).map { kept($0 < 10 ? "0\($0)" : "\($0)") } + ["cart.retcon"])
    record(second: 15, keeping: 2)
    #expect(folder.names == [kept("13"), kept("14"), "cart.retcon"])
    record(second: 16, keeping: 0)
    #expect(folder.names == ["cart.retcon"])
  }

  @Test("Sessions of one start time are told apart by a number, and the oldest go first")
  func sameTime() throws {
    for _ in 1...5 { record(second: 1, keeping: 2) }
    #expect(folder.names == [kept("01", "-3"), kept("01", "-4"), "cart.retcon"])
    record(second: 1, keeping: 2)
    #expect(folder.names == [kept("01", "-4"), kept("01", "-5"), "cart.retcon"])
  }

  @Test("What is not such a session is never removed, nor is one that somebody worked on")
  func removesNothingElse() throws {
    record(second: 1)
    try Sidecar(session: folder("cart.retcon")).update { $0.marks.append(Mark(step: 1)) }
    record(second: 2)
    let mine = [
      "cart.2026-11-20T10-56-00.000Z.retcon", "cart.2026-11-20.retcon", "cart.copy.retcon",
      "cart.2026-11-20T10-56-03.000Z.retcon.txt", "cart2.2026-11-20T10-56-00.000Z.retcon",
    ]
    for name in mine { try folder.write("mine", to: name) }
    // A session, but not one that has this name from its start.
    try folder.write(folder.bytes("cart.retcon"), to: kept("00", "-2"))
    try folder.write(folder.bytes("cart.retcon"), to: "cart.before.retcon")
    symlink("cart.before.retcon", folder("cart.2026-11-20T10-55-00.000Z.retcon"))
    let before = Set(folder.names)
    record(second: 3, keeping: 0)
    #expect(Set(folder.names) == before)
    for name in mine { #expect(folder.text(name) == "mine") }
    #expect(folder.names.contains(kept("01")))
  }

  @Test("A session without a start time is kept under the time of its last change")
  func withoutStart() throws {
    try folder.write(#"{"retcon":"1.0","state":0}"# + "\n", to: "cart.retcon")
    var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 5_000), timeval()]
    times[1] = times[0]
    utimes(folder("cart.retcon"), times)
    record()
    #expect(folder.names == ["cart.2001-09-09T01-46-40.005Z.retcon", "cart.retcon"])
    try folder.write(
      #"{"retcon":"1.0","started":"../../x","state":0}"# + "\n", to: "cart.retcon")
    utimes(folder("cart.retcon"), times)
    record()
    #expect(folder.names.contains("cart.2001-09-09T01-46-40.005Z-2.retcon"))
  }

  /// Things at the path, and their descriptions.
  enum Thing: String, CaseIterable, Sendable {
    case text = "a file that is no session (the first line is \"Dear diary\")"
    case empty = "an empty file"
    case link = "a symbolic link"
    case danglingLink = "a symbolic link "
    case pipe = "a named pipe"
    case folder = "a folder"
    case socket = "a socket"

    var words: String { rawValue.hasSuffix(" ") ? String(rawValue.dropLast()) : rawValue }
  }

  @Test(
    "What is no session is left as it is, and the sentence says what it is",
    arguments: Thing.allCases)
  func refuses(thing: Thing) throws {
    let path = folder("cart.retcon")
    switch thing {
    case .text: try folder.write("Dear diary\n", to: "cart.retcon")
    case .empty: try folder.write("", to: "cart.retcon")
    case .link:
      try folder.write(#"{"retcon":"1.0","state":0}"# + "\n", to: "real.retcon")
      symlink("real.retcon", path)
    case .danglingLink: symlink("nowhere", path)
    case .pipe: mkfifo(path, 0o600)
    case .folder: mkdir(path, 0o700)
    case .socket:
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(file) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(file, $0, size) }
      }
    }
    var before = stat()
    lstat(path, &before)
    let names = folder.names
    let told = Told()
    let statistics = record(told: told)
    #expect(statistics.lostSteps == 1)
    #expect(!statistics.isComplete)
    #expect(
      told.all == [
        "$/cart.retcon: nothing is recorded: \(thing.words) has this name, and is left as it is. "
          + "The app is not affected; choose another file."
      ])
    var after = stat()
    lstat(path, &after)
    #expect(after.st_ino == before.st_ino && after.st_mode == before.st_mode)
    #expect(folder.names == names)
    if thing == .text { #expect(folder.text("cart.retcon") == "Dear diary\n") }
  }

  @Test("A device is left as it is")
  func device() throws {
    let told = Told()
    var options = RecordingOptions()
    options.report = { told.add($0.what) }
    let recorder = SessionRecorder<Int, Int>(to: "/dev/null", options: options)
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    #expect(recorder.finish().lostSteps == 1)
    #expect(told.all == ["nothing is recorded: a device has this name, and is left as it is"])
  }
}
