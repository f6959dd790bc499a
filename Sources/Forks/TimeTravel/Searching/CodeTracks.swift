import Platform
import SessionFile
import SessionWords
import ValueTree

/// Runs functions of the user's own, which conditions name: `rules.mjs#isSorted`.
package protocol CodeHost: Sendable {
  /// The values of functions at steps in order, after those of a track.
  func judge(
    _ names: [String], at steps: [CodeStep], after track: CodeTrack?
  ) throws -> CodeAnswer
  /// The functions of the files that the user has named.
  func exports() throws -> [String]
  /// The errors of functions since the last time.
  func remarks() -> [String]
  /// Loads the files again at the next question.
  func restart()
}

/// A step as functions see it.
package struct CodeStep: Sendable {
  package let number: Int
  /// JSON members: the action, and the state, or its change by the step.
  package let text: [UInt8]
  package let isKnown: Bool
  /// The step that sent the action, or started the effect that did.
  package var sender: Int?
  /// Whether a later step may name it as its sender.
  package var isSender = false

  fileprivate static let patch: StaticString = ",\"patch\":"
  fileprivate static let state: StaticString = ",\"state\":"
  fileprivate static let unknown: StaticString = ",\"unknown\":"

  fileprivate init(
    _ number: Int, action: [UInt8], _ change: StaticString, _ value: [UInt8]?, sender: Int?,
    isSender: Bool
  ) {
    var text = Array("\"action\":".utf8)
    text.reserveCapacity(action.count + (value?.count ?? 4) + 32)
    text += action
    text += UnsafeBufferPointer(start: change.utf8Start, count: change.utf8CodeUnitCount)
    text += value ?? Array("true".utf8)
    (self.number, self.text, isKnown) = (number, text, value != nil)
    (self.sender, self.isSender) = (sender, isSender)
  }
}

/// A place to go on from: a host keeps the state and the functions' memories there.
package final class CodeTrack: Sendable {
  package let number: Int
  private let release: @Sendable () -> Void

  package init(_ number: Int, release: @escaping @Sendable () -> Void) {
    (self.number, self.release) = (number, release)
  }

  deinit { release() }
}

package struct CodeAnswer: Sendable {
  /// By step, an object with the value of each function; nil if one of them is unknown.
  package let values: [Value?]
  package let track: CodeTrack

  package init(_ values: [Value?], _ track: CodeTrack) {
    (self.values, self.track) = (values, track)
  }
}

/// Calls functions for the steps of a run as they come, in batches.
package struct CodeRun: Sendable {
  private let host: any CodeHost
  private let names: [String]
  private var track: CodeTrack?
  private var origins: [EffectID: Int]
  private var waiting: [BranchStep] = []
  private var size = 8

  fileprivate init(
    _ host: any CodeHost, _ names: [String], _ track: CodeTrack?, _ origins: [EffectID: Int]
  ) {
    (self.host, self.names, self.track, self.origins) = (host, names, track, origins)
  }

  /// True if enough steps wait for an answer.
  package mutating func add(_ step: BranchStep) -> Bool {
    waiting.append(step)
    return waiting.count >= size
  }

  /// The waiting steps with the values of the functions, nil where one is unknown.
  package mutating func answers() throws -> [(BranchStep, Value?)] {
    let told = exchange(&waiting, with: [])
    guard !told.isEmpty else { return [] }
    size = min(2 * size, 64)
    var steps: [CodeStep] = []
    for told in told {
      for event in told.effects {
        if case .started(let origin) = event.kind { origins[event.effect] = origin.step }
      }
      steps.append(
        CodeStep(
          told.step.number, action: told.step.action.bytes(), CodeStep.patch,
          (told.patch ?? []).bytes(), sender: told.step.cause.sender(origins),
          isSender: !told.effects.isEmpty))
    }
    steps.markSenders()
    let answer = try host.judge(names, at: steps, after: track)
    track = answer.track
    return Array(zip(told, answer.values))
  }
}

extension [CodeStep] {
  /// Reducers send at once, so their step is among the last ones.
  fileprivate mutating func markSenders() {
    let senders = Set(compactMap(\.sender))
    for index in indices where index >= count - 16 || senders.contains(self[index].number) {
      self[index].isSender = true
    }
  }
}

struct CodeKey: Hashable {
  let branch: BranchID
  let run: Int
  let names: [String]
}

extension OpenSession {
  private static let codeBatch = 512...4_096
  /// The bytes of a batch.
  private static let codeBatchBytes = 1 << 20
  private static let mostTracks = 1_024

  /// The values of functions at steps of a branch. Functions with a memory need all steps before,
  /// too, so each search goes on from the nearest track.
  package func codeValues(
    _ names: [String], in steps: ClosedRange<Int>, of branch: BranchID
  ) async throws -> [Value?] {
    var values: [Value?] = []
    try await judge(names, through: steps.upperBound, from: steps.lowerBound, of: branch) {
      number, value in
      if number >= steps.lowerBound { values.append(value) }
    }
    return values
  }

