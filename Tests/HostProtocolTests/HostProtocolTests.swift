import Testing

@testable import HostProtocol
