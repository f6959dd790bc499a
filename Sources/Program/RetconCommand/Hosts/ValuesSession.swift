import SessionFile
import SessionWords
import TimeTravel
import ValueTree

extension OpenSession {
  /// Writes the recording with the values of functions for its states. An unknown value is left out.
  func writeValues(of names: [String], to path: String) async throws {
    let steps = summary.steps
    var header = try recording.header()
    header.states = .everyStep
    header.state = try await values(of: names, in: steps.lowerBound...steps.lowerBound)[0]
    let writer = try SessionWriter(path: path, header: header)
    for first in stride(from: steps.lowerBound, through: steps.upperBound, by: 256) {
      let part = first...min(first + 255, steps.upperBound)
      for (number, value) in zip(part, try await values(of: names, in: part)) {
        if number > steps.lowerBound {
          try writer.append(try recording.step(number), state: value)
        }
        for event in try recording.events(after: number) { try writer.append(event) }
      }
    }
    try writer.finish()
  }

  private func values(of names: [String], in steps: ClosedRange<Int>) async throws -> [Value] {
    try await codeValues(names, in: steps, of: .main).map { $0 ?? [:] }
  }
}
