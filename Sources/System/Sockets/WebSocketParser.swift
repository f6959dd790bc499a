/// A message or a control frame of a WebSocket.
package enum WebSocketMessage: Equatable, Sendable {
  /// UTF-8.
  case text([UInt8])
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(code: Int?, reason: String)

  var size: Int {
    switch self {
    case .text(let bytes), .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count + 64
    case .close: 0
    }
  }
}

/// A break of RFC 6455, with the code that the other side gets.
package struct WebSocketFault: Error, Equatable {
  package var code: Int
  package var what: String

  static func protocolError(_ what: String) -> WebSocketFault {
    WebSocketFault(code: 1002, what: what)
  }
}

/// Reads the frames of RFC 6455 from pieces of any size. It is strict: no extensions, shortest
/// lengths, masks only from clients.
package struct WebSocketParser: Sendable {
  package enum Side: Sendable { case client, server }

  private let side: Side
  private let limit: Int
  private var head: [UInt8] = []
  private var frame: Frame?
  /// The finished frames of a message in fragments.
  private var message: (opcode: UInt8, payload: [UInt8])?
  private var isClosed = false

  private struct Frame {
    var isFinal: Bool
    var opcode: UInt8
    var length: Int
    var mask: [UInt8]
    var payload: [UInt8] = []
    var isControl: Bool { opcode & 8 != 0 }
  }

  /// `side` is the one that reads. A longer message is a fault.
  package init(_ side: Side, limit: Int = 128 << 20) {
    self.side = side
    self.limit = limit
  }

  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ hear: (WebSocketMessage) -> Void
  ) throws(WebSocketFault) {
    var rest = bytes[...]
    while !isClosed {
      var current: Frame
      if let known = frame {
        // The array moves out of the property, so it grows in place.
        (current, frame) = (known, nil)
      } else {
        guard let byte = rest.popFirst() else { return }
        head.append(byte)
        guard head.count == headSize else { continue }
        current = try readHead()
        head.removeAll(keepingCapacity: true)
      }
      let part = rest.prefix(current.length - current.payload.count)
      rest = rest.dropFirst(part.count)
      append(part, to: &current)
      guard current.payload.count == current.length else {
        frame = current
        return
      }
      if let heard = try finish(current) { hear(heard) }
    }
  }

  /// The bytes of a message that has not ended.
  var held: Int { (frame?.payload.count ?? 0) + (message?.payload.count ?? 0) }

  private var headSize: Int {
    guard head.count > 1 else { return 2 }
    let mask = head[1] & 0x80 != 0 ? 4 : 0
    switch head[1] & 0x7F {
    case 126: return 4 + mask
    case 127: return 10 + mask
    default: return 2 + mask
    }
  }

  private func readHead() throws(WebSocketFault) -> Frame {
    let opcode = head[0] & 0x0F
    guard head[0] & 0x70 == 0 else { throw .protocolError("a reserved bit is set") }
    guard [0, 1, 2, 8, 9, 10].contains(opcode) else {
      throw .protocolError("opcode \(opcode) is unknown")
    }
    let isMasked = head[1] & 0x80 != 0
    guard isMasked == (side == .server) else {
      throw .protocolError(isMasked ? "the server masks a frame" : "the client masks no frame")
    }
    var length = UInt64(head[1] & 0x7F)
    if length > 125 {
      let isShort = length == 126
      length = head[2..<(isShort ? 4 : 10)].reduce(0) { $0 << 8 | UInt64($1) }
      guard length > (isShort ? 125 : 0xFFFF), length >> 63 == 0 else {
        throw .protocolError("the length of a frame has too many bytes")
      }
    }
    let frame = Frame(
      isFinal: head[0] & 0x80 != 0, opcode: opcode, length: Int(length),
      mask: isMasked ? Array(head.suffix(4)) : [])
    if frame.isControl {
      guard frame.isFinal else { throw .protocolError("a control frame is in fragments") }
      guard length < 126 else { throw .protocolError("a control frame is too long") }
    } else {
      guard (opcode == 0) == (message != nil) else {
        throw .protocolError(
          opcode == 0 ? "a fragment continues nothing" : "a message begins inside another")
      }
      guard frame.length <= limit - (message?.payload.count ?? 0) else {
        throw WebSocketFault(code: 1009, what: "a message has more than \(limit) bytes")
      }
    }
    return frame
  }

  private func append(_ part: Slice<UnsafeRawBufferPointer>, to frame: inout Frame) {
    var index = frame.payload.count
    frame.payload += part
    guard !frame.mask.isEmpty else { return }
    let mask = frame.mask
    frame.payload.withUnsafeMutableBufferPointer { payload in
      while index < payload.count {
        payload[index] ^= mask[index & 3]
        index += 1
      }
    }
  }

  private mutating func finish(_ frame: Frame) throws(WebSocketFault) -> WebSocketMessage? {
    switch frame.opcode {
    case 8: return try close(frame.payload)
    case 9: return .ping(frame.payload)
    case 10: return .pong(frame.payload)
    default: break
    }
    var whole = (opcode: frame.opcode, payload: frame.payload)
    if var begun = message {
      message = nil
      begun.payload += frame.payload
      whole = begun
    }
    guard frame.isFinal else {
      message = whole
      return nil
    }
    guard whole.opcode == 1 else { return .binary(whole.payload) }
    guard Self.isUTF8(whole.payload) else {
      throw WebSocketFault(code: 1007, what: "a text is not UTF-8")
    }
    return .text(whole.payload)
  }

  private mutating func close(_ payload: [UInt8]) throws(WebSocketFault) -> WebSocketMessage {
    isClosed = true
    guard !payload.isEmpty else { return .close(code: nil, reason: "") }
    guard payload.count > 1 else { throw .protocolError("a close frame has half a code") }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard
      (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
    else { throw .protocolError("\(code) is no code to close with") }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      throw WebSocketFault(code: 1007, what: "the reason to close is not UTF-8")
    }
    return .close(code: code, reason: reason)
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

/// Writes one frame; a client masks it.
package enum WebSocketFrame {
  package static func bytes(_ message: WebSocketMessage, mask: [UInt8]? = nil) -> [UInt8] {
    let (opcode, payload): (UInt8, [UInt8]) =
      switch message {
      case .text(let bytes): (1, bytes)
      case .binary(let bytes): (2, bytes)
      case .ping(let bytes): (9, Array(bytes.prefix(125)))
      case .pong(let bytes): (10, Array(bytes.prefix(125)))
      case .close(let code, let reason):
        (8, code.map { [UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] + reason.utf8.prefix(123) } ?? [])
      }
    let isMasked: UInt8 = mask == nil ? 0 : 0x80
    var frame: [UInt8] = [0x80 | opcode]
    frame.reserveCapacity(payload.count + 14)
    let length = payload.count
    switch length {
    case ...125: frame.append(isMasked | UInt8(length))
    case ...0xFFFF: frame += [isMasked | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default:
      frame.append(isMasked | 127)
      frame += (0..<8).map { UInt8(length >> (56 - 8 * $0) & 0xFF) }
    }
    guard let mask else { return frame + payload }
    frame += mask
    for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index & 3]) }
    return frame
  }
}
