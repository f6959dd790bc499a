import Platform
import SessionLog
import ValueTree

/// The talk with one host process, from its start to its end.
///
/// A thread of its own waits for whatever comes first: a message, last words, a request to write,
/// or the end of patience. Nobody else waits for the host.
final class HostTalk: Sendable {
  typealias Listener = @Sendable (HostNews) -> Void

  struct Pending: Sendable {
    var continuation: CheckedContinuation<Result<HostAnswer, HostFailure>, Never>
    var listener: Listener
  }

  struct State: Sendable {
    var outgoing: [UInt8] = []
    var pending: [Int: Pending] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
    var end: HostFailure?
    var isQuitting = false
  }

  let process: HostProcess
  let state = Locked(State())
  /// Written to when there is something to send.
  private let wake: (read: Int32, write: Int32)

  init(
    _ command: HostCommand, patience: Duration, lineLimit: Int
  ) throws(HostFailure) {
    guard let wake = closingPipe() else {
      throw .couldNotStart(command, reason: errorText(errno))
    }
    self.wake = wake
    for end in [wake.read, wake.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    do throws(HostFailure) {
      process = try HostProcess(command)
    } catch {
      close(wake.read)
      close(wake.write)
      throw error
    }
    let watch = HostWatch(
      talk: self, wake: wake.read, patience: patience, lineLimit: lineLimit)
    do throws(SystemThread.StartError) {
      _ = try SystemThread.start(stackSize: 16 << 20) { watch.run() }
    } catch {
      process.kill()
      _ = process.waitForExit()
      process.closePipes()
      close(wake.read)
      close(wake.write)
      throw .couldNotStart(command, reason: errorText(error.number))
    }
  }

  var isOver: Bool { state.withLock { $0.end != nil } }

  /// Nil as long as it lives.
  var end: HostFailure? { state.withLock { $0.end } }

  func ask(
    _ ask: HostRequest.Ask, listener: @escaping Listener = { _ in }
  ) async throws(HostFailure) -> HostAnswer {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state -> HostFailure? in
          if let end = state.end { return end }
          if state.cancelled.remove(id) != nil { return .cancelled }
          state.pending[id] = Pending(continuation: continuation, listener: listener)
          state.outgoing += HostRequest(id: id, ask: ask).value.bytes() + [10]
          poke()
          return nil
        }
        if let end { continuation.resume(returning: .failure(end)) }
      }
    } onCancel: {
      state.withLock { state in
        guard state.end == nil else { return }
        if state.pending[id] == nil {
          state.cancelled.insert(id)
        } else {
          state.outgoing += HostRequest(id: 0, ask: .cancel(request: id)).value.bytes() + [10]
          poke()
        }
      }
    }
    return try result.get()
  }

  /// Writes a request that nobody waits for.
  func tell(_ ask: HostRequest.Ask) {
    state.withLock { state in
      guard state.end == nil else { return }
      if ask == .quit { state.isQuitting = true }
      state.outgoing += HostRequest(id: 0, ask: ask).value.bytes() + [10]
      poke()
    }
  }

  /// Ends the process without asking it.
  func kill() {
    state.withLock { state in
      if state.end == nil { process.kill() }
    }
  }

  func finish(_ failure: HostFailure) {
    let pending = state.withLock { state in
      state.end = failure
      defer { state.pending = [:] }
      close(wake.read)
      close(wake.write)
      return Array(state.pending.values)
    }
    for pending in pending { pending.continuation.resume(returning: .failure(failure)) }
  }

  private func poke() {
    var byte: UInt8 = 0
    _ = write(wake.write, &byte, 1)
  }
}
