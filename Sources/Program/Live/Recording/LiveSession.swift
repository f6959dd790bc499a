import Platform
import SessionFile
import SessionImports
import SessionWords
import Sockets
import ValueTree

/// One store of a running app, written as a session while it runs.
///
/// Another program sends the data, so it trusts no number, no name and no size.
package final class LiveSession {
  /// The app's name, redacted.
  package let name: String
  package var path: String { writer.path }
  let format: String
  /// The sender's own name for the session, which outlives a connection.
  var key: String?
  private(set) var reduces = false
  /// Whether the words of errors are left out.
  private var hidesErrors = false
  /// Why nothing more comes.
  private(set) var end: String?
  /// Whether its connection is lost.
  var isLeft = false
  /// How much the sender has sent: bytes of a session, or numbers of actions.
  var received = 0
  package private(set) var steps = 0
  private let writer: SessionWriter
  private var redactor: Redactor
  private var causes = ReduxCauses()
  private(set) var state: Value?
  private let budget: MemoryBudget
  private var share = 0
  /// The last state before one that could not be followed.
  private var followed: Value?
  private var isTorn = false
  private let origin: Double?
  private var newest = Duration.zero
  private var told: Set<String> = []
  /// The fork whose jump has not come yet.
  private var nextPlay: PlayedFork?
  private var play: PlayedFork?

  static let largestState = 128 << 20

  /// A step as a program sends it.
  package struct Entry {
    package var action: Value
    package var label: String
    /// Milliseconds since 1970.
    package var time: Double?
    package var change: Change
    package var error: String?
    /// So many lines of the error are kept; nil means all.
    package var errorLines: Int?
    package var stack: String?
    /// The place that changed without a new state.
    package var mutatedPlace: String?

    package enum Change {
      case patch(Value)
      case state(Value)
      /// The sender did not say.
      case unknown
      /// The app's own options hide it. Later patches are of the state before.
      case hidden
      /// The state is unknown from here on, for this reason.
      case lost(String)
    }

    package init(action: Value, _ change: Change) {
      (self.action, self.change) = (action, change)
      label = ReduxAction.label(action)
    }
  }

  /// The first message about a store.
  package struct Start {
    package var name: String
    package var state: Value?
    package var time: Double?
    package var format: String
    package var capability: SessionHeader.Capability = .replay
    /// Whether the app can run its reducer for a fork.
    package var reduces = false
    /// The app's own options that hide parts of states and actions.
    package var hiding: [String] = []

    package init(name: String, state: Value?, time: Double? = nil, format: String) {
      (self.name, self.state, self.time, self.format) = (name, state, time, format)
    }
  }

  /// Creates the file. An existing session of that path keeps another name.
  convenience init(
    _ start: Start, at path: String, _ redaction: Redaction,
    _ budget: MemoryBudget = MemoryBudget(largestState)
  ) throws(SessionError) {
    let origin = start.time.flatMap { $0.isFinite ? $0 : nil }
    var header = SessionHeader(app: SessionHeader.App(start.name), capability: start.capability)
    header.state = start.state
    header.origin = SessionHeader.Origin(format: start.format)
    header.started =
      origin.flatMap { Int64(exactly: $0.rounded()) }
      .flatMap { UTCText.of(milliseconds: $0) } ?? UTCText.now
    header.redacted = start.hiding.map { "by the app's \($0) (asked for)" }
    header.knowsCauses = false
    header.snapshots = .encoded
    try self.init(header, at: path, redaction, budget, origin: origin)
    (reduces, hidesErrors) = (start.reduces, !start.hiding.isEmpty)
  }

  /// The header of another recorder, of which only what the format knows is written.
  init(
    _ header: SessionHeader, at path: String, _ redaction: Redaction, _ budget: MemoryBudget,
    origin: Double? = nil
  ) throws(SessionError) {
    var header = header
    var share = 0
    let isLarge = !budget.change(&share, to: header.state?.weight ?? 0)
    if isLarge { header.state = nil }
    (state, format, self.origin) = (header.state, header.origin?.format ?? "", origin)
    self.budget = budget
    var app = SessionHeader.App(header.app?.name ?? "app", version: header.app?.version)
    header.app = app
    header.tape = Array(header.tape.prefix(1_000))
    header.effects = header.effects.map {
      EffectInFlight(effect: $0.effect, origin: $0.origin, time: $0.time)
    }
    (header.unknown, header.part, header.version) = ([:], 1, .current)
    var redactor = Redactor(redaction)
    header = redactor.header(header)
    // Only now: a part of a secret matches no pattern.
    app = header.app ?? app
    header.app = SessionHeader.App(
      app.name.clipped(to: 100), version: app.version?.clipped(to: 100))
    header.session = header.session?.clipped(to: 100)
    header.redacted += redaction.descriptions().map { "\($0) (asked for)" }
    name = header.app?.name ?? app.name
    self.redactor = redactor
    var options = WritingOptions()
    options.existing = .keep(KeptSessions.usual)
    do throws(SessionError) {
      writer = try SessionWriter(path: path, header: header, options: options)
    } catch {
      _ = budget.change(&share, to: 0)
      throw error
    }
    (self.share, steps) = (share, header.firstStep)
    if isLarge { try say(Self.tooLarge) }
  }

  deinit { _ = budget.change(&share, to: 0) }

  private static let tooLarge = "the states of all stores are too large"

  /// Stores a state, if those of the other stores leave room. Nil is an unknown one.
  @discardableResult
  private func store(_ new: Value?) -> Bool {
    let isKept = budget.change(&share, to: new?.weight ?? 0)
    if !isKept { _ = budget.change(&share, to: 0) }
    state = isKept ? new : nil
    return isKept
  }

  func lose(because reason: String) throws(SessionError) {
    store(nil)
    try say(reason)
  }

  package func add(_ entry: Entry) throws(SessionError) {
    var (patch, note) = (Value?.none, entry.mutatedPlace.map { "changed in place: \($0)" })
    switch entry.change {
    case .patch(let value):
      if !store(changed(by: value)) { note = Self.tooLarge }
      patch = state == nil ? nil : value
      if state == nil { note = note ?? "the change of the state does not fit" }
    case .state(let value): if !store(value) { note = Self.tooLarge }
    case .unknown: store(nil)
    case .hidden: break
    case .lost(let reason):
      store(nil)
      note = reason
    }
    let wasPlaying = play != nil
    if try belongsToPlay(entry.action) { return }
    // The patch belongs to the app's last step, and that is not here.
    if wasPlaying { patch = nil }
    steps += 1
    var step = Step(
      number: steps, time: time(entry.time),
      label: redactor.text(entry.label, .label).clipped(to: 200), action: redacted(entry.action))
    var error = entry.error.map { redactor.text($0, .message) }
    if let lines = entry.errorLines {
      error = error?.split(whereSeparator: \.isNewline).prefix(lines)
        .map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
    // An error may tell what the app's own options hide.
    if hidesErrors, error != nil { error = Redaction.marker() }
    step.error = error?.clipped(to: 2_000)
    step.stack = entry.stack.map { redactor.text($0, .message).clipped(to: 8_000) }
    if hidesErrors, step.stack != nil { step.stack = Redaction.marker() }
    catchUp()
    let isHidden = if case .hidden = entry.change { true } else { false }
    let seen = isHidden ? nil : state.map { redactor.state($0) }
    step.cause = .unknown
    let event = causes.judge(&step)
    try writer.append(step, state: seen, patch: redactor.redaction.isEmpty ? patch : nil)
    if let event { try writer.append(redactor.event(event)) }
    if let note { try say(note, once: entry.mutatedPlace == nil) }
    try reportOverflow()
  }

  // MARK: A fork that is played in the app

  /// Takes what follows the next jump as a fork. The result goes into that jump.
  func play(_ fork: SavedBranch) -> String {
    let play = PlayedFork(fork)
    nextPlay = play
    return play.token
  }

  /// Writes what the app has done since then. Returns whether there was news.
  func savePlayed() throws(SessionError) -> Bool { try play?.save(beside: path) ?? false }

  /// Whether an action is part of a played fork. Another jump ends it.
  private func belongsToPlay(_ action: Value) throws(SessionError) -> Bool {
    let type = action["type"]?.string
    if type == Self.jump {
      _ = try savePlayed()
      play = nil
      guard let next = nextPlay, action["play"]?.string == next.token else { return false }
      (play, nextPlay) = (next, nil)
      return true
    }
    let isTaken: Bool? =
      if type == Self.resumed, let state {
        play?.add(state: redactor.state(state))
      } else {
        play?.add(redactor.value(action, .action))
      }
    if isTaken == false {
      try say("the fork in the app is too long: its later actions are missing", once: true)
    }
    return isTaken != nil
  }

  /// A jump has a state of the app in its action.
  private func redacted(_ action: Value) -> Value {
    let action = redactor.value(action, .action)
    guard action["type"]?.string == Self.jump, case .object(var jump) = action,
      let state = jump["state"]
    else { return action }
    jump["state"] = redactor.part(state, at: [])
    return .object(jump)
  }

  private static let jump = "@@retcon/jump"
  private static let resumed = "@@retcon/resumed"

  private func changed(by patch: Value) -> Value? {
    (followed, isTorn) = (state ?? followed, true)
    guard let before = state, let known = try? Patch(patch) else { return nil }
    // A few copies could make a state of any size.
    let editor = ValueEditor(before, sizeLimit: Self.largestState)
    guard (try? editor.apply(known)) != nil, editor.value.weight <= Self.largestState else {
      return nil
    }
    if !redactor.redaction.isEmpty { redactor.track(known, from: before) }
    (followed, isTorn) = (nil, false)
    return editor.value
  }

  /// Any difference behind an unreadable patch may be a secret.
  private func catchUp() {
    guard isTorn, let state else { return }
    redactor.hideChange(from: followed, to: state)
    (followed, isTorn) = (nil, false)
  }

  /// Writes a line of another recorder's session.
  func add(_ line: LogLine) throws(SessionError) {
    switch line {
    case .step(let line):
      steps = line.step.number
      let isWhole = redactor.redaction.isEmpty
      var seen = line.state
      // A patch may carry a secret elsewhere, also beside a whole state.
      if seen == nil || !isWhole {
        let patched = line.patch.flatMap { changed(by: $0) }
        seen = seen ?? patched
      }
      if let large = seen, large.weight > Self.largestState { seen = nil }
      let isGiven = line.state != nil || line.patch != nil
      if seen != nil || isGiven, !store(seen) { seen = nil }
      let isLost = seen == nil && isGiven
      catchUp()
      try writer.append(
        redacted(line.step), state: seen.map { redactor.state($0) },
        isStateDropped: line.isStateDropped, patch: isWhole ? line.patch : nil)
      if isLost { try say("the change of the state does not fit", once: true) }
      try reportOverflow()
    case .begin(let step): try writer.append(LogLine.begin(redacted(step)))
    case .effect(let event): try writer.append(redactor.event(event))
    case .read(var read):
      read.read = redactor.read(read.read)
      try writer.append(read)
    case .readBegun(let read, let step):
      try writer.append(LogLine.readBegun(redactor.read(read), step: step))
    case .signpost(let signpost): try writer.append(redactor.signpost(signpost))
    case .tape(let key): try writer.append(LogLine.tape(key: redactor.text(key, .name)))
    case .lost(let lost, let lines, let reason, let known):
      var seen = known.flatMap { $0.weight <= Self.largestState ? $0 : nil }
      if let last = lost?.upperBound {
        (followed, isTorn) = (state ?? followed, true)
        steps = max(steps, last)
        store(seen)
        catchUp()
        seen = state
      }
      try writer.append(
        .lost(
          steps: lost, lines: lines, because: redactor.text(reason, .message),
          state: seen.map { redactor.state($0) }))
    case .end, .unknown: break
    }
  }

  private func redacted(_ step: Step) -> Step {
    var step = redactor.step(step)
    // Its action holds a part of the state.
    if !redactor.redaction.isEmpty, var part = step.set {
      part.value = redactor.part(part.value, at: part.pointer)
      part.pointer = redactor.pointer(part.pointer)
      (step.set, step.action) = (part, part.object.value)
    }
    return step
  }

  private func reportOverflow() throws(SessionError) {
    if redactor.overflows { try say("redacted: \(Redactor.overflow)", once: true) }
    if redactor.hidesGaps { try say("redacted: \(Redactor.gaps)", once: true) }
  }

  /// Writes a note behind the last step.
  package func say(_ words: String, once: Bool = false) throws(SessionError) {
    let words = redactor.text(words, .signpost).clipped(to: 2_000)
    guard !once || told.count < 1_000 && told.insert(words).inserted else { return }
    try writer.append(Signpost(words, step: steps, time: newest))
  }

  package func flush() throws(SessionError) { try writer.flush() }

  package func finish() throws(SessionError) {
    try writer.finish()
    _ = try savePlayed()
  }

  /// Finishes the file. A reason becomes its last note.
  func end(because reason: String?) throws(SessionError) {
    end = reason ?? "the recording has ended"
    if let reason { try say(reason) }
    try finish()
  }

  private func time(_ milliseconds: Double?) -> Duration? {
    guard let origin, let milliseconds, case let since = milliseconds - origin,
      abs(since) < 1e12
    else { return milliseconds == nil ? nil : newest }
    newest = max(newest, .microseconds(Int64((since * 1000).rounded())))
    return newest
  }
}
