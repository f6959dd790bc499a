import RecordingSupport
import SessionWords
import TimeTravel
import ValueTree

/// A small recorded session: a cart whose coupon makes the total negative.
enum Shop {
  static let recording: MemoryRecording = {
    let states: [Value] = [
      ["items": [], "total": 0],
      ["items": ["Tea"], "total": 9],
      ["items": ["Tea"], "total": 9, "loading": true],
      ["items": ["Tea"], "total": 9, "loading": false, "coupon": 10],
      ["items": ["Tea"], "total": -1, "loading": false, "coupon": 10],
    ]
    let steps = [
      Step(number: 0, time: .zero, label: "", action: .null),
      Step(
        number: 1, time: .milliseconds(200), label: "added",
        action: ["added": ["title": "Tea", "price": 9]]),
      Step(number: 2, time: .milliseconds(900), label: "couponTapped", action: "couponTapped"),
      Step(
        number: 3, time: .milliseconds(1_300), label: "couponResponse",
        action: ["couponResponse": ["amount": 10]], cause: .effect(1)),
      Step(
        number: 4, time: .milliseconds(1_301), label: "applied", action: "applied",
        cause: .output(of: 3), reads: [Read(key: "now", value: 77)]),
    ]
    let origin = EffectOrigin(step: 2, name: "fetchCoupon", file: "Shop/Cart.swift", line: 31)
    return MemoryRecording(
      name: "shop.retcon", app: "Shop", steps: steps, states: states,
      events: [
        EffectEvent(effect: 1, step: 2, time: .milliseconds(900), kind: .started(origin)),
        EffectEvent(effect: 1, step: 3, time: .milliseconds(1_302), kind: .finished),
      ],
      effectReads: [1: [Read(key: "coupon", value: ["amount": 10])]])
  }()
}
