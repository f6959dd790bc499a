import Platform

/// Why a connection cannot be had, or has ended.
package struct ConnectionError: Error, CustomStringConvertible, Equatable {
  package var description: String
  /// Whether this side refuses what the other one does.
  package var isRefusal: Bool

  package init(_ words: String, isRefusal: Bool = false) {
    (description, self.isRefusal) = (words, isRefusal)
  }
}

/// A TCP connection. One thread reads; any thread writes.
///
/// `@unchecked Sendable`: the descriptor never changes, and the lock keeps writes whole.
package final class Socket: @unchecked Sendable {
  private let descriptor: Int32
  private let writing = Lock()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
  /// How long a write may wait for the other side to read.
  private let patience: Duration
  private let isHasty = Locked(false)

  init(_ descriptor: Int32, patience: Duration = .seconds(20)) {
    self.descriptor = descriptor
    self.patience = patience
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if !os(Linux)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  package static func connect(
    to host: String, port: UInt16, within timeout: Duration = .seconds(10)
  ) throws(ConnectionError) -> Socket {
    var reason = "there is no such address"
    for address in SocketAddress.all(of: host, port: port) {
      let descriptor = address.makeSocket()
      guard descriptor >= 0 else { continue }
      let socket = Socket(descriptor)
      if address.with({ Platform.connect(descriptor, $0, $1) }) == 0 { return socket }
      var failure = errno
      if failure == EINPROGRESS {
        failure = ETIMEDOUT
        if socket.wait(for: POLLOUT, until: .now + timeout) {
          var size = socklen_t(MemoryLayout<Int32>.size)
          getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
          if failure == 0 { return socket }
        }
      }
      reason = errorText(failure)
    }
    throw ConnectionError("cannot connect to \(host):\(port): \(reason)")
  }

  /// The next bytes, valid until the next call; empty at the end. Nil means that time is up.
  func read(
    until deadline: ContinuousClock.Instant? = nil
  ) throws(ConnectionError) -> UnsafeRawBufferPointer? {
    while true {
      guard wait(for: POLLIN, until: deadline) else { return nil }
      let count = retryingInterrupted {
        Platform.recv(descriptor, buffer.baseAddress, buffer.count, 0)
      }
      if count >= 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      guard errno == EAGAIN else {
        throw ConnectionError("the connection broke: \(errorText(errno))")
      }
    }
  }

  /// Writes everything, while no other thread writes.
  package func write(_ bytes: [UInt8]) throws(ConnectionError) {
    try writing.withLock { () throws(ConnectionError) in
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { all in
          retryingInterrupted {
            send(descriptor, all.baseAddress.map { $0 + written }, all.count - written, Self.flags)
          }
        }
        if count > 0 {
          written += count
        } else if errno != EAGAIN {
          throw ConnectionError("the connection broke: \(errorText(errno))")
        } else if !waitForRoom() {
          throw ConnectionError("the other side does not read")
        }
      }
    }
  }

  /// The other side's address as a number.
  package var peer: String {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
    }
    return isKnown == 0 ? SocketAddress.text(&address, size) : "nowhere"
  }

  /// Whether there is room for more before the patience or the connection ends.
  private func waitForRoom() -> Bool {
    let deadline = ContinuousClock.now + patience
    while !isHasty.withLock({ $0 }), .now < deadline {
      if wait(for: POLLOUT, until: min(deadline, .now + .milliseconds(200))) { return true }
    }
    return false
  }

  /// From now on a write fails instead of waiting for the other side to read.
  func waitsNoMore() { isHasty.withLock { $0 = true } }

  /// Ends the connection in both directions. A thread that reads sees the end.
  package func end() { shutdown(descriptor, 2) }

  private func wait(for events: some BinaryInteger, until deadline: ContinuousClock.Instant?)
    -> Bool
  {
    var ready = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    let rest = deadline.map { Int32(max(0, min(86_400_000, ($0 - .now) / .milliseconds(1)))) }
    return retryingInterrupted { poll(&ready, 1, rest ?? -1) } > 0
  }

  #if os(Linux)
    /// `MSG_NOSIGNAL`, which some C libraries give to Swift as another type.
    private static let flags: Int32 = 0x4000
  #else
    private static let flags: Int32 = 0
  #endif
}

/// An address of the internet, in the form that the system takes.
package struct SocketAddress {
  private let family: Int32
  private let bytes: [UInt8]

  /// All addresses of a name, in the system's order.
  static func all(of host: String, port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
      addresses.append(SocketAddress(family: info.ai_family, bytes: Array(bytes)))
      next = info.ai_next
    }
    return addresses
  }

  static func text(_ address: inout sockaddr_storage, _ size: socklen_t) -> String {
    var name = [CChar](repeating: 0, count: 64)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getnameinfo($0, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
      }
    }
    let text = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return result == 0 ? String(decoding: text, as: UTF8.self) : "nowhere"
  }

  /// Whether a host is an address as a number.
  package static func isNumeric(_ host: String) -> Bool {
    var (four, six) = (in_addr(), in6_addr())
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  func makeSocket() -> Int32 { socket(family, Self.stream, 0) }

  func with<Result>(_ work: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { target in
      target.copyBytes(from: bytes.prefix(target.count))
      return work(
        target.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// `SOCK_STREAM`, which some C libraries give to Swift as another type.
  private static let stream: Int32 = 1
}

/// A port that takes connections.
package final class ListeningSocket: Sendable {
  private let descriptors: [Int32]
  private let wake: (read: Int32, write: Int32)
  package let port: UInt16

  /// Port 0 takes a free one.
  package init(host: String, port: UInt16) throws(ConnectionError) {
    guard let wake = closingPipe() else {
      throw ConnectionError("cannot make a pipe: \(errorText(errno))")
    }
    var (descriptors, chosen, reason) = ([Int32](), port, "there is no such address")
    for address in SocketAddress.all(of: host, port: port) where port != 0 || descriptors.isEmpty {
      let descriptor = address.makeSocket()
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var on: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      guard address.with({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else {
        reason = errorText(errno)
        close(descriptor)
        continue
      }
      descriptors.append(descriptor)
      if port == 0 { chosen = Self.port(of: descriptor) }
    }
    guard !descriptors.isEmpty else {
      close(wake.read)
      close(wake.write)
      throw ConnectionError("cannot listen on \(host):\(port): \(reason)")
    }
    (self.descriptors, self.wake, self.port) = (descriptors, wake, chosen)
  }

  deinit { for descriptor in descriptors + [wake.read, wake.write] { close(descriptor) } }

  /// The next connection; nil when ``end()`` was called.
  package func accept() -> Socket? {
    while true {
      var ready = (descriptors + [wake.read]).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard retryingInterrupted({ poll(&ready, nfds_t(ready.count), -1) }) > 0,
        ready[descriptors.count].revents == 0
      else { return nil }
      for each in ready where each.revents != 0 {
        let descriptor = retryingInterrupted { Platform.accept(each.fd, nil, nil) }
        if descriptor >= 0 { return Socket(descriptor) }
      }
    }
  }

  package func end() { _ = [UInt8(0)].withUnsafeBytes { WholeTransfer.write($0, to: wake.write) } }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    // IPv4 and IPv6 have it at the same place.
    return UInt16(bigEndian: address.sin6_port)
  }
}
