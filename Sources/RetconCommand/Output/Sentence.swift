import SessionLog
import TextCanvas

/// The one place where an error becomes what a person reads. What came out of a file is made
/// visible: it can hold no control for the terminal, and no name that fills it.
func sentence(for error: any Error) -> String {
  SafeText.line(
    ((error as? any Explained)?.sentence ?? String(describing: error)).clipped(to: 2_000))
}