  /// The answers of functions at a step, each in a line; none for a rule that holds.
  package func reasons(of names: [String], at position: Position) async throws -> [String] {
    guard !names.isEmpty else { return [] }
    let steps = position.step...position.step
    let values = try await codeValues(names, in: steps, of: position.branch).first ?? nil
    return names.compactMap { name in
      guard let value = values?[name], value != true else { return nil }
      return "\(name): \(value.string.map { $0.clipped(to: 200) } ?? ValuePreview.text(value))"
    }
  }

  /// The track after a step, for a fork that leaves there.
  package func codeTrack(
    _ names: [String], after step: Int, of branch: BranchID
  ) async throws -> CodeTrack? {
    try await judge(names, through: step, from: step + 1, of: branch) { _, _ in }
  }

  /// A caller of a question's functions for a run that leaves a branch; nil if it names none.
  package func codeRun(
    _ question: StepQuestion, after step: Int, of branch: BranchID, _ origins: [EffectID: Int]
  ) async throws -> CodeRun? {
    guard !question.code.isEmpty else { return nil }
    let track = try await codeTrack(question.code, after: step, of: branch)
    return code.map { CodeRun($0, question.code, track, origins) }
  }

  @discardableResult
  private func judge(
    _ names: [String], through last: Int, from first: Int, of branch: BranchID,
    _ tell: (Int, Value?) -> Void
  ) async throws -> CodeTrack? {
    guard let code else {
      throw Trouble(
        "\(names[0]) cannot run here", next: "Write the condition without functions of your own")
    }
    let key = CodeKey(branch: branch, run: self.branch(branch)?.run ?? 0, names: names)
    let start = self.branch(branch)?.steps.lowerBound ?? summary.steps.lowerBound
    var next = start
    var track: CodeTrack?
    let known = codeTracks.withLock { tracks in
      tracks[key]?.filter { $0.key < first }.max { $0.key < $1.key }
    }
    if let known {
      (next, track) = (known.key + 1, known.value)
    } else if let script = self.branch(branch)?.script, script.leavesAt >= start {
      next = min(script.leavesAt, first - 1) + 1
      track = try await codeTrack(names, after: next - 1, of: script.parent)
    }
    var size = Self.codeBatch.lowerBound
    while next <= last {
      try Task.checkCancellation()
      let part = next...min(next + size - 1, last)
      let steps = try await codeSteps(part, of: branch, isFirst: track == nil)
      let answer: CodeAnswer
      do { answer = try code.judge(names, at: steps, after: track) } catch {
        // Its process may be another one.
        codeTracks.withLock { $0 = [:] }
        throw error
      }
      for (number, value) in zip(part, answer.values) { tell(number, value) }
      let bytes = steps.reduce(0) { $0 + $1.text.count }
      if bytes > Self.codeBatchBytes { size = max(size / 4, 16) }
      if bytes < Self.codeBatchBytes / 4 { size = min(size * 2, Self.codeBatch.upperBound) }
      (track, next) = (answer.track, part.upperBound + 1)
      codeTracks.withLock { tracks in
        var own = tracks[key] ?? [:]
        own[part.upperBound] = answer.track
        if own.count > Self.mostTracks {
          for (place, step) in own.keys.sorted().enumerated() where place % 2 == 0 {
            own[step] = nil
          }
        }
        tracks[key] = own
      }
      await Task.yield()
    }
    return track
  }

  private func codeSteps(
    _ steps: ClosedRange<Int>, of branch: BranchID, isFirst: Bool
  ) async throws -> [CodeStep] {
    var origins: [EffectID: Int] = [:]
    for span in try spans(in: steps, of: branch) { origins[span.number] = span.origin.step }
    let starts = Set(origins.values)
    var (found, isKnown) = ([CodeStep](), !isFirst)
    found.reserveCapacity(steps.count)
    let recorded = branch == .main ? try recording.writtenSteps(steps) : []
    for (index, number) in steps.enumerated() {
      let position = Position(branch: branch, step: number)
      let isRecorded = recorded.indices.contains(index)
      let told =
        try isRecorded ? recorded[index] : WrittenStep(step(at: position).step, patch: nil)
      var (change, value) = (CodeStep.unknown, [UInt8]?.none)
      if isKnown {
        (change, value) = (CodeStep.patch, told.patch)
        if value == nil { value = try await codePatch(at: position)?.bytes() }
      }
      if value == nil, let state = try await knownState(at: position) {
        (change, value) = (CodeStep.state, state.bytes())
      }
      if value == nil { change = CodeStep.unknown }
      isKnown = value != nil
      found.append(
        CodeStep(
          number, action: told.action, change, value, sender: told.cause.sender(origins),
          isSender: starts.contains(number)))
    }
    found.markSenders()
    return found
  }

  private func codePatch(at position: Position) async throws -> Value? {
    let owner = table.withLock { $0.owner(of: position) }
    if owner.branch == .main, let patch = try recording.patch(at: owner.step) {
      return patch
    }
    let before = Position(branch: position.branch, step: position.step - 1)
    guard let old = try await knownState(at: before), let new = try await knownState(at: position)
    else { return nil }
    return Patch(from: old, to: new).value
  }
}

extension Cause {
  package func sender(_ origins: [EffectID: Int]) -> Int? {
    switch self {
    case .output(let step): step
    case .effect(let effect): origins[effect]
    case .user, .outside, .unknown: nil
    }
  }
}
