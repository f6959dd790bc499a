import SessionWords
import Synchronization
import Testing
import TimeTravel
import ValueTree

@Suite("An open session")
struct OpenSessionTests {
  let session = OpenSession(Shop.recording)

  @Test("lists its steps, payload first words included, and leaves out what does not exist")
  func rows() throws {
    let rows = try session.rows(1...99, of: "main")
    #expect(rows.map(\.label) == ["added", "couponTapped", "couponResponse", "applied"])
    #expect(rows[0].payload == #"{title: "Tea", price: 9}"#)
    #expect(rows[2].cause == .effect(1))
    #expect(rows.allSatisfy { $0.standing == nil })
    #expect(try session.rows(7...9, of: "main").isEmpty)
    #expect(try session.rows(0...9, of: "nowhere").isEmpty)
  }

  @Test("a moment holds the state, what changed, the effects and the reads of its cause")
  func moment() async throws {
    let moment = try await session.moment(at: Position(step: 3))
    #expect(moment.state?["coupon"] == 10)
    #expect(moment.difference?.changes.map(\.path.text) == ["loading", "coupon"])
    #expect(moment.difference?.keptCount == 2)
    #expect(moment.effects.map(\.name) == ["fetchCoupon"])
    #expect(moment.effectReads == [Read(key: "coupon", value: ["amount": 10])])
    #expect(moment.trouble == nil)
  }

  @Test("the first step has a state and nothing before it")
  func first() async throws {
    let moment = try await session.moment(at: Position(step: 0))
    #expect(moment.state?["total"] == 0)
    #expect(moment.previousState == nil)
    #expect(moment.difference == nil)
  }

  @Test("what a branch already has is no change")
  func unchanged() async throws {
    let answer: Value = ["couponResponse": ["amount": 10]]
    func answers(_ effect: EffectID, _ outcomes: EffectAnswer.Outcome...) -> [Edit] {
      outcomes.map { .answer(EffectAnswer(effect: effect, after: 2, outcome: $0)) }
    }
    func now(_ index: Int, _ outcome: Read.Outcome) -> [Edit] {
      [.read(step: 4, key: "now", index: index, outcome: outcome)]
    }
    let there: [([Edit], Int)] = [
      (answers(1, .emit(action: answer), .finish), 2),
      ([.replace(step: 2, action: "couponTapped")], 2),
      ([.set(step: 2, pointer: ["total"], value: 9)], 2),
      (now(0, .value(77)), 4),
    ]
    for (edits, step) in there {
      #expect(try await session.has(edits, at: Position(step: step)), "\(edits)")
    }
    let new: [([Edit], Int)] = [
      (answers(1, .emit(action: ["couponResponse": ["amount": 11]])), 2),
      // The recorded effect ends there, and this one goes on.
      (answers(1, .emit(action: answer)), 2),
      (answers(2, .emit(action: answer), .finish), 2),
      (answers(1, .finish), 2),
      ([.insert(after: 3, action: "applied")], 3), ([.skip(step: 2)], 2),
      ([.replace(step: 2, action: "applied")], 2),
      ([.set(step: 2, pointer: ["total"], value: 8)], 2),
      ([.set(step: 2, pointer: ["none"], value: .null)], 2),
      (now(0, .value(78)), 4), (now(1, .value(77)), 4), (now(0, .failure(77)), 4),
    ]
    for (edits, step) in new {
      #expect(try await !session.has(edits, at: Position(step: step)), "\(edits)")
    }
  }

  @Test("a step that does not exist is said to be missing, with those that are there")
  func missing() async {
    await #expect {
      _ = try await session.moment(at: Position(step: 5))
    } throws: {
      "\($0)" == "shop.retcon: there is no step 5. The steps are 0 to 4."
    }
  }

  @Test("a search goes from where one stands to the end, then from the start")
  func searching() async throws {
    let batches = Mutex<[[Int]]>([])
    let text = StepText("coup")
    try await session.search("main", from: 3, for: text) { batch in
      batches.withLock { $0.append(batch.hits) }
    }
    #expect(batches.withLock { $0 } == [[3], [2]])
  }

  @Test("lower case finds upper case; a capital letter asks for itself")
  func smartCase() throws {
    let step = try Shop.recording.step(1)
    #expect(StepText("tea").matches(step))
    #expect(StepText("Tea").matches(step))
    #expect(!StepText("TEA").matches(step))
    #expect(StepText("9").matches(step))
  }

  @Test("a fork without a host says what is missing and how to attach it")
  func noHost() {
    #expect {
      _ = try session.fork("try", Script(leavesAt: 2))
    } throws: {
      "\($0)"
        == "a fork needs the app's reducer. Start again with --host COMMAND "
        + "(--reducer FILE.js for Redux)."
    }
    #expect(session.branches.map(\.name) == ["main"])
  }
}
