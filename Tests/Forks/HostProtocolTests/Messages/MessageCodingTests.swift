import SessionWords
import Testing
import ValueTree

@testable import HostProtocol

@Suite struct MessageCodingTests {
  static let requests: [(HostRequest, String)] = [
    (
      HostRequest(id: 1, ask: .greet(debugger: "retcon")),
      #"{"id":1,"ask":"greet","version":[2,3],"debugger":"retcon"}"#
    ),
    (
      HostRequest(id: 2, ask: .load(path: "/logs/cart.retcon")),
      #"{"id":2,"ask":"load","path":"/logs/cart.retcon"}"#
    ),
    (
      HostRequest(
        id: 3,
        ask: .run(
          RunRequest(
            branch: BranchPath(
              "no coupon",
              Script(
                leavesAt: 4,
                edits: [
                  .skip(step: 5), .replace(step: 6, action: ["add": 2]),
                  .insert(after: 6, action: "clear"), .move(step: 7, after: 9),
                  .read(step: 8, key: "uuid", index: 0, outcome: .value("A")),
                  .set(step: 8, pointer: ["total"], value: 0),
                  .answer(EffectAnswer(effect: 2, after: 8, outcome: .fail(message: "offline"))),
                  .reply(Reply(to: Question("search", ["ab"]), .value(["x"]))),
                ])),
            from: 5, until: 12))),
      #"{"id":3,"ask":"run","branch":[{"name":"no coupon","script":{"parent":"main","leavesAt":4,"#
        + #""rest":"rerun","edits":[{"edit":"skip","step":5},"#
        + #"{"edit":"replace","step":6,"action":{"add":2}},"#
        + #"{"edit":"insert","after":6,"action":"clear"},{"edit":"move","step":7,"after":9},"#
        + #"{"edit":"read","step":8,"key":"uuid","index":0,"outcome":{"value":"A"}},"#
        + #"{"edit":"set","step":8,"pointer":"/total","value":0},"#
        + #"{"edit":"answer","effect":2,"after":8,"outcome":{"end":"fail","message":"offline"}},"#
        + #"{"edit":"reply","key":"search","arguments":["ab"],"value":["x"]}"#
        + #"]}}],"from":5,"until":12}"#
    ),
    (
      HostRequest(id: 4, ask: .state(branch: .main, step: 7)),
      #"{"id":4,"ask":"state","branch":[],"step":7}"#
    ),
    (
      HostRequest(id: 5, ask: .verify(VerifyOptions())),
      #"{"id":5,"ask":"verify","options":{"checksDeterminism":true,"limit":1}}"#
    ),
    (
      HostRequest(
        id: 6,
        ask: .live(
          LiveRequest(
            branch: .main, effect: 12, limits: LiveLimits(time: .seconds(5), emissions: 3)))),
      #"{"id":6,"ask":"live","branch":[],"effect":12,"time":5,"emissions":3}"#
    ),
    (
      HostRequest(
        id: 6,
        ask: .live(
          LiveRequest(branch: .main, effect: 12, question: Question("search", ["ab"])))),
      #"{"id":6,"ask":"live","branch":[],"effect":12,"#
        + #""question":{"key":"search","arguments":["ab"]},"time":10,"emissions":100}"#
    ),
    (
      HostRequest(
        id: 7,
        ask: .run(
          RunRequest(
            branch: BranchPath(
              "live",
              Script(
                leavesAt: 4,
                edits: [
                  .answer(
                    EffectAnswer(
                      effect: 2, after: 4, outcome: .emit(action: 1),
                      live: .init(delay: .milliseconds(2), reads: [Read(key: "api", value: 3)])))
                ])),
            from: nil))),
      #"{"id":7,"ask":"run","branch":[{"name":"live","script":{"parent":"main","leavesAt":4,"#
        + #""rest":"rerun","edits":[{"edit":"answer","effect":2,"after":4,"outcome":{"emit":1},"#
        + #""live":{"delay":0.002,"reads":[{"key":"api","value":3}]}}]}}]}"#
    ),
    (
      HostRequest(id: 8, ask: .check(.action(["add": 2]))),
      #"{"id":8,"ask":"check","action":{"add":2}}"#
    ),
    (
      HostRequest(id: 9, ask: .check(.part(["total"], "9", step: 4, of: .main))),
      #"{"id":9,"ask":"check","branch":[],"step":4,"pointer":"/total","value":"9"}"#
    ),
    (HostRequest(id: 10, ask: .actions), #"{"id":10,"ask":"actions"}"#),
    (HostRequest(id: 0, ask: .whereabouts), #"{"id":0,"ask":"whereabouts"}"#),
    (HostRequest(id: 0, ask: .cancel(request: 3)), #"{"id":0,"ask":"cancel","request":3}"#),
    (HostRequest(id: 0, ask: .quit), #"{"id":0,"ask":"quit"}"#),
  ]

  @Test("every request is one line of JSON and reads back", arguments: requests)
  func request(_ request: HostRequest, _ line: String) throws {
    #expect(request.value.text() == line)
    #expect(try HostRequest(try Value(parsing: line)) == request)
  }

  static let origin = EffectOrigin(
    step: 3, name: "fact", file: "App/Facts.swift", line: 12, cancelID: "String fact", ordinal: 1)

  static let messages: [(HostMessage, String)] = [
    (
      HostMessage(id: 1, .answer(.greeting(HostGreeting(name: "CartHost")))),
      #"{"id":1,"answer":"greeting","version":[2,3],"name":"CartHost","stateType":"","#
        + #""actionType":"","seesEffects":true}"#
    ),
    (
      HostMessage(
        id: 2,
        .answer(
          .loaded(
            LoadReport(
              steps: 9, grade: .risky,
              findings: [
                .init(step: 4, type: "Cart.Action", path: ["add", "0"], problem: "no such case")
              ])))),
      #"{"id":2,"answer":"loaded","steps":9,"grade":"risky","findings":[{"step":4,"#
        + #""type":"Cart.Action","path":"/add/0","problem":"no such case"}]}"#
    ),
    (
      HostMessage(
        id: 6,
        .answer(
          .live(
            LiveRun(
              effect: 12,
              emissions: [.init(delay: .milliseconds(5), action: ["loaded": 3], readCount: 1)],
              end: .finished, duration: .milliseconds(6), reads: [Read(key: "api", value: 3)])))),
      #"{"id":6,"answer":"live","run":{"effect":12,"emissions":[{"delay":0.005,"#
        + #""action":{"loaded":3},"readCount":1}],"end":"finished","duration":0.006,"#
        + #""reads":[{"key":"api","value":3}]}}"#
    ),
    (
      HostMessage(
        id: 7,
        .answer(
          .live(
            LiveRun(effect: 1, emissions: [], end: .stopped(.time), duration: .seconds(1))))),
      #"{"id":7,"answer":"live","run":{"effect":1,"stopped":"time","duration":1}}"#
    ),
    (
      HostMessage(
        id: 3,
        .news(
          .step(
            BranchStep(
              step: Step(
                number: 5, time: .milliseconds(1500), label: "add", action: ["add": ["_0": 2]],
                cause: .effect(4), reads: [Read(key: "uuid", value: "A")]),
              descendsFrom: 6,
              standing: Standing(
                .assumed, .different,
                [
                  Assumption(.stale, .effect(4), from: 5, "an old answer"),
                  Assumption(.substituted, .read(key: "uuid", index: 0), from: 5, "another id"),
                ]),
              effects: [
                EffectEvent(effect: 9, step: 5, kind: .started(origin)),
                EffectEvent(effect: 4, step: 5, time: .seconds(1), kind: .failed("offline")),
              ],
              patch: [["op": "replace", "path": "/total", "value": 3]],
              remarks: ["the recorded “date” was not read"],
              asked: [
                OutsideRead(
                  Read(key: "fact", arguments: [2], value: "b"), effect: 4, step: 4,
                  time: .seconds(1),
                  took: .seconds(1))
              ])))),
      #"{"id":3,"news":"step","step":{"step":5,"time":1.5,"label":"add","#
        + #""action":{"add":{"_0":2}},"cause":{"effect":4},"reads":[{"key":"uuid","#
        + #""value":"A"}],"standing":["assumed","different"],"#
        + #""assumptions":[{"kind":"stale","step":5,"effect":4,"sentence":"an old answer","#
        + #""settling":"Answer effect 4 by hand, or run it live"},{"kind":"substituted","step":5,"#
        + #""read":"uuid","index":0,"sentence":"another id","#
        + #""settling":"Say what “uuid” gives at step 5"}],"#
        + #""patch":[{"op":"replace","path":"/total","value":3}],"descendsFrom":6,"#
        + #""effects":[{"effect":9,"event":"started","after":5,"from":3,"ordinal":1,"#
        + #""name":"fact","file":"App/Facts.swift","line":12,"cancel":"String fact"},"#
        + #"{"effect":4,"event":"failed","after":5,"time":1,"message":"offline"}],"#
        + #""remarks":["the recorded “date” was not read"],"#
        + #""asked":[{"read":"fact","effect":4,"after":4,"time":1,"took":1,"arguments":[2],"#
        + #""value":"b"}]}}"#
    ),
    (
      HostMessage(
        id: 3,
        .answer(
          .ran(
            BranchReport(
              lastStep: 8,
              pending: [
                PendingEffect(
                  effect: 9, origin: origin, isUnanswered: true,
                  recorded: [
                    RecordedOutcome(
                      effect: 4, step: 6, label: "fact", outcome: .emit(action: "fact")),
                    RecordedOutcome(effect: 4, step: 6, outcome: .finish),
                  ])
              ],
              leftOut: [
                LeftOutStep(recordedStep: 7, label: "tick", effect: 2, reason: .cancelled)
              ],
              rejoining: Rejoining(step: 8, parentStep: 10),
              ending: .init(9, .crashed, "Fatal error"))))),
      #"{"id":3,"answer":"ran","report":{"lastStep":8,"pending":[{"effect":9,"origin":{"from":3,"#
        + #""ordinal":1,"name":"fact","file":"App/Facts.swift","line":12,"#
        + #""cancel":"String fact"},"unanswered":true,"recorded":[{"effect":4,"step":6,"label":"fact","#
        + #""outcome":{"emit":"fact"}},{"effect":4,"step":6,"outcome":{"end":"finish"}}]}],"#
        + #""leftOut":[{"step":7,"label":"tick","effect":2,"#
        + #""reason":"its effect was cancelled before"}],"#
        + #""rejoining":{"step":8,"parentStep":10},"ending":"crashed","endingStep":9,"#
        + #""reason":"Fatal error"}}"#
    ),
    (
      HostMessage(
        id: 5,
        .answer(
          .verified(
            VerifyReport(
              steps: 9,
              divergences: [
                Divergence(
                  step: 3, label: "add", kind: .state, path: ["total"], recorded: 1, rerun: .null,
                  hint: "look")
              ],
              undecodable: [UndecodableStep(step: 4, label: "old", reason: "gone")],
              unattributedReads: ["date"], isPartial: true)))),
      #"{"id":5,"answer":"verified","report":{"steps":9,"divergences":[{"step":3,"label":"add","#
        + #""kind":"different state","path":"/total","recorded":1,"rerun":null,"hint":"look"}],"#
        + #""undecodable":[{"step":4,"label":"old","reason":"gone"}],"#
        + #""unattributedReads":["date"],"partial":true}}"#
    ),
    (HostMessage(id: 8, .answer(.checked(nil))), #"{"id":8,"answer":"checked"}"#),
    (
      HostMessage(
        id: 9, .answer(.checked(ValueProblem(path: ["total"], sentence: "expected an integer")))),
      #"{"id":9,"answer":"checked","path":"/total","problem":"expected an integer"}"#
    ),
    (
      HostMessage(id: 11, .answer(.source(notes))),
      #"{"id":11,"answer":"source","reducer":"Hosted(Notes())","modules":["Foundation"],"#
        + #""state":"Notes.State()","steps":[{"step":1,"action":".saved","changes":["#
        + #""$0.editor = nil"],"before":["store.state.$edits.withLock { $0 = 3 }"],"#
        + #""shared":[{"path":"$0.$edits","value":"4"}]}],"#
        + #""library":{"comparesStates":true,"comparesActions":true,"#
        + #""preamble":["let shared1 = Shared(value: 0)"],"remarks":["JSON."]}}"#
    ),
    (
      HostMessage(id: 10, .answer(.actions([["add": 0], ["clear": [:]]]))),
      #"{"id":10,"answer":"actions","actions":[{"add":0},{"clear":{}}]}"#
    ),
    (
      HostMessage(id: 0, .answer(.whereabouts(step: 12))),
      #"{"id":0,"answer":"whereabouts","step":12}"#
    ),
    (
      HostMessage(id: 4, .refusal(HostRefusal(.noSuchStep, "there is no step 99"))),
      #"{"id":4,"refusal":"noSuchStep","message":"there is no step 99"}"#
    ),
  ]

  /// Source for a test store of another architecture.
  private static let notes: StepSource = {
    var step = StepSource.Step(number: 1, action: ".saved", changes: ["$0.editor = nil"])
    step.before = ["store.state.$edits.withLock { $0 = 3 }"]
    step.shared = [StepSource.Step.Shared(path: "$0.$edits", value: "4")]
    var source = StepSource(
      reducer: "Hosted(Notes())", modules: ["Foundation"], state: "Notes.State()", steps: [step])
    var library = StepSource.Library()
    library.preamble = ["let shared1 = Shared(value: 0)"]
    library.remarks = ["JSON."]
    source.library = library
    return source
  }()

  @Test("every message is one line of JSON and reads back", arguments: messages)
  func message(_ message: HostMessage, _ line: String) throws {
    #expect(message.value.text() == line)
    #expect(try HostMessage(try Value(parsing: line)) == message)
  }

  @Test("unknown keys are ignored, and unknown kinds of messages are passed over")
  func unknown() throws {
    let newer = #"{"id":7,"answer":"done","colour":"blue"}"#
    #expect(try HostMessage(try Value(parsing: newer)) == HostMessage(id: 7, .answer(.done)))
    let song = #"{"id":7,"news":"song","text":"la"}"#
    #expect(try HostMessage(try Value(parsing: song)) == nil)
  }

  @Test("a message that lacks something is an error that names the place")
  func missing() throws {
    let line = #"{"id":7,"news":"progress","done":3}"#
    #expect(throws: ValueFieldError(place: "message.of", expected: "a value")) {
      try HostMessage(try Value(parsing: line))
    }
  }

  @Test("a place is a JSON Pointer: a long one ends at the part around it")
  func place() throws {
    func place(_ text: String) throws -> Pointer? {
      let line = #"{"id":7,"answer":"checked","problem":"no","path":"\#(text)"}"#
      guard case .answer(.checked(let problem)) = try HostMessage(try Value(parsing: line))?.content
      else { return nil }
      return problem?.path
    }
    #expect(try place("/a~1b/0") == ["a/b", "0"])
    #expect(try place("/a/\(String(repeating: "é", count: 3000))/b") == ["a"])
    #expect(throws: ValueFieldError(place: "message.path", expected: "a JSON Pointer")) {
      try place("total")
    }
  }
}
