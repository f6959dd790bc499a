import Testing

@testable import ValueTree
