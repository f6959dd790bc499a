import Platform

/// The state of all effects in flight: the only place that interprets an effect's tree.
///
/// It runs nothing. It gets the effects of reducers and the ends of runs, and returns ``Command``s
/// in order. The store starts tasks for them; a replay answers them from a recording. As a value,
/// it can be saved and restored.
package struct EffectLedger<Action: Sendable>: Sendable {
  package enum Command: Sendable {
    case send(Action, EffectStart)
    /// Run this work, and call ``ended(_:)`` afterwards.
    case start(StoreEffect, EffectRun<Action>)
    /// Stop this effect, which the ledger has already removed.
    case cancel(StoreEffect)
  }

  struct Entry: Sendable {
    var effect: StoreEffect
    var frame: Int?
    var throttle: ThrottleKey?
  }

  /// A chain that waits for its first part to end.
  struct Frame: Sendable {
    var rest: ArraySlice<EffectOperation<Action>>
    var ordinal: Int
    /// Where the chain stands, in a chain around it.
    var position: Position
    var pending = 0
  }

  struct ThrottleKey: Hashable, Sendable {
    var path: [EffectPathElement]
    var id: AnyID
  }

  struct Held: Sendable {
    var operation: EffectOperation<Action>
    var window: EffectRun<Action>
    var latest: Bool
    var ordinal: Int
    var position: Position
  }

  struct Position: Sendable {
    var origin: EffectStart
    var scope = EffectScope()
    var frame: Int?
  }

  private(set) var entries: [Int: Entry] = [:]
  private var frames: [Int: Frame] = [:]
  /// The effects that open throttle windows hold back.
  private var windows: [ThrottleKey: Held?] = [:]
  private var startedCount = 0
  private var frameCount = 0
  private var commands: [Command] = []
  private var entryIndex = ScopeIndex<Int>()
  private var frameIndex = ScopeIndex<Int>()
  private var windowIndex = ScopeIndex<ThrottleKey>()
  private var live = LiveChildren()
  /// The ids cancelled so far, if wanted: effects may have parts with ids.
  var cancelledIDs: [ScopeKey]?

  package init() {}

  package var inFlight: [StoreEffect] {
    entries.keys.sorted().compactMap { entries[$0]?.effect }
  }

  package func root(ofEffect number: Int) -> Int? { entries[number]?.effect.rootStep }

  package var count: Int { entries.count }

  package var isEmpty: Bool {
    entries.isEmpty && frames.isEmpty && windows.isEmpty && entryIndex.isEmpty
      && frameIndex.isEmpty && windowIndex.isEmpty && live.isEmpty
  }

  package var hasOpenWindows: Bool { !windows.isEmpty }

  var hasLiveChildren: Bool { !live.isEmpty }

  package mutating func accept(_ effect: Effect<Action>, from origin: EffectStart) -> [Command] {
    var ordinal = 1
    begin(effect.operation, at: Position(origin: origin), &ordinal)
    return takeCommands()
  }

  package mutating func ended(_ number: Int) -> [Command] {
    guard let entry = removeEntry(number) else { return [] }
    if let key = entry.throttle { closeWindow(key) }
    leave(entry.frame)
    return takeCommands()
  }

  package mutating func cancel(root: Int) -> [Command] {
    cancel([.root(root)])
    return takeCommands()
  }

  package mutating func cancel(effect number: Int) -> [Command] {
    guard let entry = removeEntry(number) else { return [] }
    if let key = entry.throttle { hold(nil, key) }
    stop(entry)
    return takeCommands()
  }

  mutating func cancel(id: AnyID, in path: [EffectPathElement]) -> [Command] {
    cancel([.id(id, in: path)])
    return takeCommands()
  }

  /// Stops the effects whose id has this text: those that this effect can stop, or else those in
  /// the children shared by all others.
  package mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int]) -> [Command]
  {
    func named(_ scope: EffectScope) -> [ScopedID] {
      scope.ids.filter { "\($0.id)" == text }
    }
    let paths = others.compactMap { entries[$0].flatMap { named($0.effect.scope).first?.path } }
    let own = effect.flatMap { entries[$0]?.effect.scope.path }
    guard let path = own ?? common(paths) else { return [] }
    let scopes =
      entries.values.map(\.effect.scope) + frames.values.map(\.position.scope)
      + windows.values.compactMap { $0?.position.scope }
    let ids = Set(scopes.flatMap(named).map(\.id))
    cancel(ids.map { .id($0, in: path) })
    return takeCommands()
  }

  private func common(_ paths: [[EffectPathElement]]) -> [EffectPathElement]? {
    guard let first = paths.first else { return nil }
    let count = paths.map { zip(first, $0).prefix { $0 == $1 }.count }.min() ?? 0
    return Array(first.prefix(count))
  }

  package mutating func cancelAll(but kept: Set<Int> = []) -> [Command] {
    var chains: Set<Int> = []
    for number in kept {
      var frame = entries[number]?.frame
      while let next = frame, chains.insert(next).inserted { frame = frames[next]?.position.frame }
    }
    stop(
      frames: Set(frames.keys).subtracting(chains), windows: Set(windows.keys),
      entries: Set(entries.keys).subtracting(kept))
    return takeCommands()
  }

  /// Stops the effects of children that are missing from this state.
  mutating func cancelAbsent(in state: Any) -> [Command] {
    let absent = live.absent(in: state).map { ScopeKey.child($0) }
    if !absent.isEmpty { cancel(absent) }
    return takeCommands()
  }

  private mutating func takeCommands() -> [Command] { exchange(&commands, with: []) }
}

