import Platform

/// The program that expands `@CasePaths` and `@Reducer`. It reads messages from standard input and
/// answers on standard output, until the input ends.
@main
enum StoreMacrosPlugin {
  static func main() {
    while let message = readMessage() { write(PluginAnswer.to(message)) }
  }

  /// Eight bytes of length, lowest first, then JSON.
  private static func readMessage() -> [UInt8]? {
    guard let header = read(count: 8) else { return nil }
    let count = header.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    return count < 1 << 32 ? read(count: Int(count)) : nil
  }

  private static func read(count: Int) -> [UInt8]? {
    WholeTransfer.readAll(from: 0, limit: count).flatMap { $0.count == count ? $0 : nil }
  }

  private static func write(_ body: [UInt8]) {
    let header = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(body.count) >> ($0 * 8)) }
    _ = (header + body).withUnsafeBytes { WholeTransfer.write($0, to: 1) }
  }
}
