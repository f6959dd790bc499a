import Platform
import Replay
import SessionFile
import SessionWords
import StoreCore
import StoreTesting
import ValueTree

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.URL
#else
  public import struct Foundation.URL
#endif

/// Expects that a recorded session replays exactly with the current reducer: the same states,
/// sends, effects and reads.
///
/// ```swift
/// @Test func coupon() async throws {
///   try await expectReplays(session, Cart())
/// }
/// ```
///
/// It fails at the caller's line, under Swift Testing and XCTest, with recorded and re-run values
/// in two columns. Unused recorded values, and reads without one, are failures unless `allowing`
/// says otherwise. Record the app's own dependencies as in the app; the built-in ones are recorded
/// already.
///
/// It runs the step in which the app stopped last. While the reducer still crashes there, the
/// test's process ends: put the call into an exit test, as `retcon test --as replay` does.
///
/// A folder means all sessions in it (`*.retcon`), reported separately. A folder without sessions
/// is a failure.
///
/// Throws if the session cannot be read or run.
public func expectReplays<State: Codable & Sendable, Action: Codable & Sendable>(
  _ session: URL, _ reducer: some Reducer<State, Action>, allowing: ReplayAllowances = [],
  upgrade: SessionUpgrade? = nil,
  withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async throws {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let setup = ReplaySetup(reducer, upgrade: upgrade, withDependencies: change)
  let names = namesInFolder(session.path).filter { $0.hasSuffix(".retcon") }.sorted()
  let isFolder = !names.isEmpty || session.hasDirectoryPath
  if isFolder, names.isEmpty {
    FailureReporter.current.report(
      Failure("There are no sessions (*.retcon) in \(session.path).", place: place))
  }
  for session in isFolder ? names.map({ session.appending(path: $0) }) : [session] {
    try Task.checkCancellation()
    let replay = try SessionReplay(SessionReader(path: session.path), setup)
    let report = try replay.verify(VerifyOptions(allowing))
    guard report.isEqual else {
      FailureReporter.current.report(
        Failure(report.text(title: session.lastPathComponent), place: place))
      continue
    }
    guard let step = report.unfinished?.step else { continue }
    let ending = try replay.run([], from: nil, until: step).ending
    if let ending, ending.outcome == .undecodable {
      FailureReporter.current.report(
        Failure(
          "Step \(step), where the app stopped, does not decode: \(ending.reason)", place: place))
    }
  }
}

/// The differences that are not failures.
public struct ReplayAllowances: OptionSet, Sendable {
  /// The bits of the allowances.
  public let rawValue: Int

  /// Required by `OptionSet`; use the names below.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Recorded values that the reducer no longer reads.
  public static let unusedReads = ReplayAllowances(rawValue: 1)
  /// Reads without a recorded value: they get a substitute.
  public static let missingReads = ReplayAllowances(rawValue: 2)
}

extension VerifyOptions {
  fileprivate init(_ allowances: ReplayAllowances) {
    self.init()
    allowsUnusedReads = allowances.contains(.unusedReads)
    allowsMissingReads = allowances.contains(.missingReads)
  }
}

/// Expects a condition to hold for a state: as in `retcon find` and `retcon check`, about `state`,
/// and about `label` if you pass the last action's. It fails for conditions about other words.
///
/// ```swift
/// try expectHolds("state.total >= 0", store.state)
/// try expectHolds("!(state.isLocked && label == 'typed')", store.state, label: "typed")
/// ```
public func expectHolds(
  _ rule: String, _ state: some Encodable, label: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) throws {
  let condition = try Condition(rule)
  let value = try ValueEncoder().encode(state)
  var words: ValueObject = ["state": value]
  if let label { words["label"] = .string(label) }
  let unknown = condition.paths.compactMap(\.tokens.first).filter { words[$0] == nil }
  guard try !unknown.isEmpty || !condition.holds(for: .object(words)) else { return }
  let places = (condition.paths(in: "state") ?? []).map { place in
    "\nstate\(place) is \(value[place]?.text() ?? "not there")"
  }
  let reason =
    unknown.isEmpty
    ? "The rule does not hold: \(rule)"
    : "The rule asks about \(unknown[0]), which a test does not know: \(rule)"
  FailureReporter.current.report(
    Failure(
      reason + "\n" + places.joined(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1)))
}
