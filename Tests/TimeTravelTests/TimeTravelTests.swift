import Testing

@testable import TimeTravel
