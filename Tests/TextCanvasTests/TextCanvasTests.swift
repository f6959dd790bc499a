import Testing

@testable import TextCanvas
