/// What a process wrote to standard error before it died, read for the person who has to mend it.
struct CrashText {
  /// The line that says why: a trap's message, else the last one.
  let cause: String?
  /// Whether there is a trap's message.
  let isTrap: Bool
  /// The user's own function, file and line, where there is a backtrace with debug information.
  let userFrame: String?

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let frames = lines.compactMap(CrashFrame.init)
    userFrame = frames.first { $0.isUsers }?.text
    let trap = lines.last { $0.contains("Fatal error:") || $0.contains("Error:") }
    isTrap = trap != nil
    // The runtime says so where it cannot write a backtrace.
    let plain = lines.last { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("swift runtime: ") }
    let isBacktrace = !frames.isEmpty || text.contains("*** ")
    guard let line = trap ?? (isBacktrace ? nil : plain) else {
      cause = userFrame
      return
    }
    guard let userFrame else {
      cause = line
      return
    }
    // `Swift/Array.swift:1350: Fatal error: …` names the library's line, and the frame the user's.
    let words = line.range(of: "Fatal error:").map { line[$0.lowerBound...] } ?? line[...]
    cause = "\(words), \(userFrame)"
  }
}

/// A line of a backtrace of the Swift runtime: `3 [ra] 0x… Cart.reduce(…) + 12 in App at /src/Cart.swift:12:9`
struct CrashFrame {
  var function: String
  var file: String
  var line: String

  init?(_ text: String) {
    let start = text.drop { $0 == " " }
    guard let first = start.first, first.isNumber, let at = text.range(ofLast: " at "),
      let hex = text.range(of: " 0x")
    else { return nil }
    var place = text[at.upperBound...].split(separator: ":")
    guard place.count >= 2, place.last?.allSatisfy(\.isNumber) == true else { return nil }
    // `file:line:column`, where the column may be missing.
    if place.count >= 3, place[place.count - 2].allSatisfy(\.isNumber) { place.removeLast() }
    line = String(place.removeLast())
    file = place.joined(separator: ":")
    guard hex.upperBound < at.lowerBound else { return nil }
    var words = text[hex.upperBound..<at.lowerBound].drop { $0 != " " }.dropFirst()
    if let image = words.range(ofLast: " in ") { words = words[..<image.lowerBound] }
    if let offset = words.range(ofLast: " + ") { words = words[..<offset.lowerBound] }
    // The types of the arguments help nobody here.
    function = String(words.prefix { $0 != "(" && $0 != "<" })
  }

  /// Neither the standard library nor what Retcon puts around a reducer.
  var isUsers: Bool {
    guard file.hasPrefix("/"), !file.contains("/<compiler-generated>") else { return false }
    let foreign = [
      "/Sources/ReducerHost/", "/Sources/Replay/", "/Sources/StoreCore/", "/Sources/SessionWords/",
      "/Sources/SessionFile/", "/Sources/Recorder/", "/Sources/SessionImports/",
      "/Sources/ValueTree/", "/Sources/StoreRecording/", "/Sources/Platform/", "/swift/stdlib/",
      "/usr/", "/home/build-user/", "/Library/Developer/",
    ]
    return !foreign.contains { file.contains($0) }
  }

  /// `in Cart.reduce, Cart.swift:12`
  var text: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return function.isEmpty ? "at \(name):\(line)" : "in \(function), \(name):\(line)"
  }
}

extension StringProtocol {
  fileprivate func range(of words: String) -> Range<Index>? { ranges(of: words).first }
  fileprivate func range(ofLast words: String) -> Range<Index>? { ranges(of: words).last }
}
