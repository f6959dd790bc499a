extension Effect {
  /// Waits before it starts the effect, and starts to wait anew each time it is asked again.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let site = EffectSite(
      name: "debounce",
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column),
      kind: .pause(duration))
    let pause = EffectOperation<Action>.run(.pause(site, for: duration))
    return Effect(
      operation: .cancellable(
        .concatenate([pause, operation]), id: AnyID(id), cancelInFlight: true))
  }

  /// Starts the effect at most once in every `duration`: the first at once, and after that, when
  /// the time is over, the latest (or else the first) of those that were held back.
  public func throttle(
    id: some Hashable & Sendable, for duration: Duration, latest: Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let site = EffectSite(
      name: "throttle",
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column),
      kind: .window(duration))
    return Effect(
      operation: .throttle(
        operation, id: AnyID(id), window: .pause(site, for: duration), latest: latest))
  }
}
