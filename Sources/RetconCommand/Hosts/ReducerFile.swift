import HostProtocol
import Platform

/// The reducer of a Redux app, as `--reducer FILE[#NAME]` names it, and the first state of `--state`.
struct ReducerFile: Sendable {
  /// With the name of the export.
  let words: String
  let state: String?

  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let reducers = arguments.all("reducer")
    state = arguments.value("state")
    guard let words = reducers.first else {
      guard state == nil else {
        throw UsageError(
          what: "--state is the first state of --reducer, and there is none",
          next: "Write --reducer FILE.js --state STATE.json")
      }
      return nil
    }
    guard reducers.count == 1, !arguments.has("host") else {
      throw UsageError(
        what: "a session has one reducer, and more than one is named",
        next: "Leave out all of --reducer and --host but one")
    }
    self.words = words
    let file = FileSystem.exists(words) ? words : String(words.prefix { $0 != "#" })
    for path in [file, state].compactMap(\.self) where !FileSystem.exists(path) {
      throw UsageError(
        what: "there is no file \(path)",
        next: "Write --reducer FILE.js, or FILE.js#NAME for an export of that name")
    }
  }

  /// Runs it in node, by the host that comes with the program.
  func command(
    in workshop: Workshop, _ environment: [String: String]
  ) throws -> HostCommand {
    guard let node = Self.node(in: environment) else {
      throw UsageError(
        what: "--reducer needs node 18 or newer, and there is no node in the PATH",
        next: "Install it from nodejs.org, or name another host by --host")
    }
    let host = try workshop.path(ShippedHost.node.fileName)
    try FileSystem.write(ShippedHost.node.text, to: host)
    return HostCommand(node, [host, words] + (state.map { ["--state", $0] } ?? []))
  }

  private static func node(in environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/node" }
      .first { access($0, X_OK) == 0 }
  }
}
