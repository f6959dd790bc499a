import SessionWords
import TextCanvas
import ValueTree

/// The one place where an error becomes what a person reads. What came out of a file is made
/// visible: it can hold no control for the terminal, and no name that fills it.
func sentence(for error: any Error) -> String {
  // Of a condition that is not understood the place is shown, in a line of its own.
  if let error = error as? QueryError {
    return "the condition is not understood:\n"
      + SafeText.lines(error.description.clipped(to: 2_000))
  }
  return SafeText.line(
    ((error as? any Explained)?.sentence ?? String(describing: error)).clipped(to: 2_000))
}
