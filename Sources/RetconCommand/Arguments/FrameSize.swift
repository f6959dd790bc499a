import TextCanvas

extension Size {
  /// `80x24`, as it is written on a command line.
  init(argument text: String) throws(UsageError) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...2_000).contains(width), (1...2_000).contains(height)
    else {
      throw UsageError(
        what: "\(text) is no size of a frame", next: "Write WIDTHxHEIGHT, for example 80x24")
    }
    self.init(width: width, height: height)
  }
}
