import HostProtocol
import Platform
import ValueTree

/// A host with its pipes, asked one question at a time.
final class HostPipes {
  /// Why nothing more can be had of it.
  struct End: Error, CustomStringConvertible {
    let description: String

    init(_ words: String) { description = words }
  }

  private let child: pid_t
  private var input: Int32?
  private let output: Int32
  private let isApart: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
  private var splitter: LineSplitter
  private var lines: [[UInt8]] = []
  private var isOver = false

  /// `isApart` starts it in a process group of its own, with nobody who reads its standard error.
  init(
    _ command: HostCommand, isApart: Bool = false, longestLine: Int = HostLimits().message
  ) throws(End) {
    splitter = LineSplitter(limit: longestLine)
    guard let questions = closingPipe(), let answers = closingPipe() else {
      throw End("cannot make a pipe: \(errorText(errno))")
    }
    var start = ChildStart(command.program, command.arguments)
    start.files = [0: .descriptor(questions.read), 1: .descriptor(answers.write)]
    if isApart { start.files[2] = .nothing }
    start.isApart = isApart
    let child = Result { () throws(ChildStart.Failure) in try start.run() }
    close(questions.read)
    close(answers.write)
    self.isApart = isApart
    (input, output) = (questions.write, answers.read)
    self.child = (try? child.get()) ?? 0
    if case .failure(let failure) = child {
      isOver = true
      closeInput()
      close(output)
      throw End("\(failure)")
    }
  }

  deinit {
    end()
    buffer.deallocate()
  }

  func end() {
    guard !isOver else { return }
    kill(isApart ? -child : child, SIGKILL)
    waitForExit()
  }

  @discardableResult
  func waitForExit() -> HostExit {
    isOver = true
    closeInput()
    close(output)
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    return HostExit(waitStatus: status)
  }

  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// A process that does not listen has ended, and its output tells.
  func send(_ lines: String) {
    var lines = lines
    guard let input else { return }
    lines.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: input) }
  }

  /// Nil at the end of its output.
  func nextLine(until deadline: ContinuousClock.Instant?) throws(End) -> [UInt8]? {
    while lines.isEmpty {
      if let deadline {
        var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let rest = max(.zero, deadline - .now) / .milliseconds(1)
        guard retryingInterrupted({ poll(&ready, 1, Int32(rest.rounded(.up))) }) > 0 else {
          throw End("the host did not answer in time")
        }
      }
      let count = retryingInterrupted { read(output, buffer.baseAddress, buffer.count) }
      guard count > 0 else { return nil }
      do throws(LineSplitter.TooLong) {
        try splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
          lines.append(Array($0))
        }
      } catch {
        throw End(
          "the host wrote a line of more than \(splitter.limit >> 20) MB; --message-limit allows longer ones"
        )
      }
    }
    return lines.removeFirst()
  }
}
