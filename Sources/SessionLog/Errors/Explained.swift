/// An error in words: what happened, where, and what to do next.
///
/// Every error of the libraries that a person may get to see has this shape; commands and panes
/// show the ``sentence``.
public protocol Explained: Error, CustomStringConvertible {
  /// What happened, without the place and without a full stop.
  var what: String { get }
  /// The file and the line, or nil when it has no place.
  var place: String? { get }
  /// What to do next, as a sentence without a full stop; nil when there is nothing to be done.
  var next: String? { get }
}

extension Explained {
  /// The whole, as one line: `cart.retcon, line 12: the line is not JSON. Open a copy …`
  public var sentence: String {
    let start = place.map { "\($0): \(what)." } ?? "\(what)."
    return next.map { "\(start) \($0)." } ?? start
  }

  public var description: String { sentence }
}
