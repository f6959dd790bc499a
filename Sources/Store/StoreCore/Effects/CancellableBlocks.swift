import Platform

extension Task where Success == Never, Failure == Never {
  /// Cancels the effects with this id from inside an effect of the same feature, and the parts of
  /// effects in ``withTaskCancellation(id:cancelInFlight:operation:)``.
  ///
  /// ```swift
  /// return .run { send in
  ///   for await message in connection.messages { await send(.received(message)) }
  ///   Task.cancel(id: CancelID.reconnecting)
  /// }
  /// ```
  public static func cancel(
    id: some Hashable & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    EffectControl.here(at: place, naming: AnyID(id))?.cancel(AnyID(id))
  }
}

/// Runs a part of an effect that can be cancelled by its own id, with `.cancel(id:)` in a reducer
/// or `Task.cancel(id:)` in an effect. If cancelled, it throws if `operation` does.
///
/// ```swift
/// return .run { send in
///   try await withTaskCancellation(id: CancelID.countdown, cancelInFlight: true) {
///     for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
///   }
/// }
/// ```
public func withTaskCancellation<Output: Sendable, Failure: Error>(
  id: some Hashable & Sendable, cancelInFlight: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  operation: @escaping @Sendable () async throws(Failure) -> Output
) async throws(Failure) -> Output {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let control = EffectControl.here(at: place, naming: AnyID(id)) else {
    return try await operation()
  }
  if cancelInFlight { control.blocks.removeBlocks(AnyID(id), in: control.path).forEach { $0() } }
  let task = Task<Result<Output, Failure>, Never>(executorPreference: control.executor) {
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }
  let number = control.blocks.add(AnyID(id), in: control.path) { task.cancel() }
  defer { control.blocks.remove(number) }
  let result = await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
  return try result.get()
}

struct EffectControl: Sendable {
  @TaskLocal static var current: EffectControl?

  let path: [EffectPathElement]
  let blocks: CancellableBlocks
  let executor: (any TaskExecutor)?
  let name: @Sendable (AnyID) -> Void
  let cancel: @Sendable (AnyID) -> Void

  /// Nil, and an issue, outside of effects.
  static func here(at place: SourcePlace, naming id: AnyID) -> EffectControl? {
    if current == nil {
      reportIssue("A cancel id means something only in an effect of a store.", at: place)
    }
    current?.name(id)
    return current
  }
}

final class CancellableBlocks: Sendable {
  private struct Block {
    var id: AnyID
    var path: [EffectPathElement]
    var cancel: @Sendable () -> Void
  }

  private let standing = Locked((count: 0, blocks: [Int: Block]()))

  func add(
    _ id: AnyID, in path: [EffectPathElement], cancel: @escaping @Sendable () -> Void
  ) -> Int {
    standing.withLock { standing in
      standing.count += 1
      standing.blocks[standing.count] = Block(id: id, path: path, cancel: cancel)
      return standing.count
    }
  }

  func remove(_ number: Int) { standing.withLock { $0.blocks[number] = nil } }

  func removeBlocks(_ id: AnyID, in path: [EffectPathElement]) -> [@Sendable () -> Void] {
    standing.withLock { standing in
      let found = standing.blocks.filter { $0.value.id == id && $0.value.path.starts(with: path) }
      for number in found.keys { standing.blocks[number] = nil }
      return found.sorted { $0.key < $1.key }.map(\.value.cancel)
    }
  }
}
