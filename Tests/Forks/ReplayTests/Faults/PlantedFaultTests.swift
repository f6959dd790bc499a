import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

@testable import Replay

/// A random session of ``Bazaar``, recorded once for all faults.
struct BazaarSession: Sendable {
  let replayable: SessionReader
  let places: [RecordedPlace]
  let file: TemporaryFile

  init(seed: UInt64, length: Int = 45) async throws {
    var random = SeededGenerator(seed: seed)
    let doing = (0..<length).map { _ in Self.doing(&random) }
    let (session, states, file) = try await record(
      Bazaar(), from: Bazaar.State(), doing
    ) { values, tape in
      values.bazaar = values.bazaar.onTape(tape)
    }
    (replayable, self.file) = (session, file)
    places = try Self.places(session, states)
  }

  static func setup(_ fault: Fault?) -> ReplaySetup<Bazaar.State, Bazaar.Action> {
    ReplaySetup(Bazaar(fault: fault)) { $0.bazaar = $0.bazaar.onTape(Tape()) }
  }

  func verify(_ fault: Fault?, _ options: VerifyOptions = VerifyOptions()) throws -> VerifyReport {
    try SessionReplay(replayable, Self.setup(fault)).verify(options)
  }

  /// The first step at which a fault shows.
  func firstSign(of fault: Fault) -> Int? {
    places.first { fault.shows(at: $0) }?.step.number
  }

  private static func doing(_ random: inout SeededGenerator) -> Doing<Bazaar.Action> {
    let number = Int(random.next() % 5)
    switch random.next() % 21 {
    case 0, 1: return .send(.add(number + 1))
    case 2: return .send(.zero)
    case 3: return .send(.price)
    case 4: return .send(.offer(number + 1, ["tea", "rug", "lamp"][number % 3]))
    case 5: return .send(.draw)
    case 6: return .send(.stamp)
    case 7: return .send(.tag(["amber", "topaz", "beryl"][number % 3]))
    case 8: return .send(.walk)
    case 9, 10: return .send(.announce)
    case 11: return .send(.type(["t", "te", "tea"][number % 3]))
    case 12: return .send(.scroll)
    case 13, 14: return .send(.load(number))
    case 15: return .send(.cancelLoad)
    case 16: return .send(.pair)
    case 17: return .send(.stall(.element(id: number % 2 + 1, action: .visit)))
    default: return .wait(.milliseconds(Int(random.next() % 8) * 70))
    }
  }

  private static func places(
    _ session: SessionReader, _ states: [Bazaar.State]
  ) throws -> [RecordedPlace] {
    var loads: Set<EffectID> = []
    return try session.steps.dropFirst().map { number in
      let step = try session.step(number)
      let events = try session.effectEvents(in: number...number)
      let isLoading = !loads.isEmpty
      for event in events {
        if case .started(let origin) = event.kind {
          if origin.name == "load" { loads.insert(event.effect) }
        } else {
          loads.remove(event.effect)
        }
      }
      return RecordedPlace(
        step: step,
        action: try ValueDecoder().decode(Bazaar.Action.self, from: step.action),
        before: states[number - 1], events: events, isLoading: isLoading)
    }
  }
}

@Suite struct PlantedFaultTests {
  static let sessions = RandomRuns.isLong ? 30 : 15

  @Test(
    "a session of the unchanged app is found equal, and of a changed one nothing is found twice")
  func unchanged() async throws {
    for seed in 0..<UInt64(Self.sessions) {
      let session = try await BazaarSession(seed: seed)
      let report = try session.verify(nil, .all)
      #expect(report.isEqual, "seed \(seed): \(report.text(title: "session"))")
    }
  }

  @Test("each planted fault is found at the step where it first shows, by its name")
  func faults() async throws {
    var sessions: [BazaarSession] = []
    for seed in 0..<UInt64(Self.sessions) { sessions.append(try await BazaarSession(seed: seed)) }
    // Two halves, side by side, because it takes long.
    let (faults, recorded) = (Array(Fault.allCases), sessions)
    let half = faults.count / 2
    async let first = Self.check(faults[..<half], in: recorded)
    async let second = Self.check(faults[half...], in: recorded)
    let lines = try await first + second
    #expect(lines.count == 45)
    print(lines.joined(separator: "\n"))
  }

  /// The report about each fault.
  private static func check(
    _ faults: ArraySlice<Fault>, in sessions: [BazaarSession]
  ) async throws -> [String] {
    var lines: [String] = []
    for fault in faults {
      var (shown, hidden) = (0, 0)
      for (seed, session) in sessions.enumerated() {
        let expected = session.firstSign(of: fault)
        // The short form runs two sessions that show it, and one that does not.
        guard RandomRuns.isLong || (expected == nil ? hidden < 1 : shown < 2) else { continue }
        if expected == nil { hidden += 1 }
        let report = try session.verify(fault)
        // Others want to go on meanwhile.
        await Task.yield()
        let found = report.divergences.first
        if expected != nil { shown += 1 }
        #expect(
          found?.step == expected && (found == nil || found?.kind == fault.kind),
          "\(fault), seed \(seed): shows at \(expected ?? -1), \(report.text(title: "session"))")
      }
      #expect(shown > 0, "\(fault) never showed")
      lines.append("\(fault.rawValue): \(fault.kind.rawValue), shown in \(shown) sessions")
    }
    return lines
  }

  @Test("what is found at one step does not come up again at later ones")
  func noConsequences() async throws {
    for seed in RandomRuns.isLong ? RandomRuns.seeds(1, long: 30) : [1] {
      let session = try await BazaarSession(seed: seed)
      for fault in Fault.allCases {
        let report = try session.verify(fault, .all)
        await Task.yield()
        let signs = session.places.filter { fault.shows(at: $0) }.map(\.step.number)
        let found = report.divergences.map(\.step)
        #expect(found == found.sorted())
        #expect(
          Set(found).isSubset(of: signs),
          "\(fault), seed \(seed): shows at \(signs), \(report.text(title: "session"))")
      }
    }
  }
}
