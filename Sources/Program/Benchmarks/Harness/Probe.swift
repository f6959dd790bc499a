import Platform

/// A measurement in a fresh process: the program starts itself again and reads the figures.
struct Probe: Sendable {
  static let option = "--probe"

  let name: String
  let measure: @Sendable ([String]) async throws -> [Double]

  static let all = [
    MemoryRows.opening, MemoryRows.forking, MemoryRows.peaking, ForkSearchRows.minimising,
    TightLoop.sending,
  ]

  func run(_ arguments: [String]) throws -> [Double] {
    let folder = try BenchFolder()
    let path = folder("figures")
    let child = try ChildProcess.run(
      [CommandLine.arguments[0], Self.option, name, path] + arguments)
    guard child.status == 0 else {
      throw OptionError(text: "the probe \(name) failed with status \(child.status)")
    }
    return try BenchFile.text(of: path).split(separator: "\n").map { text in
      guard let figure = Double(text) else {
        throw OptionError(text: "the probe \(name) gave no figure: \(text)")
      }
      return figure
    }
  }

  /// The child's side: `arguments` are the probe's name, the file for the figures, and its own.
  static func serve(_ arguments: [String]) async -> Never {
    do {
      guard arguments.count >= 2, let probe = all.first(where: { $0.name == arguments[0] }) else {
        throw OptionError(text: "there is no such probe")
      }
      let figures = try await probe.measure(Array(arguments.dropFirst(2)))
      let text = figures.map { "\($0)\n" }.joined()
      try BenchFile(arguments[1]).write(text.utf8)
      exit(0)
    } catch {
      let text = Array("bench: \(error)\n".utf8)
      _ = write(2, text, text.count)
      exit(2)
    }
  }
}
