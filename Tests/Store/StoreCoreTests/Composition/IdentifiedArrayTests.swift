import StoreCore
import StoreTesting
import Testing

@Suite("An identified array")
struct IdentifiedArrayTests {
  struct Row: Identifiable, Equatable, Sendable {
    var id: Int
    var name = ""
  }

  private let rows = IdentifiedArray(uniqueElements: (0..<5).map { Row(id: $0) })

  private func isWhole(_ rows: IdentifiedArray<Row>) -> Bool {
    rows.ids == rows.map(\.id) && rows.indices.allSatisfy { rows.index(id: rows[$0].id) == $0 }
  }

  @Test("loses the elements in some places")
  func remove() {
    var left = rows
    left.remove(atOffsets: [1, 3])
    #expect(left.ids == [0, 2, 4] && isWhole(left))
    left.remove(atOffsets: [])
    #expect(left.ids == [0, 2, 4])
    #expect(rows.count == 5)
  }

  @Test(
    "moves the elements in some places before the one at a place",
    arguments: [
      ([0], 5, [1, 2, 3, 4, 0]), ([1, 3], 0, [1, 3, 0, 2, 4]), ([0, 4], 2, [1, 0, 4, 2, 3]),
    ])
  func move(_ places: [Int], _ target: Int, _ ids: [Int]) {
    var moved = rows
    moved.move(fromOffsets: places, toOffset: target)
    #expect(moved.ids == ids && isWhole(moved))
  }

  @Test("swaps two elements and is written through its subscript")
  func write() {
    var changed = rows
    changed.swapAt(0, 4)
    changed[0].name = "last"
    #expect(changed.ids == [4, 1, 2, 3, 0] && isWhole(changed))
    #expect(changed[id: 4]?.name == "last")
    changed[1] = Row(id: 9)
    #expect(changed.ids == [4, 9, 2, 3, 0] && isWhole(changed))
    #expect(rows[0].name == "")
  }
}
