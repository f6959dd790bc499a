import Live
import Platform
import Sockets
import TextCanvas

/// The app that the words of `attach` name.
enum AttachTarget {
  case page(DevToolsTarget)
  case command([String])

  init(_ words: [String]) throws {
    let word = words[0]
    if word.hasPrefix("ws://"), let place = HTTPConnection.Place(word) {
      self = .page(DevToolsTarget(kind: "page", title: "", address: "", socket: place))
    } else if word.hasPrefix("http://") || word.hasPrefix("https://") {
      self = .page(try Self.page(at: word))
    } else if let number = Int(word) {
      self = .page(try Self.page(number))
    } else {
      self = .command(words)
      return
    }
    guard words.count == 1 else {
      throw UsageError(
        what: "attach takes one place, and there is also \(words[1])",
        next: "Write a program behind --, as in retcon attach -- node app.mjs")
    }
  }

  /// All targets at the usual ports.
  static func listed() -> [(port: UInt16, target: DevToolsTarget)] {
    DevToolsTarget.usualPorts.flatMap { port in
      let targets = try? DevToolsTarget.all(at: "127.0.0.1", port: port, within: .seconds(1))
      return (targets ?? []).map { (port, $0) }
    }
  }

  private static func page(at address: String) throws -> DevToolsTarget {
    let all = listed().map(\.target).filter { $0.address.hasPrefix(address) }
    if !all.isEmpty { return try only(all) }
    // It may be the debugging port itself, also of another machine.
    guard let place = HTTPConnection.Place(address), place.path == "/",
      let targets = try? DevToolsTarget.all(at: place.host, port: place.port)
    else {
      throw UsageError(
        what: "no page of a debugging port shows \(address)",
        next: "Write retcon attach --launch \(address), or retcon attach to see what is there")
    }
    return try only(targets)
  }

  private static func page(_ number: Int) throws -> DevToolsTarget {
    if let port = UInt16(exactly: number), port > 0,
      let targets = try? DevToolsTarget.all(at: "127.0.0.1", port: port)
    {
      return try only(targets)
    }
    guard let pid = pid_t(exactly: number), pid > 1, !hasEnded(pid) else {
      throw UsageError(
        what: "\(number) is neither a debugging port nor a process",
        next:
          "Start Chromium with --remote-debugging-port=9222 --user-data-dir=FOLDER, or node with "
          + "--inspect")
    }
    return try ofNode(pid)
  }

  /// Opens the debugger of a node that runs, by the signal that node has for it. Any other program would die
  /// of the signal.
  private static func ofNode(_ pid: pid_t) throws -> DevToolsTarget {
    let listed = try? Subprocess.output(
      of: ["ps", "-o", "comm=", "-p", "\(pid)"], in: "/", showsErrors: false)
    let program = (try? FileSystem.text(of: "/proc/\(pid)/comm")) ?? listed?.text ?? ""
    let name = program.split(whereSeparator: { $0 == "/" || $0.isWhitespace }).last ?? ""
    guard LaunchedApp.nodePrograms.contains(String(name)) else {
      throw UsageError(
        what: "process \(pid) is \(SafeText.line(name.isEmpty ? "unknown" : name)), and not node",
        next: "Attach to its debugging port")
    }
    guard (try? DevToolsTarget.all(at: "127.0.0.1", port: 9229)) == nil else {
      throw UsageError(
        what: "another node uses port 9229 already", next: "Write retcon attach 9229")
    }
    guard kill(pid, SIGUSR1) == 0 else {
      throw UsageError(what: "cannot signal process \(pid): \(errorText(errno))")
    }
    let deadline = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < deadline {
      if let targets = try? DevToolsTarget.all(at: "127.0.0.1", port: 9229) {
        return try only(targets)
      }
      poll(nil, 0, 50)
    }
    throw UsageError(what: "process \(pid) opens no debugging port")
  }

  static func only(_ targets: [DevToolsTarget]) throws -> DevToolsTarget {
    let pages = targets.filter { ["page", "node"].contains($0.kind) }
    guard let first = pages.first else {
      throw UsageError(what: "the debugging port lists no page")
    }
    guard pages.count == 1 else {
      let addresses = pages.prefix(6).map { page in
        (page.address.isEmpty ? page.title : page.address).clipped(to: 500)
      }
      throw UsageError(
        what: "there are \(pages.count) pages: " + addresses.joined(separator: ", "),
        next: "Name one by its address")
    }
    return first
  }
}
