import Platform
import StoreCore
import ValueTree

/// A step as a rule of the app sees it.
public struct RuleStep<State: Sendable, Action: Sendable>: Sendable {
  /// The state before the step; nil at the first one.
  public let previous: State?
  /// The action; nil at the first step, which has none.
  public let action: Action?
  /// The number of the step.
  public let number: Int
  /// The step that started the effect which sent the action, or whose reducer sent it.
  public let sent: Sender?

  /// The step behind an action.
  public struct Sender: Sendable {
    /// Its number.
    public let number: Int
    /// The state after it.
    public let state: State
  }
}

/// A rule of the app: why it does not hold for a state after a step, or nil.
///
/// ```swift
/// await RetconCommand.main(
///   hosting: AppFeature(),
///   rules: ["totalIsKept": { state, _ in
///     state.total >= 0 ? nil : "the total is \(state.total)"
///   }])
/// ```
///
/// Conditions name it as `app#totalIsKept`.
public typealias AppRule<State: Sendable, Action: Sendable> =
  @Sendable (State, RuleStep<State, Action>) -> String?

/// Answers the requests of ``HostedCode`` in a process of the app's own debugger.
struct RuleServer<State: Codable & Sendable, Action: Codable & Sendable> {
  let rules: [String: AppRule<State, Action>]
  private var tracks: [Int: Track] = [:]

  private final class Track {
    let base: Track?
    var json: Value?
    var state: State?
    var senders: [Int: RuleStep<State, Action>.Sender] = [:]

    init(after base: Track?) { (self.base, json, state) = (base, base?.json, base?.state) }
  }

  init(_ rules: [String: AppRule<State, Action>]) { self.rules = rules }

  /// Serves until standard input ends. Rules print to standard error.
  mutating func serve() {
    let output = dup(1)
    dup2(2, 1)
    while let text = readLine() {
      guard let request = try? Value(parsing: text), let answer = answer(to: request) else {
        continue
      }
      var members: ValueObject = ["id": request["id"] ?? .null]
      members.add(answer)
      guard WholeTransfer.write(Value.object(members).text() + "\n", to: output) else { return }
    }
  }

  private mutating func answer(to request: Value) -> Value? {
    switch request["ask"]?.string {
    case "rules": return ["exports": .list(rules.keys.sorted(), Value.string)]
    case "judge":
      do { return try judge(request) } catch { return ["error": .string("\(error)")] }
    case "forget":
      for number in request["states"]?.list ?? [] { tracks[number.index ?? -1] = nil }
      return nil
    default: return ["error": "it is not known"]
    }
  }

  private mutating func judge(_ request: Value) throws -> Value {
    let track = Track(after: request["from"]?.index.flatMap { tracks[$0] })
    let names = request["names"]?.list.compactMap(\.string) ?? []
    if let missing = names.first(where: { rules[$0] == nil }) {
      let known = rules.keys.sorted().joined(separator: ", ")
      return ["error": .string("the app has no rule \(missing): \(known)")]
    }
    var (others, threw) = ([Value](), [Value]())
    let steps = request["steps"]?.list ?? []
    for (index, step) in steps.enumerated() {
      let previous = track.state
      var words: String?
      do { try change(track, by: step) } catch { (track.state, words) = (nil, "\(error)") }
      let number = step["step"]?.index ?? 0
      let action = step["action"].flatMap { try? ValueDecoder().decode(Action.self, from: $0) }
      if step["keeps"] == true, let state = track.state {
        track.senders[number] = .init(number: number, state: state)
      }
      let given = RuleStep(
        previous: previous, action: action, number: number,
        sent: step["sender"]?.index.flatMap { sender(of: track, $0) })
      if let words {
        for place in names.indices {
          threw.append([Value(index), Value(place), .string(words)])
        }
      }
      let values = names.map { name -> Value in
        guard let state = track.state else { return .null }
        return rules[name]?(state, given).map { .string($0) } ?? true
      }
      if values.contains(where: { $0 != true }) {
        others.append([Value(index), .array(ValueArray(values))])
      }
    }
    if let number = request["as"]?.index { tracks[number] = track }
    return [
      "count": Value(steps.count), "others": .array(ValueArray(others)),
      "threw": .array(ValueArray(threw)),
    ]
  }

  private func change(_ track: Track, by step: Value) throws {
    if let state = step["state"] {
      track.json = state
    } else if let patch = step["patch"], let json = track.json {
      let patch = try Patch(patch)
      if patch.isEmpty, track.state != nil { return }
      track.json = try patch.applied(to: json)
    } else {
      track.json = nil
    }
    track.state = try track.json.map { try ValueDecoder().decode(State.self, from: $0) }
  }

  private func sender(of track: Track, _ number: Int) -> RuleStep<State, Action>.Sender? {
    var holder: Track? = track
    while let next = holder, next.senders[number] == nil { holder = next.base }
    return holder?.senders[number]
  }
}

extension Value {
  var list: [Value] { if case .array(let array) = self { Array(array) } else { [] } }

  var index: Int? {
    if case .number(.integer(let number)) = self { Int(exactly: number) } else { nil }
  }
}
