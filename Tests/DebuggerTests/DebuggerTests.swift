import Testing

@testable import Debugger
