import Testing

@testable import ReplayTesting
