/// Something that is not as it should be in a file that can be read all the same: the line, what
/// was found there, and what follows from it.
public struct Notice: Sendable, Hashable, CustomStringConvertible {
  public var finding: Finding
  /// The file, where the session has more than one.
  public var file: String?
  /// Counted from 1.
  public var line: Int

  public enum Finding: Sendable, Hashable {
    /// The last line has no end; so many steps are whole.
    case tornTail(intactSteps: Int)
    case zeroBytes(count: Int)
    /// The header cannot be read, for this reason; these of its members were saved.
    case lostHeader(because: String, saved: [String])
    /// A line that cannot be read, for this reason.
    case badLine(reason: String)
    /// The patch of this step does not fit the state before it.
    case wrongPatch(step: Int, reason: String)
    /// The state of this keyframe is not what the patches give.
    case patchesDisagree(step: Int)
    case missingSteps(ClosedRange<Int>)
    /// The number of a step does not follow the one before.
    case outOfOrder(step: Int, after: Int)
    /// The reducer did not come back from this step.
    case unfinishedStep(Int, label: String)
    case newerVersion(String)
    /// Lines of a kind that this version does not know; the first of them has this key.
    case unknownLines(count: Int, key: String)
    /// The recorder could not write these steps.
    case lostSteps(ClosedRange<Int>, because: String)
    /// The recorder could not write so many lines between steps.
    case lostLines(count: Int, because: String)
    case missingPart(Int)
    case unreadablePart(Int, reason: String)
    /// The session begins with this part: those before it do not lie beside it.
    case beginsWithPart(Int, step: Int)
    case truncated
    case replaced
    /// More findings of this kind are not listed one by one.
    case more(count: Int)
  }

  public init(_ finding: Finding, line: Int, file: String? = nil) {
    self.finding = finding
    self.line = line
    self.file = file
  }

  public var description: String { sentence }
}
