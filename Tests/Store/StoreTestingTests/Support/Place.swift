import StoreCore

/// The place of a line of the calling file, as failures name it.
func testPlace(
  _ line: UInt, fileID: StaticString = #fileID, filePath: StaticString = #filePath
) -> SourcePlace {
  SourcePlace(fileID: fileID, filePath: filePath, line: line, column: 1)
}