extension EffectLedger {
  private mutating func begin(
    _ operation: EffectOperation<Action>, at position: Position, _ ordinal: inout Int
  ) {
    switch operation {
    case .none: break
    case .send(let action): commands.append(.send(action, position.origin))
    case .run(let run): start(run, at: position, &ordinal)
    case .merge(let parts):
      for part in parts { begin(part, at: position, &ordinal) }
    case .concatenate(let parts): beginChain(parts, at: position, &ordinal)
    case .cancellable(let inner, let id, let cancelInFlight):
      if cancelInFlight { cancel([.id(id, in: position.scope.path)]) }
      var position = position
      position.scope.ids.append(ScopedID(path: position.scope.path, id: id))
      begin(inner, at: position, &ordinal)
    case .cancel(let id): cancel([.id(id, in: position.scope.path)])
    case .inChild(let child, let inner):
      var position = position
      position.scope.path.append(child)
      begin(inner, at: position, &ordinal)
    case .cancelChild(let child): cancel([.child(position.scope.path + [child])])
    case .throttle(let inner, let id, let window, let latest):
      var held = Held(
        operation: inner, window: window, latest: latest, ordinal: ordinal, position: position)
      held.position.frame = nil
      held.position.scope.ids.append(ScopedID(path: position.scope.path, id: id))
      ordinal += operation.runCount
      throttle(held, ThrottleKey(path: position.scope.path, id: id), frame: position.frame)
    }
  }

  private mutating func start(
    _ run: EffectRun<Action>, at position: Position, _ ordinal: inout Int,
    throttle: ThrottleKey? = nil
  ) {
    startedCount += 1
    let effect = StoreEffect(
      number: startedCount, origin: position.origin, ordinal: ordinal, site: run.site,
      scope: position.scope)
    ordinal += 1
    entries[startedCount] = Entry(effect: effect, frame: position.frame, throttle: throttle)
    entryIndex.insert(startedCount, position.scope, root: position.origin.root)
    live.insert(position.scope.path[...])
    if let frame = position.frame { frames[frame]?.pending += 1 }
    commands.append(.start(effect, run))
  }

