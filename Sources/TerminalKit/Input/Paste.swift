/// Text that is being pasted.
struct Paste {
  /// What is pasted beyond this is dropped.
  static let longest = 1 << 20

  private(set) var text = ""
  private var count = 0

  mutating func append(_ value: UInt32) {
    guard count < Self.longest, let scalar = Unicode.Scalar(value) else { return }
    count += 1
    text.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
  }
}
