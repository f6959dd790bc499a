import Testing

@testable import Samples
