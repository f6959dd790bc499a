/// The place of a directly sent action: the n-th of its sender in one turn.
package struct OutputPlace: Hashable, Sendable {
  package enum Release: Hashable, Sendable {
    case none
    case end(of: Int, ordinal: Int)
    case step(Int)
  }

  package var sender: Int
  package var release: Release
  package var number: Int

  package init(sender: Int, release: Release = .none, number: Int) {
    (self.sender, self.release, self.number) = (sender, release, number)
  }
}

/// A reducer's action that the user of a branch skipped, replaced or moved.
package struct OutputEdit: Hashable, Sendable {
  package var place: OutputPlace
  /// The label of what the reducer sent.
  package var label: String
  /// The step in its place; nil without one.
  package var step: Int?
  package var isMoved: Bool

  package init(_ place: OutputPlace, label: String, step: Int?, isMoved: Bool) {
    (self.place, self.label, self.step, self.isMoved) = (place, label, step, isMoved)
  }
}

extension OutputEdit: LineCoded {
  package var object: LineObject {
    let release: LineObject =
      switch place.release {
      case .none: [:]
      case .step(let step): ["releasedBy": step]
      case .end(let step, let ordinal): ["endOf": step, "ordinal": ordinal]
      }
    return ["sender": place.sender, "number": place.number] + release
      + ["label": label, "step": step, "moved": isMoved]
  }

  package init(_ fields: ValueFields) throws(ValueFieldError) {
    var release = OutputPlace.Release.none
    if let step = try fields.optionalNumber("releasedBy") { release = .step(step) }
    if let step = try fields.optionalNumber("endOf") {
      release = .end(of: step, ordinal: try fields.number("ordinal"))
    }
    self.init(
      OutputPlace(
        sender: try fields.number("sender"), release: release, number: try fields.number("number")),
      label: try fields.string("label"), step: try fields.optionalNumber("step"),
      isMoved: fields.bool("moved"))
  }
}
