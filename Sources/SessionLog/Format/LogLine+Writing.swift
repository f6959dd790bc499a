import ValueTree

extension LogLine {
  /// The text of the line with its line end.
  package var bytes: [UInt8] { object.bytes }

  private var object: LineObject {
    var line = LineObject()
    switch self {
    case .step(let step): line.add(step)
    case .begin(let step):
      line.add("begin", step.number)
      line.addHead(of: step)
    case .effect(let event): line.add(event)
    case .read(let read): line.add(read)
    case .readBegun(let read, let step):
      line.add("read", read.key)
      line.add("begin", step)
      line.add("arguments", read.argumentsValue)
      line.add(read.outcome)
    case .signpost(let signpost):
      line.add("signpost", signpost.text)
      line.add("after", signpost.step)
      line.add("time", signpost.time)
      line.add("value", signpost.value)
    case .tape(let key): line.add("tape", key)
    case .end(let step, let time):
      line.add("end", step)
      line.add("time", time)
    case .lost(let steps, let lines, let reason):
      let bounds = steps.map { [$0.lowerBound, $0.upperBound] } ?? []
      line.add("lost", .array(ValueArray(bounds.map { .number(Number($0)) })))
      if lines > 0 { line.add("lines", lines) }
      line.add("because", reason)
    case .unknown(let key): line.add(key, Value.null)
    }
    return line
  }
}

extension LineObject {
  fileprivate mutating func add(_ line: StepLine) {
    let step = line.step
    add("step", step.number)
    add("keyframe", onlyIf: line.state != nil)
    addHead(of: step)
    if !step.reads.isEmpty { add("reads", .array(ValueArray(step.reads.map(\.value)))) }
    add("skipped", onlyIf: step.isSkipped)
    add("error", step.error)
    if let standing = step.standing {
      add("standing", [.string(standing.values.rawValue), .string(standing.outcome.rawValue)])
      if !standing.assumptions.isEmpty {
        add("assumptions", .array(ValueArray(standing.assumptions.map(\.value))))
      }
    }
    add("dropped", onlyIf: line.isStateDropped)
    add("patch", line.patch)
    add("state", line.state)
  }

  fileprivate mutating func addHead(of step: Step) {
    add("time", step.time)
    add("label", step.label)
    add("action", step.action)
    add("cause", step.cause.value)
  }

  fileprivate mutating func add(_ event: EffectEvent) {
    add("effect", event.effect)
    add("event", event.kind.word)
    add("after", event.step)
    add("time", event.time)
    switch event.kind {
    case .started(let origin): add(origin)
    case .failed(let message): add("message", message)
    case .finished: break
    case .cancelled: add("outside", onlyIf: event.isFromOutside)
    }
  }

  mutating func add(_ origin: EffectOrigin) {
    add("from", origin.step)
    add("ordinal", origin.ordinal)
    add("name", origin.name)
    add("file", origin.file)
    add("line", origin.line)
    add("cancel", origin.cancelID)
    add("pause", origin.pause)
  }

  fileprivate mutating func add(_ read: OutsideRead) {
    add("read", read.read.key)
    add("effect", read.effect)
    add("after", read.step)
    add("time", read.time)
    add("arguments", read.read.argumentsValue)
    add(read.read.outcome)
  }

  fileprivate mutating func add(_ outcome: Read.Outcome) {
    switch outcome {
    case .value(let value): add("value", value)
    case .failure(let error): add("error", error)
    }
  }
}

extension Read {
  fileprivate var value: Value {
    var line = LineObject()
    line.add("key", key)
    line.add("arguments", argumentsValue)
    line.add(outcome)
    return line.value
  }
}

extension Cause {
  fileprivate var value: Value {
    switch self {
    case .user: "user"
    case .effect(let number): ["effect": .number(Number(number))]
    case .output(let step): ["output": .number(Number(step))]
    }
  }
}

extension EffectEvent.Kind {
  fileprivate var word: String {
    switch self {
    case .started: "started"
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}
