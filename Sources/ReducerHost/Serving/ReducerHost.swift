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
    serve(setup, greeting, over: HostStreams.moved())
  }

  package static func serve(
    _ setup: any RunSetup, _ greeting: HostGreeting, over streams: HostStreams
  ) {
    let writer = HostWriter(output: streams.output)
    CrashReporter.listen(output: streams.output, writer: writer)
    let queue = RequestQueue()
    _ = try? SystemThread.start(stackSize: CrashReporter.stackSize) {
      CrashReporter.useOwnStack()
      var worker = HostWorker(setup: setup, greeting: greeting, writer: writer, queue: queue)
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
    let value: Value
    do {
      value = try Value(parsing: line)
    } catch {
      writer.say(0, .refusal(HostRefusal(.unknownRequest, "\(error)")))
      return true
    }
    do {
      let request = try HostRequest(value)
      switch request.ask {
      case .quit: return false
      case .cancel(let id): queue.cancel(id)
      case .whereabouts:
        let isBusy = CrashReporter.page.request > 0
        let step = CrashReporter.page.step
        writer.say(
          request.id, .answer(.whereabouts(step: isBusy && step > 0 ? step : nil)))
      default: queue.push(request)
      }
    } catch {
      var id = 0
      if case .number(.integer(let number))? = value["id"] { id = Int(number) }
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

/// Requests between the reading thread and the working one.
///
/// `@unchecked Sendable`: the lock guards everything.
final class RequestQueue: @unchecked Sendable {
  private let lock = Lock()
  private let filled = ThreadSignal()
  private var requests: [HostRequest] = []
  private var cancelled: Set<Int> = []
  private var isClosed = false

  func push(_ request: HostRequest) {
    locked {
      requests.append(request)
      filled.wakeOne()
    }
  }

  func close() {
    locked {
      isClosed = true
      filled.wakeOne()
    }
  }

  func cancel(_ id: Int) { locked { _ = cancelled.insert(id) } }

  func isCancelled(_ id: Int) -> Bool { locked { isClosed || cancelled.contains(id) } }

  var isIdle: Bool { locked { requests.isEmpty && !isClosed } }

  func next() -> HostRequest? {
    locked {
      while requests.isEmpty, !isClosed { filled.wait(in: lock) }
      return isClosed ? nil : requests.removeFirst()
    }
  }

  private func locked<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }
}
