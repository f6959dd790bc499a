import SessionWords

/// A problem in a readable file: the line, the finding, and its consequence.
public struct Notice: Sendable, Hashable, CustomStringConvertible {
  /// The finding, for programs; ``sentence`` is for people.
  public var finding: Finding
  /// The file, if the session has several.
  public var file: String?
  /// The line, from 1.
  public var line: Int

  /// The problems that a readable file can have.
  public enum Finding: Sendable, Hashable {
    /// The last line is incomplete; this many steps are intact.
    case tornTail(intactSteps: Int)
    /// Zero bytes from a power cut.
    case zeroBytes(count: Int)
    /// The header is unreadable; these members were saved.
    case lostHeader(because: String, saved: [String])
    /// An unreadable line.
    case badLine(reason: String)
    /// The step's patch does not fit the state before it.
    case wrongPatch(step: Int, reason: String)
    /// The keyframe's state differs from the patches' result.
    case patchesDisagree(step: Int)
    /// The line names an effect that has not started in the file.
    case unknownEffect(EffectID)
    /// The line names a step that the file does not have.
    case unknownStep(Int)
    /// Steps without a line.
    case missingSteps(ClosedRange<Int>)
    /// The step's number does not follow the one before.
    case outOfOrder(step: Int, after: Int)
    /// The reducer did not return from this step.
    case unfinishedStep(Int, label: String)
    /// The format is newer than this program.
    case newerVersion(String)
    /// Lines of an unknown kind; the first has this key.
    case unknownLines(count: Int, key: String)
    /// The log says that these steps are lost.
    case lostSteps(ClosedRange<Int>, because: String)
    /// The log says that this many lines between steps are lost.
    case lostLines(count: Int, because: String)
    /// Only this many lines are read; the bytes behind them are left out.
    case tooManyLines(most: Int, leftOut: Int)
    /// A part of the recording is missing.
    case missingPart(Int)
    /// A part of the recording is unreadable.
    case unreadablePart(Int, reason: String)
    /// The session begins with this part, because earlier ones are missing.
    case beginsWithPart(Int, step: Int)
    /// The file became shorter while open.
    case truncated
    /// Another file took its name while open.
    case replaced
    /// The file's name is gone; reading continues.
    case movedAway
    /// More findings of this kind are not listed.
    case more(count: Int)
  }

  package init(_ finding: Finding, line: Int, file: String? = nil) {
    self.finding = finding
    self.line = line
    self.file = file
  }

  /// The ``sentence``.
  public var description: String { sentence }
}

extension Notice {
  /// One sentence: line, finding and consequence.
  public var sentence: String {
    let place = file.map { "\($0), line \(grouped(line))" } ?? "line \(grouped(line))"
    return switch finding {
    case .tornTail(let steps):
      "\(place) is incomplete and was left out; \(grouped(steps)) \(steps == 1 ? "step is" : "steps are") intact."
    case .zeroBytes(let count):
      "\(place): \(grouped(count)) zero bytes, as a power cut leaves them, were left out."
    case .lostHeader(let reason, let saved):
      "\(place): the header is lost (\(ended(reason))); "
        + (saved.isEmpty ? "" : "of it \(saved.joined(separator: ", ")) could be read; ")
        + (saved.contains("state") ? "" : "states are known from the first whole one on, ")
        + "the rest of it is lost."
    case .tooManyLines(let most, let bytes):
      "\(place): Retcon reads \(grouped(most)) lines at most, and left out \(grouped(bytes)) bytes behind it."
    case .badLine(let reason):
      "\(place) cannot be read: \(reason.clipped(to: 300))."
    case .wrongPatch(let step, let reason):
      "\(place): the patch of step \(step) does not fit the state before it (\(ended(reason))); "
        + "states are unknown from there to the next keyframe."
    case .patchesDisagree(let step):
      "\(place): the keyframe of step \(step) does not match the patches before it; "
        + "states between the two keyframes are doubtful."
    case .unknownEffect(let effect):
      "\(place) names effect \(effect), which has not started in this file."
    case .unknownStep(let step):
      "\(place) names step \(step), which this file does not have."
    case .missingSteps(let steps):
      "\(place): \(named(steps)) \(steps.count == 1 ? "is" : "are") missing before it; "
        + "states are unknown from there to the next keyframe."
    case .outOfOrder(let step, let previous):
      "\(place) was skipped: step \(step) does not follow step \(previous)."
    case .unfinishedStep(let step, let label):
      "\(place): step \(step)\(label.isEmpty ? "" : " (\(label.clipped()))") began and never ended; "
        + "the app stopped inside its reducer."
    case .newerVersion(let version):
      "\(place): the session has the newer format \(version.clipped()); "
        + "what this program does not know of it is ignored."
    case .unknownLines(let count, let key):
      "\(place): \(grouped(count)) \(count == 1 ? "line" : "lines") of a kind that this program "
        + "does not know (\"\(key.clipped())\") \(count == 1 ? "is" : "are") ignored."
    case .lostSteps(let steps, let reason):
      "\(place): \(named(steps)) \(steps.count == 1 ? "is" : "are") lost: \(ended(reason)); "
        + "what \(steps.count == 1 ? "it" : "they") did is not known."
    case .lostLines(let count, let reason):
      "\(place): \(counted(count, "line")) between steps \(count == 1 ? "is" : "are") lost: "
        + "\(ended(reason)); reads, signposts or effects may be missing before it."
    case .missingPart(let part):
      "\(place): part \(part) of the recording is missing; the parts behind it were not opened."
    case .unreadablePart(let part, let reason):
      "\(place): part \(part) of the recording cannot be read (\(ended(reason))); "
        + "the parts behind it were not opened."
    case .beginsWithPart(let part, let step):
      "\(place): part \(part - 1) of the recording is not beside this file; "
        + "the session begins with step \(step)."
    case .truncated:
      "the file was shortened or overwritten while it was open; what is gone cannot be shown. "
        + "Open it again."
    case .movedAway:
      "the file was moved or removed while it was open. Retcon still follows it. "
        + "To keep new marks and forks, open it under its new name."
    case .replaced: "the file was replaced while it was open. Open it again."
    case .more(let count): "\(place): \(grouped(count)) more findings of this kind are not listed."
    }
  }

  private func ended(_ reason: String) -> String {
    let reason = reason.clipped(to: 300)
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}
