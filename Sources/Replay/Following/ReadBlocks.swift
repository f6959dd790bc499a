import Platform

/// What has been read last of one source, so that two who go through it side by side read each line once; and
/// what comes next, which a thread of its own reads meanwhile.
final class ReadBlocks: Sendable {
  private struct Known {
    var blocks: [Block] = []
    var ahead: BlockAhead?
  }

  private let known = Locked(Known())
  private static var count: Int { 2 }
  private static let threads = WorkThreads()

  func slots(
    of source: any ReplaySource, _ numbers: ClosedRange<Int>, _ told: inout Int?
  ) throws -> [SourceSlot] {
    let before = told
    let (block, ahead) = known.withLock { known in
      (
        known.blocks.first { $0.numbers == numbers && $0.told.before == before },
        known.ahead.flatMap { $0.numbers == numbers && $0.before == before ? $0 : nil }
      )
    }
    if let block {
      told = block.told.last
      return block.slots
    }
    let new = try ahead?.taken() ?? Block(of: source, numbers, before)
    told = new.told.last
    known.withLock { $0.blocks = $0.blocks.suffix(Self.count - 1) + [new] }
    return new.slots
  }

  /// Somebody goes through a source from block to block, and this is the next one.
  func readAhead(in source: any ReplaySource, _ numbers: ClosedRange<Int>, _ told: Int?) {
    guard source.isReadAhead else { return }
    let block = BlockAhead(numbers, before: told)
    let isNew = known.withLock { known in
      guard known.ahead?.numbers != numbers || known.ahead?.before != told else { return false }
      known.ahead = block
      return true
    }
    guard isNew else { return }
    Task.detached(executorPreference: Self.threads) { block.read(in: source) }
  }

  func forget() { known.withLock { $0 = Known() } }
}

private struct Block {
  var numbers: ClosedRange<Int>
  /// The last step before whose state is told, and the last one of all.
  var told: (before: Int?, last: Int?)
  var slots: [SourceSlot]

  init(of source: any ReplaySource, _ numbers: ClosedRange<Int>, _ before: Int?) throws {
    var last = before
    slots = try source.slots(numbers, &last)
    self.numbers = numbers
    told = (before, last)
  }
}

/// A block that is read before somebody needs it.
///
/// `@unchecked Sendable`: what changes is touched only while the lock is held.
private final class BlockAhead: @unchecked Sendable {
  let numbers: ClosedRange<Int>
  let before: Int?
  private let lock = Lock()
  private let wasRead = ThreadSignal()
  private var progress = Progress.wanted

  private enum Progress {
    case wanted, isBeingRead
    /// Nil where it cannot be read: who needs it finds out why.
    case ended(Block?)
  }

  init(_ numbers: ClosedRange<Int>, before: Int?) {
    self.numbers = numbers
    self.before = before
  }

  func read(in source: any ReplaySource) {
    let isWanted = lock.withLock {
      guard case .wanted = progress else { return false }
      progress = .isBeingRead
      return true
    }
    guard isWanted else { return }
    let block = try? Block(of: source, numbers, before)
    lock.withLock {
      progress = .ended(block)
      wasRead.wakeAll()
    }
  }

  /// Once it is read; nil where nobody has begun with that: then whoever needs it does it sooner.
  func taken() -> Block? {
    lock.withLock {
      while case .isBeingRead = progress { wasRead.wait(in: lock) }
      guard case .ended(let block) = progress else {
        progress = .ended(nil)
        return nil
      }
      return block
    }
  }
}