  private mutating func beginChain(
    _ parts: [EffectOperation<Action>], at position: Position, _ ordinal: inout Int
  ) {
    frameCount += 1
    let number = frameCount
    frames[number] = Frame(rest: parts[...], ordinal: ordinal, position: position)
    frameIndex.insert(number, position.scope, root: position.origin.root)
    live.insert(position.scope.path[...])
    if let parent = position.frame { frames[parent]?.pending += 1 }
    ordinal += parts.reduce(0) { $0 + $1.runCount }
    proceed(number)
  }

  private mutating func proceed(_ first: Int) {
    var next: Int? = first
    while let number = next {
      next = nil
      while let part = frames[number]?.rest.popFirst(), let frame = frames[number] {
        // Keeps the chain open while the part starts, even if something ends meanwhile.
        frames[number]?.pending += 1
        var (ordinal, position) = (frame.ordinal, frame.position)
        position.frame = number
        begin(part, at: position, &ordinal)
        frames[number]?.ordinal = frame.ordinal + part.runCount
        frames[number]?.pending -= 1
        if frames[number]?.pending != 0 { return }
      }
      guard let done = frames.removeValue(forKey: number) else {
        return impossible("a chain ends once")
      }
      frameIndex.remove(number, done.position.scope, root: done.position.origin.root)
      live.remove(done.position.scope.path[...])
      guard let parent = done.position.frame else { return }
      frames[parent]?.pending -= 1
      if frames[parent]?.pending == 0 { next = parent }
    }
  }

  private mutating func leave(_ number: Int?) {
    guard let number else { return }
    guard frames[number] != nil else { return impossible("a chain waits for its effects") }
    frames[number]?.pending -= 1
    if frames[number]?.pending == 0 { proceed(number) }
  }
}

extension EffectLedger {
  private mutating func cancel(_ keys: [ScopeKey]) {
    cancelledIDs? += keys
    stop(
      frames: frameIndex.members(keys), windows: windowIndex.members(keys),
      entries: entryIndex.members(keys))
  }

  private mutating func stop(frames: Set<Int>, windows: Set<ThrottleKey>, entries: Set<Int>) {
    for number in frames { self.frames[number]?.rest = [] }
    for key in windows { hold(nil, key) }
    for number in entries.sorted() {
      if let entry = removeEntry(number) { stop(entry) }
    }
  }

  private mutating func removeEntry(_ number: Int) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    entryIndex.remove(number, entry.effect.scope, root: entry.effect.rootStep)
    live.remove(entry.effect.scope.path[...])
    return entry
  }

  private mutating func stop(_ entry: Entry) {
    commands.append(.cancel(entry.effect))
    if let key = entry.throttle { closeWindow(key) }
    leave(entry.frame)
  }

  private mutating func throttle(_ held: Held, _ key: ThrottleKey, frame: Int?) {
    if let known = windows[key] {
      if held.latest || known == nil { hold(held, key) }
      return
    }
    openWindow(for: held, key, frame: frame)
  }

  private mutating func hold(_ held: Held?, _ key: ThrottleKey) {
    if let before = windows[key] ?? nil {
      windowIndex.remove(key, before.position.scope, root: before.position.origin.root)
    }
    if let position = held?.position {
      windowIndex.insert(key, position.scope, root: position.origin.root)
    }
    windows[key] = .some(held)
  }

  private mutating func openWindow(for held: Held, _ key: ThrottleKey, frame: Int?) {
    hold(nil, key)
    var (ordinal, position) = (held.ordinal, held.position)
    start(held.window, at: position, &ordinal, throttle: key)
    position.frame = frame
    begin(held.operation, at: position, &ordinal)
  }

  private mutating func closeWindow(_ key: ThrottleKey) {
    let held = windows[key]
    hold(nil, key)
    windows[key] = nil
    guard let held = held ?? nil else { return }
    openWindow(for: held, key, frame: nil)
  }
}
