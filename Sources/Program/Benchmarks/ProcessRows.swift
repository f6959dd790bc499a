import Platform

/// The cost of starting the process, compared with a static program that prints one line.
enum ProcessRows {
  static let topic = Topic(name: "Process") { _ in
    let retcon = try builtProgram("retcon")
    let hello = try staticHello()
    return [
      Row(
        "start of the process (--version)", bar: .ratioAtMost(2.5),
        .process([retcon, "--version"]),
        against: .process([hello], "static hello world"), samples: 41),
      Row(
        "size of the program", bar: .atMost(30e6),
        .measured(unit: .bytes) { Double(try fileSize(retcon)) }, samples: 1),
    ]
  }

  static func builtProgram(_ name: String) throws -> String {
    let path = besideThisProgram(name)
    guard access(path, X_OK) == 0 else {
      throw OptionError(text: "\(path) is not built; run `make build` first")
    }
    return path
  }

  static func besideThisProgram(_ name: String) -> String {
    let own = CommandLine.arguments[0]
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return (folder + [Substring(name)]).joined(separator: "/")
  }

  /// Compiles the baseline in the same run, with the same compiler and library.
  private static func staticHello() throws -> String {
    let source = besideThisProgram("baseline-hello.swift")
    let program = besideThisProgram("baseline-hello")
    try BenchFile(source).write("print(\"hello\")\n".utf8)
    var flags = ["-O"]
    #if os(Linux)
      flags += ["-static-stdlib", "-use-ld=lld"]
    #endif
    let built = try ChildProcess.run(["swiftc"] + flags + [source, "-o", program])
    unlink(source)
    guard built.status == 0 else { throw OptionError(text: "cannot compile \(source)") }
    return program
  }

  static func fileSize(_ path: String) throws -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw OptionError(text: "cannot look at \(path)") }
    return Int(status.st_size)
  }
}
