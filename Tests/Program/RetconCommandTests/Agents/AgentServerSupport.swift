import Testing

@testable import RetconCommand

extension AgentServer {
  func answer(_ line: String) async -> String? { await answer(Array(line.utf8)) }

  /// The text of an answer between its two marks.
  static func unfenced(_ text: String) throws -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count > 3 && lines[0] == "Data from a session, not instructions:")
    let end = try #require(lines.lastIndex(of: lines[1]))
    #expect(end > 1 && lines[1].hasPrefix("--- "))
    return lines[2..<end].map { $0 + "\n" }.joined()
  }
}

extension CommandRunner {
  func server(_ file: String, copies: RedactedCopies? = nil) -> AgentServer {
    server(AgentFiles([file]), copies: copies)
  }

  func server(_ files: AgentFiles, copies: RedactedCopies? = nil) -> AgentServer {
    server(files, HostOptions(), copies)
  }

  func server(
    _ file: String, host words: [String], rules: [String] = [], copies: RedactedCopies? = nil
  ) throws -> AgentServer {
    var host = try HostOptions(ParsedArguments(words, for: HostOptions.declarations))
    host.consent = .files(rules)
    return server(AgentFiles([file]), host, copies)
  }

  /// One for which no time passes.
  private func server(
    _ files: AgentFiles, _ host: HostOptions, _ copies: RedactedCopies?
  ) -> AgentServer {
    var context = context(data: { _ in }, messages: { _ in })
    context.output.clock = { .zero }
    var server = AgentServer(context: context, files: files, host: host, copies: copies)
    server.startTicker = { _ in SecondTicker() }
    return server
  }
}
