import HostProtocol
import Platform
import Replay
import StoreCore
import ValueTree

/// Serves a reducer to a debugger over standard input and output.
///
/// A complete host executable:
///
/// ```swift
/// import AppFeature
/// import ReducerHost
///
/// @main struct AppHost {
///   static func main() { ReducerHost.serve(AppFeature()) }
/// }
/// ```
///
/// The reducer's prints go to standard error, so they cannot disturb the protocol.
public enum ReducerHost {
  /// Serves until the debugger has gone or asks for the end.
  ///
  /// Put the dependencies on tape that the app puts on tape; the built-in ones are on tape already.
  /// `upgrade` converts values that an older version recorded.
  public static func serve<State: Codable & Sendable, Action: Codable & Sendable>(
    _ reducer: some Reducer<State, Action>, name: String? = nil, upgrade: SessionUpgrade? = nil,
    withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) {
    serve(
      ReplaySetup(reducer, upgrade: upgrade, withDependencies: change), name: name,
      runsLive: !(reducer is any ForeignReducer))
  }

  /// Serves a setup, also for reducers of another architecture.
  ///
  /// Set `seesEffects` to false if the reducer's effects cannot be seen to start, end and be
  /// cancelled: then every emission after an edit is assumed. Set `runsLive` to false if their
  /// bodies cannot run: then live requests are refused.
  public static func serve<State: Codable & Sendable, Action: Codable & Sendable>(
    _ setup: ReplaySetup<State, Action>, name: String? = nil, seesEffects: Bool = true,
    runsLive: Bool = true
  ) {
    var greeting = HostGreeting(of: setup, name: name)
    greeting.seesEffects = seesEffects
    greeting.runsLive = runsLive
    serve(setup, greeting, over: movedStreams())
  }

  static func serve(
    _ setup: any RunSetup, _ greeting: HostGreeting, over streams: HostStreams
  ) {
    let writer = HostWriter(output: streams.output)
    CrashReporter.listen(output: streams.output, writer: writer)
    let queue = RequestQueue()
    _ = try? SystemThread.start(stackSize: CrashReporter.stackSize) {
      CrashReporter.useOwnStack()
      var worker = HostWorker(
        setup: setup, greeting: greeting, queue: queue, page: CrashReporter.page, say: writer.say)
      worker.run()
    }
    read(from: streams.input, into: queue, writer)
    CrashReporter.page.set(request: 0)
    queue.close()
  }

  private static func read(from input: Int32, into queue: RequestQueue, _ writer: HostWriter) {
    var splitter = LineSplitter(limit: 1 << 28)
    var isOver = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while !isOver {
        let count = retryingInterrupted { Platform.read(input, buffer.baseAddress, buffer.count) }
        guard count > 0 else { return }
        do throws(LineSplitter.TooLong) {
          try splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
            isOver = isOver || !queueRequest(line, queue, writer)
          }
        } catch {
          return
        }
      }
    }
  }

  private static func queueRequest(
    _ line: UnsafeRawBufferPointer, _ queue: RequestQueue, _ writer: HostWriter
  ) -> Bool {
    var id = 0
    do {
      let value = try Value(parsing: line)
      if case .number(.integer(let number))? = value["id"] { id = Int(number) }
      let request = try HostRequest(value)
      switch request.ask {
      case .quit: return false
      case .whereabouts:
        let isBusy = CrashReporter.page.request > 0
        let step = CrashReporter.page.step
        writer.say(
          request.id, .answer(.whereabouts(step: isBusy && step > 0 ? step : nil)))
      default: queue.receive(request)
      }
    } catch {
      writer.say(id, .refusal(HostRefusal(.unknownRequest, "\(error)")))
    }
    return true
  }
}

extension HostGreeting {
  init(of setup: any RunSetup, name: String?) {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    self.init(
      name: name ?? program ?? "host", stateType: String(reflecting: setup.stateType),
      actionType: String(reflecting: setup.actionType))
    checks = true
  }
}
