import Platform

/// Something that is measured in a fresh process: the bench program starts itself again and reads the
/// figures that come back.
struct Probe: Sendable {
  static let option = "--probe"

  let name: String
  let measure: @Sendable ([String]) async throws -> [Double]

  static let all = [MemoryRows.opening, MemoryRows.forking, ForkSearchRows.minimising]

  /// The figures, in the order in which the probe gives them.
  func run(_ arguments: [String]) throws -> [Double] {
    let folder = try BenchFolder()
    let path = folder("figures")
    let child = try ChildProcess.run(
      [CommandLine.arguments[0], Self.option, name, path] + arguments)
    guard child.status == 0, let file = fopen(path, "r") else {
      throw OptionError(text: "the probe \(name) failed with status \(child.status)")
    }
    defer { fclose(file) }
    var figures: [Double] = []
    var line = [CChar](repeating: 0, count: 128)
    while fgets(&line, 128, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard let figure = Double(text.filter { !$0.isWhitespace }) else {
        throw OptionError(text: "the probe \(name) gave no figure: \(text)")
      }
      figures.append(figure)
    }
    return figures
  }

  /// The other side: `arguments` are the probe's name, the file for the figures, and its own.
  static func serve(_ arguments: [String]) async -> Never {
    do {
      guard arguments.count >= 2, let probe = all.first(where: { $0.name == arguments[0] }),
        let file = fopen(arguments[1], "w")
      else { throw OptionError(text: "there is no such probe") }
      let figures = try await probe.measure(Array(arguments.dropFirst(2)))
      fputs(figures.map { "\($0)" }.joined(separator: "\n") + "\n", file)
      fclose(file)
      exit(0)
    } catch {
      let text = Array("bench: \(error)\n".utf8)
      _ = write(2, text, text.count)
      exit(2)
    }
  }
}
