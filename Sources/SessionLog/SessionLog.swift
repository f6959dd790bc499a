/// The session file whole, for who uses it from outside: one import for its words, the file, the
/// recorder and the imports. The house itself imports the layer that it needs.
@_exported import Recorder
@_exported import SessionFile
@_exported import SessionImports
@_exported import SessionWords
