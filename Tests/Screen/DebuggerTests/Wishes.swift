import RecordingSupport
import SessionWords
import TimeTravel
import ValueTree

/// A small recorded session to look at: a user writes a wish list, and a coupon spoils the total.
enum Wishes {
  static let session = OpenSession(recording)

  static let recording: MemoryRecording = {
    var story = Story()
    story.user("nameChanged", ["_0": "St"], after: 200) { $0["name"] = "St" }
    story.user("nameChanged", ["_0": "Stanislav"], after: 1_100) { $0["name"] = "Stanislav" }
    story.user("discoverTapped", [:], after: 1_400, starts: "fetchWishes") {
      $0["button"] = "loading"
    }
    story.user("nameChanged", ["_0": "Stan"], after: 300) { $0["name"] = "Stan" }
    story.effect(
      1, "wishesResponse", ["success": ["Tea", "Lamp"]], after: 400,
      reads: [
        Read(key: "now", value: "2026-11-20T10:56:00Z")
      ]
    ) {
      $0["button"] = "enabled"
      $0["items"] = [
        ["title": "Tea", "price": 4.5, "quantity": 1],
        ["title": "Lamp", "price": 22.64, "quantity": 1],
      ]
      $0["total"] = 27.14
    }
    story.end(1, .finished)
    story.output("totalChanged", [:], of: 5, after: 0) { $0["checked"] = true }
    story.user("quantityChanged", ["index": 0, "quantity": 2], after: 2_300) {
      $0["items"] = [
        ["title": "Tea", "price": 4.5, "quantity": 2],
        ["title": "Lamp", "price": 22.64, "quantity": 1],
      ]
      $0["total"] = 31.64
    }
    story.user("couponApplied", ["code": "TENOFF", "amount": 40], after: 3_200, starts: "save") {
      $0["coupon"] = ["code": "TENOFF", "amount": 40]
      $0["total"] = -8.36
    }
    story.end(2, .failed("offline"))
    for index in 0..<24 {
      story.user(
        "noteTyped", ["_0": .string(String("buy the lamp before Friday".prefix(index + 1)))],
        after: 90 + index * 7 % 60
      ) {
        $0["note"] = .string(String("buy the lamp before Friday".prefix(index + 1)))
      }
    }
    story.user("saveTapped", [:], after: 5_000, starts: "save") { $0["button"] = "saving" }
    return story.recording
  }()
}

/// Tells a session step by step.
private struct Story {
  private var steps = [Step(number: 0, time: .zero, label: "init", action: .null)]
  private var states: [Value] = [
    ["name": "", "button": "disabled", "items": [], "total": 0, "note": "", "checked": false]
  ]
  private var events: [EffectEvent] = []
  private var effectReads: [EffectID: [Read]] = [:]
  private var milliseconds = 0
  private var effects = 0

  mutating func user(
    _ label: String, _ payload: Value, after delay: Int, starts effect: String? = nil,
    change: (inout ValueObject) -> Void
  ) {
    add(label, payload, .user, after: delay, change)
    guard let effect else { return }
    effects += 1
    let step = steps.count - 1
    let origin = EffectOrigin(
      step: step, name: effect, file: "Wishes/WishList.swift", line: 40 + step)
    events.append(
      EffectEvent(
        effect: EffectID(effects), step: step, time: .milliseconds(milliseconds),
        kind: .started(origin)))
  }

  mutating func effect(
    _ id: EffectID, _ label: String, _ payload: Value, after delay: Int, reads: [Read],
    change: (inout ValueObject) -> Void
  ) {
    effectReads[id, default: []].append(Read(key: "wishes", value: payload))
    add(label, payload, .effect(id), after: delay, reads: reads, change)
  }

  mutating func output(
    _ label: String, _ payload: Value, of step: Int, after delay: Int,
    change: (inout ValueObject) -> Void
  ) {
    add(label, payload, .output(of: step), after: delay, change)
  }

  mutating func end(_ effect: EffectID, _ kind: EffectEvent.Kind) {
    milliseconds += 100
    events.append(
      EffectEvent(
        effect: effect, step: steps.count - 1, time: .milliseconds(milliseconds), kind: kind))
  }

  private mutating func add(
    _ label: String, _ payload: Value, _ cause: Cause, after delay: Int, reads: [Read] = [],
    _ change: (inout ValueObject) -> Void
  ) {
    milliseconds += delay
    steps.append(
      Step(
        number: steps.count, time: .milliseconds(milliseconds), label: label,
        action: .object([label: payload]), cause: cause, reads: reads))
    guard case .object(var object)? = states.last else { return }
    change(&object)
    states.append(.object(object))
  }

  var recording: MemoryRecording {
    MemoryRecording(
      name: "wishes.retcon", app: "Wishes", steps: steps, states: states, events: events,
      effectReads: effectReads)
  }
}
