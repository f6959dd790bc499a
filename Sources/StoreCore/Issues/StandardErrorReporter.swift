#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension IssueReporter {
  /// Writes one line for each issue to standard error.
  public static let standardError = IssueReporter { issue in
    let place = issue.place.map { "\($0): " } ?? ""
    StandardError.write("\(place)\(issue.message)\n")
  }
}

enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, rest.count > 0 {
        #if canImport(Darwin)
          let count = Darwin.write(2, start, rest.count)
        #elseif canImport(Musl)
          let count = Musl.write(2, start, rest.count)
        #else
          let count = Glibc.write(2, start, rest.count)
        #endif
        if count <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }
}
