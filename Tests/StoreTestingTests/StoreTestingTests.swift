import Testing

@testable import StoreTesting
