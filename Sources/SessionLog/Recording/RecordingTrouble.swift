import Platform

/// Why a recording is not whole.
public struct RecordingTrouble: Explained, Hashable {
  public var problem: Problem
  public var path: String

  public enum Problem: Sendable, Hashable {
    case cannotOpen(String)
    /// Steps are lost from this one on, until writing succeeds again.
    case cannotWrite(String, fromStep: Int)
    case cannotEncodeState(String, step: Int)
    case cannotEncodeAction(String, step: Int)
    case droppedStates(fromStep: Int)
  }

  public var what: String {
    switch problem {
    case .cannotOpen(let reason): "nothing is recorded: \(reason)"
    case .cannotWrite(let reason, let step): "steps from \(step) on are not recorded: \(reason)"
    case .cannotEncodeState(let reason, let step):
      "the state after step \(step) cannot be encoded and is left out: \(reason)"
    case .cannotEncodeAction(let reason, let step):
      "the action of step \(step) cannot be encoded and is described only: \(reason)"
    case .droppedStates(let step):
      "the recorder has fallen behind; states from step \(step) on are left out until it has caught up"
    }
  }

  public var place: String? { path }

  public var next: String? {
    switch problem {
    case .cannotOpen: "The app goes on; choose another file"
    case .cannotWrite: "The app goes on; free some space, and recording goes on too"
    case .cannotEncodeState, .cannotEncodeAction: "Mend its Encodable conformance"
    case .droppedStates: "Choose the back-pressure policy wait to keep them all"
    }
  }

  func writeToStandardError() {
    var text = "retcon: \(sentence)\n"
    text.withUTF8 { bytes in
      _ = Platform.write(2, bytes.baseAddress, bytes.count)
    }
  }
}
