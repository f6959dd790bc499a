import HostProtocol
import Live
import Platform
import Sockets

/// A program that `attach` starts: node, or a browser with a fresh profile.
///
/// `@unchecked Sendable`: everything that changes is behind a lock.
final class LaunchedApp: @unchecked Sendable {
  let pid: pid_t
  private let lock = Lock()
  private let found = ThreadSignal()
  private var place: HTTPConnection.Place?
  private var isSilent = false
  private var exit: HostExit?
  private var last = ""

  /// The sentences of a debugging port among what a program prints.
  private static let ownWords = [
    "Debugger listening on ws://", "DevTools listening on ws://",
    "For help, see: https://nodejs.org",
    "Debugger attached.", "Waiting for the debugger to disconnect...",
  ]

  /// Starts it. `print` gets what it prints to standard error, line by line.
  init(
    _ command: HostCommand, output: ChildStart.File?, print: @escaping @Sendable (String) -> Void
  ) throws {
    var start = ChildStart(command.program, command.arguments)
    start.files[0] = .nothing
    if let output { start.files[1] = output }
    start.isApart = true
    guard let (pid, pipe) = try? start.run(piping: 2) else {
      throw UsageError(
        what: "cannot start \(command.program)", next: "Write a program that is in the PATH")
    }
    self.pid = pid
    EndWatcher.send(.end(pid))
    _ = try SystemThread.start { [self] in
      readErrors(pipe, print)
      close(pipe)
    }
  }

  private func readErrors(_ file: Int32, _ print: (String) -> Void) {
    defer {
      lock.withLock {
        isSilent = true
        found.wakeAll()
      }
    }
    guard let stream = fdopen(dup(file), "r") else {
      return print("its output cannot be read: \(errorText(errno))\n")
    }
    defer { fclose(stream) }
    var (line, size) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer { free(line) }
    while case let count = getline(&line, &size, stream), count > 0, let line {
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      let text = String(decoding: bytes, as: UTF8.self)
      if Self.ownWords.contains(where: text.hasPrefix) {
        let address = text.split(separator: " ").first { $0.hasPrefix("ws://") }
        if let address {
          let place = HTTPConnection.Place(String(address.prefix { !$0.isWhitespace }))
          lock.withLock {
            self.place = place
            found.wakeAll()
          }
        }
      } else {
        lock.withLock { if !text.allSatisfy(\.isWhitespace) { last = text } }
        print(text)
      }
    }
  }

  /// The place of its debugger, which it prints.
  func debugger(within timeout: Duration = .seconds(30)) throws -> HTTPConnection.Place {
    let deadline = ThreadDeadline(in: timeout)
    return try lock.withLock {
      while place == nil, !isSilent, found.wait(in: lock, until: deadline) {}
      guard let place else {
        let words = last.clipped(to: 300)
        throw UsageError(
          what: "the program has opened no debugging port" + (words.isEmpty ? "" : ": \(words)"))
      }
      return place
    }
  }

  /// Waits for its end.
  @discardableResult
  func wait() -> HostExit {
    let known = lock.withLock { exit }
    if let known { return known }
    let result = HostExit(waitStatus: Subprocess.waitStatus(of: pid))
    EndWatcher.send(.spare(pid))
    lock.withLock { exit = result }
    return result
  }

  func kill() {
    guard lock.withLock({ exit == nil }) else { return }
    _ = Platform.kill(-pid, SIGKILL)
    wait()
  }
}

extension LaunchedApp {
  static let nodePrograms = ["node", "nodejs"]

  /// `node app.mjs` with its debugger, before the first line of the app.
  static func node(_ words: [String]) throws -> HostCommand {
    guard let program = words.first,
      nodePrograms.contains(program.split(separator: "/").last.map(String.init) ?? "")
    else {
      throw UsageError(
        what: "attach starts programs of node, and \(words.first ?? "nothing") is another one",
        next: "Write retcon attach -- node app.mjs, or start it yourself and attach to its port")
    }
    return HostCommand(program, ["--inspect-brk=127.0.0.1:0"] + words.dropFirst())
  }

  private static let browsers = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
    "brave-browser", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ]

  /// The browser that is there, or the one that the user names, with a profile of its own.
  static func browser(_ named: String?, profile: String, _ environment: [String: String]) throws
    -> HostCommand
  {
    var command = try named.map { try HostCommand(option: $0, from: "--browser") }
    if command == nil {
      command = Subprocess.path(of: browsers, in: environment).map { HostCommand($0) }
    }
    guard var command else {
      throw UsageError(
        what: "no Chromium, Chrome, Edge or Brave is in the PATH",
        next: "Name one by --browser '/path/to/chrome'")
    }
    command.arguments += [
      "--remote-debugging-port=0", "--user-data-dir=\(profile)", "--no-first-run",
      "--no-default-browser-check", "about:blank",
    ]
    return command
  }
}
