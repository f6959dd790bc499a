import Platform

/// The latest blocks of a source, so that two runs side by side read each line once, and forks of a
/// finished session, too. Another thread reads the next block ahead.
final class ReadBlocks: Sendable {
  private struct Known {
    var blocks: [Block] = []
    var ahead: BlockAhead?
  }

  private let known = Locked(Known())
  /// The memory for blocks beyond the two latest.
  private static var budget: Int { 8 << 20 }
  private static let threads = WorkThreads()

  func slots(
    of source: any ReplaySource, _ numbers: ClosedRange<Int>, _ told: inout Int?
  ) throws -> [SourceSlot] {
    let place = BlockPlace(numbers: numbers, told: told)
    let (known, ahead) = known.withLock { known in
      (
        known.blocks.first { $0.place == place },
        known.ahead.flatMap { $0.place == place ? $0 : nil }
      )
    }
    let block = try known ?? ahead?.claim() ?? Block(of: source, place)
    if known == nil {
      self.known.withLock { known in
        known.blocks.append(block)
        var cost = known.blocks.reduce(0) { $0 + $1.cost }
        while known.blocks.count > 2, cost > Self.budget {
          cost -= known.blocks.removeFirst().cost
        }
      }
    }
    told = block.lastTold
    return block.slots
  }

  func readAhead(in source: any ReplaySource, _ numbers: ClosedRange<Int>, _ told: Int?) {
    guard source.isReadAhead else { return }
    let block = BlockAhead(BlockPlace(numbers: numbers, told: told))
    let isNew = known.withLock { known in
      guard known.ahead?.place != block.place else { return false }
      known.ahead = block
      return true
    }
    guard isNew else { return }
    Task.detached(executorPreference: Self.threads) { block.read(in: source) }
  }

  func forget() { known.withLock { $0 = Known() } }
}

private struct BlockPlace: Equatable {
  var numbers: ClosedRange<Int>
  var told: Int?
}

private struct Block {
  let place: BlockPlace
  let lastTold: Int?
  let slots: [SourceSlot]
  let cost: Int

  init(of source: any ReplaySource, _ place: BlockPlace) throws {
    var told = place.told
    slots = try source.slots(place.numbers, &told)
    cost = slots.reduce(0) { cost, slot in
      cost + MemoryLayout<SourceSlot>.stride + slot.step.action.memoryCost
        + (slot.patch?.memoryCost ?? 0) + 128 * (slot.begun.count + slot.ends.count)
        + slot.step.reads.reduce(0) { $0 + 128 + $1.outcome.content.memoryCost }
    }
    self.place = place
    lastTold = told
  }
}

/// A block that is read ahead.
///
/// `@unchecked Sendable`: the lock guards everything that changes.
private final class BlockAhead: @unchecked Sendable {
  let place: BlockPlace
  private let lock = Lock()
  private let wasRead = ThreadSignal()
  private var progress = Progress.wanted

  private enum Progress {
    case wanted, isBeingRead
    case ended(Block?)
  }

  init(_ place: BlockPlace) { self.place = place }

  func read(in source: any ReplaySource) {
    let isWanted = lock.withLock {
      guard case .wanted = progress else { return false }
      progress = .isBeingRead
      return true
    }
    guard isWanted else { return }
    let block = try? Block(of: source, place)
    lock.withLock {
      progress = .ended(block)
      wasRead.wakeAll()
    }
  }

  func claim() -> Block? {
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
