#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.UUID
#else
  public import struct Foundation.UUID
#endif

/// Something that somebody wishes for.
public struct Wish: Codable, Hashable, Sendable, Identifiable {
  public var id: UUID
  public var title: String

  public init(id: UUID, title: String) {
    self.id = id
    self.title = title
  }
}
