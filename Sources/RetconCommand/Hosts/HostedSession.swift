import HostProtocol
import Platform
import SessionFile
import SessionImports
import SessionWords
import ValueTree

/// A session with the file that hosts get. For a host, another tool's file is converted first; if it
/// has no states, the host computes them once for every reader.
struct HostedSession: Sendable {
  var reader: SessionReader
  var path: String
  var remarks: [String] = []
  private let workFolder: WorkFolder
  private var importer: (any SessionImporter)?

  init(
    _ file: String, in workFolder: WorkFolder, isHosted: Bool = true, piece: Int = .max,
    progress: (Double) throws -> Void = { _ in }
  ) throws {
    self.workFolder = workFolder
    let opener = SessionOpener.standard
    importer = try opener.importer(of: file)
    path = file
    guard isHosted, let importer else {
      reader = try opener.open(file, piece: piece, progress: progress)
      return
    }
    (path, reader) = try Self.converted(file, by: importer, in: workFolder, progress)
  }

  private static func converted(
    _ file: String, by importer: any SessionImporter, in workFolder: WorkFolder,
    _ progress: (Double) throws -> Void
  ) throws -> (String, SessionReader) {
    let path = try workFolder.path("session.retcon")
    try importer.write(file, into: path, progress: progress)
    return (path, try SessionReader(path: path, shownAs: file))
  }

  /// Hosts open their file by its path, and do not follow another tool's.
  mutating func convert() throws {
    guard let importer, path == reader.path else { return }
    (path, reader) = try Self.converted(path, by: importer, in: workFolder) { _ in }
  }

  /// Whether it comes from a file with only actions. An app's recording holds more than steps and
  /// stays unchanged; its states are requested one by one.
  var needsStates: Bool {
    importer != nil && reader.header.states == .first && reader.stepCount > 0
  }

  func withStates(of host: HostConnection) async throws -> HostedSession {
    let loaded = try await host.load(path, as: reader)
    let first = reader.steps.lowerBound
    let start = try await host.state(of: .main, after: first)
    let (told, report) = try await host.steps(of: .main, from: first + 1)
    let computed = try workFolder.path("states.retcon")
    try write(computed, from: start, told, report, by: host.name)
    var hosted = self
    hosted.reader = try SessionReader(path: computed, shownAs: reader.path)
    (hosted.path, hosted.importer) = (computed, nil)
    hosted.remarks = loaded.notes
    for step in told {
      for remark in step.remarks where hosted.remarks.count < loaded.notes.count + 3 {
        hosted.remarks.append("step \(step.step.number): \(remark)")
      }
    }
    return hosted
  }

  private func write(
    _ path: String, from start: Value, _ told: [BranchStep], _ report: BranchReport,
    by name: String
  ) throws {
    var header = reader.header
    header.state = start
    header.states = .everyStep
    header.origin = header.origin ?? SessionHeader.Origin(format: "session", file: reader.fileName)
    header.origin?.statesBy = name
    let writer = try SessionWriter(path: path, header: header)
    var state: Value? = reader.header.state ?? start
    let stop = report.ending
    for number in reader.steps.dropFirst() {
      var step = try reader.step(number)
      let index = number - reader.steps.lowerBound - 1
      if told.indices.contains(index), let patch = told[index].patch, let before = state {
        state = try Patch(patch).applied(to: before)
        step.error = step.error ?? told[index].step.error
      } else if stop?.outcome != .crashed || number < stop?.step ?? 0 {
        // A store keeps its state where its reducer throws.
        state = nil
      }
      if let stop, stop.step == number { step.error = stop.reason }
      if let stop, stop.step < number { step.error = step.error ?? Step.interrupted }
      try writer.append(step, state: state)
      for event in try reader.effectEvents(in: number...number) { try writer.append(event) }
    }
    try writer.finish()
  }
}
