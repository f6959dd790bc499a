extension SessionOpener {
  /// Opens sessions and every foreign format that Retcon knows.
  public static var standard: SessionOpener {
    SessionOpener(importers: [ReduxImporter(), JSONLinesImporter()])
  }
}
