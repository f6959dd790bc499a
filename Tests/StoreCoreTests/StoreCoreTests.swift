import Testing

@testable import StoreCore
