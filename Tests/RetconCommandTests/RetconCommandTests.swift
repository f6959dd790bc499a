import Testing

@testable import RetconCommand
