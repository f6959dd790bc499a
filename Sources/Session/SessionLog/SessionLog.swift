/// The session file for outside users: one import for its words, the file, the recorder and the
/// imports. Retcon itself imports the separate layers.
@_exported import Recorder
@_exported import SessionFile
@_exported import SessionImports
@_exported import SessionWords
