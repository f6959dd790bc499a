import Testing

@testable import StoreRecording
