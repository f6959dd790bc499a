import Testing

/// Compares a screen with the text that it should be, and shows the whole screen when it is not.
func expectFrame(
  _ frame: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  if frame != expected {
    Issue.record("the screen is\n\(frame)\n<end>", sourceLocation: sourceLocation)
  }
}
