import HostProtocol
import Replay
import SessionWords
@_spi(Adapters) import StoreCore
import ValueTree

/// The source of an app with a test store of its own, twice: as Swift values, and as JSON for states that a
/// test cannot make.
struct ForeignSource {
  private let setup: any RunSetup
  private let app: Substring
  private var writer: ChangeWriter
  private var state: Any
  private var value: Value
  private var valued: StepSource
  private var decoded: StepSource
  private var library = StepSource.Library()
  /// Why the states are not Swift values.
  private var obstacle: String?

  init(
    _ setup: any RunSetup, _ literal: SwiftLiteral, _ source: StepSource, type: String, state: Any,
    value: Value
  ) {
    (self.setup, self.state, self.value) = (setup, state, value)
    (valued, decoded) = (source, source)
    app = SwiftLiteral.fullName(of: setup.actionType).prefix { $0 != "." }
    decoded.state =
      "var recorded: RecordedState<\(type)> = try RecordedState(\(SwiftText.raw(value.text())))"
    library.comparesStates = setup.stateType is any Equatable.Type
    library.comparesActions = setup.actionType is any Equatable.Type
    writer = ChangeWriter(literal: literal)
    writeState()
  }

  var source: StepSource {
    var (source, library) = (obstacle == nil ? valued : decoded, library)
    library.isDecoded = obstacle != nil
    if let obstacle {
      library.preamble = []
      library.remarks = ["The states are JSON: \(obstacle)."]
    } else if !writer.literal.decodedTypes.isEmpty {
      let types = writer.literal.decodedTypes.sorted().joined(separator: ", ")
      library.remarks = ["JSON, where a test sees no initializer for the parts: \(types)."]
    }
    source.library = library
    source.modules = writer.literal.modules.subtracting(["Swift"]).sorted()
    return source
  }

  private mutating func writeState() {
    let places = SharedSource(of: state, at: "", writer.literal).places
    if let part = places.first(where: \.isPart) {
      obstacle = "\(part.path.dropFirst()) is a part of a shared value from the start"
      return
    }
    var literal = writer.literal
    let names = Dictionary(grouping: places) { $0.name }.filter { $1.count > 1 }.keys
    for name in names.sorted() where name.hasPrefix("#") {
      guard let place = places.first(where: { $0.name == name }),
        let text = literal.text(place.value)
      else { continue }
      let variable = "shared\(name.dropFirst())"
      literal.shares[name] = variable
      library.preamble.append("let \(variable) = Shared(value: \(text))")
    }
    guard let text = literal.text(state), isOfApp(literal.modules) else {
      obstacle = "a test cannot name the type of a part"
      return
    }
    literal.shares = [:]
    obstacle = literal.obstacle
    // What stands in the store's initializer cannot throw, and there it finds what it shares.
    if !literal.decodedTypes.isEmpty, !places.isEmpty {
      obstacle =
        obstacle
        ?? "a test sees no initializer for the parts of \(literal.decodedTypes.sorted()[0])"
    }
    valued.state = text
    if obstacle == nil { writer.literal = literal }
  }

  private func isOfApp(_ modules: Set<String>) -> Bool {
    modules.isSubset(of: ["Swift", "Foundation", String(app)])
  }

  mutating func add(_ step: BranchStep) throws {
    let number = step.step.number
    let action = action(step.step.action)
    let change = step.patch.map { SwiftText.raw($0.text()) }
    decoded.steps.append(
      StepSource.Step(number: number, action: action, changes: change.map { [$0] } ?? []))
    guard obstacle == nil else { return }
    if let patch = step.patch { value = try Patch(patch).applied(to: value) }
    let after = try ValueDecoder().decode(setup.stateType, from: value)
    var written = StepSource.Step(number: number, action: action, changes: [])
    writer.newIDs = step.step.reads.compactMap {
      guard $0.key == "stackID", case .value(.number(.integer(let id))) = $0.outcome else {
        return nil
      }
      return Int(id)
    }
    if let problem = writeChanges(step, after, &written) {
      obstacle = "in step \(number), \(problem)"
      return
    }
    state = after
    valued.steps.append(written)
  }

  /// Nil, or what source cannot say.
  private mutating func writeChanges(
    _ step: BranchStep, _ after: Any, _ written: inout StepSource.Step
  ) -> String? {
    let wholes = SharedSource(of: state, at: "$0", writer.literal).wholes
    var values = Dictionary(uniqueKeysWithValues: wholes.map { ($0.name, $0.value) })
    for read in step.step.reads {
      guard case .value(.object(let told)) = read.outcome else { continue }
      switch read.key {
      case "shared":
        for (name, value) in told {
          guard let place = wholes.first(where: { $0.name == name }),
            let type = Swift.type(of: place.value) as? any Decodable.Type,
            let new = try? ValueDecoder().decode(type, from: value),
            let text = writer.literal.text(new)
          else { return "no property that a test sees holds the shared value \(name)" }
          written.before.append(
            "store.state\(place.path.dropFirst(2)).withLock { $0 = \(text) }")
          values[name] = new
        }
      case "sharedLoaded":
        for (name, _) in told where !name.hasPrefix(".inMemory(") {
          return "the app loaded the shared value \(name) from outside of the test"
        }
      default: break
      }
    }
    if let problem = writeShared(wholes, values, after, &written) { return problem }
    guard let changes = writer.changes(of: "$0", from: state, to: after) else {
      guard let patch = step.patch, !SharedSource.holdsPlaces(state),
        !SharedSource.holdsPlaces(after)
      else {
        return "a test cannot set \(writer.problem ?? "the changed part of the state")"
      }
      written.changes = ["try change(&$0, by: \(SwiftText.raw(patch.text())))"]
      return nil
    }
    written.changes = changes
    if let obstacle = writer.literal.obstacle { return obstacle }
    return isOfApp(writer.literal.modules) ? nil : "a test cannot name the type of a part"
  }

  /// What changes in shared values, each once.
  private mutating func writeShared(
    _ wholes: [SharedSource.Place], _ before: [String: Any], _ after: Any,
    _ written: inout StepSource.Step
  ) -> String? {
    let new = SharedSource(of: after, at: "$0", writer.literal)
    writer.sharedElsewhere = Set(wholes.map(\.name))
    for place in wholes {
      guard let old = before[place.name],
        let now = new.wholes.first(where: { $0.name == place.name })?.value,
        !writer.areEqual(old, now)
      else { continue }
      guard let text = writer.literal.text(now) else { return "\(place.path) has no source" }
      written.shared.append(StepSource.Step.Shared(path: place.path, value: text))
    }
    for part in SharedSource(of: state, at: "$0", writer.literal).places
    where part.isPart && before[part.name] == nil {
      writer.sharedElsewhere.insert(part.name)
      guard let now = new.places.first(where: { $0.path == part.path && $0.isPart })?.value,
        !writer.areEqual(part.value, now)
      else { continue }
      guard let text = writer.literal.text(now) else { return "\(part.path) has no source" }
      written.shared.append(StepSource.Step.Shared(path: part.path, value: text))
    }
    return nil
  }

  /// A Swift value, if its types are the app's own, whose initializers a test sees. Else JSON.
  private mutating func action(_ action: Value) -> String {
    var written = writer.literal
    if let value = try? ValueDecoder().decode(setup.actionType, from: action),
      let text = written.text(value), isOfApp(written.modules), written.obstacle == nil
    {
      writer.literal = written
      return text
    }
    return "try decoded(\(SwiftText.raw(action.text())))"
  }
}
