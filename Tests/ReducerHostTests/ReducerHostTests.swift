import Testing

@testable import ReducerHost
