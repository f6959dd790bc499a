import Sockets

/// The texts of a page, which come in pieces: `+` and `.` say whether another one follows. All pieces that wait
/// for their end take memory of one budget.
struct PagePieces {
  private var begun: [String: (pieces: [String], size: Int)] = [:]
  private var size = 0
  private let most: Int

  init(most: Int = 128 << 20) { self.most = most }

  /// Adds a piece of one context, and returns the text that it ends. A context whose pieces are refused
  /// starts anew.
  mutating func add(_ payload: String, from context: String) throws(ConnectionError) -> String? {
    let isLast = !payload.hasPrefix("+")
    let before = begun.removeValue(forKey: context)
    size -= before?.size ?? 0
    let all = (before?.size ?? 0) + payload.utf8.count + 64
    guard size + all <= most, isLast || begun.count < 256 else {
      throw ConnectionError("the page sent more than \(most >> 20) MB at once", isRefusal: true)
    }
    let part = String(payload.dropFirst())
    if isLast { return before.map { $0.pieces.joined() + part } ?? part }
    begun[context] = ((before?.pieces ?? []) + [part], all)
    size += all
    return nil
  }
}
