#if canImport(FoundationEssentials)
  package import struct FoundationEssentials.UUID
#else
  package import struct Foundation.UUID
#endif

package struct Wish: Codable, Hashable, Sendable, Identifiable {
  package var id: UUID
  package var title: String

  package init(id: UUID, title: String) {
    self.id = id
    self.title = title
  }
}
