/// Whether a step cancelled an effect of which only the recorded text of its cancel ids is known.
package enum RecordedCancellation: Sendable { case no, yes, unknown }

extension EffectLedger {
  /// Compares the ids cancelled so far with the recorded text. An effect of a child is unknown, because
  /// the child may be gone.
  func cancellation(ofEffectNamed text: String) -> RecordedCancellation {
    guard let cancelledIDs, !text.contains("[") else { return .unknown }
    var found = RecordedCancellation.no
    for case .id(let id, let path) in cancelledIDs where path.isEmpty {
      if text == id.description {
        if id.hasWholeText { return .yes }
        found = .unknown
      } else if id.hasWholeText ? text.contains(id.description) : text.contains(id.typeText) {
        found = .unknown
      }
    }
    return found
  }
}

extension AnyID {
  /// Whether two ids of its type are equal exactly if their texts are.
  fileprivate var hasWholeText: Bool {
    if base is NamedID || base is String || base is any FixedWidthInteger || base is Bool {
      return true
    }
    let mirror = Mirror(reflecting: base)
    return mirror.displayStyle == .enum && mirror.children.isEmpty
  }

  fileprivate var typeText: String { stableName(of: type(of: base)) }
}

extension StoreMachine {
  /// Compares the ids that steps cancel from now on with recorded ones.
  package mutating func watchCancelledIDs() { ledger.cancelledIDs = [] }

  package mutating func endWatchingIDs() { ledger.cancelledIDs = nil }

  package func cancellation(ofEffectNamed text: String) -> RecordedCancellation {
    ledger.cancellation(ofEffectNamed: text)
  }
}
