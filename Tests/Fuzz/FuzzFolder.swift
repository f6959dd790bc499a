import Glibc

/// A folder in memory for the files of one fuzzer: a disk would make it ten times slower.
struct FuzzFolder {
  private let path: String

  init() {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(base)/retcon-fuzz-\(getpid())"
    mkdir(path, 0o700)
    // Where what is converted is written, and sidecars that do not fit beside their session.
    setenv("TMPDIR", path, 1)
    setenv("XDG_STATE_HOME", path + "/state", 1)
  }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file anew, or more of it.
  func write(_ bytes: some Collection<UInt8>, to name: String, appending: Bool = false) {
    let flags = O_WRONLY | O_CREAT | (appending ? O_APPEND : O_TRUNC)
    let file = open(self(name), flags, 0o600)
    precondition(file >= 0, "\(self(name)) cannot be written")
    let bytes = Array(bytes)
    precondition(Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
  }
}

/// Numbers that depend on the input alone, so that a finding happens again.
struct InputNumbers {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ bytes: some Collection<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next(in range: ClosedRange<Int>) -> Int {
    state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
    return range.lowerBound + Int((state >> 33) % UInt64(range.count))
  }
}

/// Ends the run with a sentence: an optimised `precondition` says nothing.
func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  guard !holds else { return }
  let words = Array("FOUND: \(sentence())\n".utf8)
  _ = Glibc.write(2, words, words.count)
  abort()
}
