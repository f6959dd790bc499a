/// The message of a program that indexes behind the end of an array.
package enum Trap {
  /// An optimised one ends without saying what was wrong.
  package static let saysWhy = _isDebugAssertConfiguration()
}
