import FoundationEssentials
import TestSupport

/// Random changes to a model, most of them to one leaf.
struct ModelChanges {
  var random: SeededGenerator

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func number() -> Double {
    [0.0, -0.0, 1, 0.5, .nan, .infinity, -.infinity][pick(7)]
  }
  private mutating func text() -> String {
    [
      "é", "e\u{301}", "", "a", "a text of more than fifteen bytes",
      "a text of more than 15 e\u{301}",
    ][
      pick(6)]
  }

  mutating func change(_ model: inout RandomModel) {
    switch pick(12) {
    case 0: model.counter.count += 1
    case 1: model.counter = RandomModel.Counter()
    case 2: model.lineage.name = text()
    case 3: if let derived = model.lineage as? RandomModel.Derived { change(&derived.items) }
    case 4: model.data = Data([UInt8(pick(3))])
    case 5: change(&model.both)
    case 6: change(&model.loose)
    case 7: break
    default: change(&model.plain)
    }
  }

  private mutating func change(_ part: inout RandomModel.PlainPart) {
    switch pick(27) {
    case 0: part.number += 1
    case 1: part.zero = number()
    case 2: part.text = text()
    case 3: part.maybe = [nil, 0, 1][pick(3)]
    case 4: part.nested = [.none, .some(nil), .some(0)][pick(3)]
    case 5: part.item = pick(3) == 0 ? nil : RandomModel.Item(price: number())
    case 6, 7, 8: change(&part.items)
    case 9: part.rows[pick(3)].append(number())
    case 10: change(&part.byName)
    case 11: part.byNumber[pick(30)] = pick(3) == 0 ? nil : number()
    case 12: part.bySuit[RandomModel.Suit.allCases[pick(3)]] = pick(2) == 0 ? nil : [pick(3)]
    case 13: part.byItem[RandomModel.Key(part: pick(4))] = pick(2) == 0 ? nil : text()
    case 14: if part.tags.remove(text()) == nil { part.tags.insert(text()) }
    case 15: change(&part.route)
    case 16: change(&part.loose)
    case 17: change(&part.twice)
    case 18: change(&part.located)
    case 19: part.nan = number()
    case 20: part.date = Date(timeIntervalSinceReferenceDate: Double(pick(3)))
    case 21: part.level = pick(4)
    case 22: part.url = [nil, URL(string: "https://example.org/\(pick(3))")][pick(2)]
    case 23: part.decimal = [Decimal.nan, Decimal(pick(3)), Decimal(string: "0.10") ?? 0][pick(3)]
    case 24: part.generic.right.append(number())
    case 25: part.flags[pick(2)].toggle()
    default: part.small = Float(pick(5)) / 10
    }
    if part.rows[0].count > 30 { part.rows = [[0], [], [1, 2]] }
    if part.generic.right.count > 30 { part.generic.right = [] }
  }

  private mutating func change(_ items: inout [RandomModel.Item]) {
    switch pick(items.count > 40 ? 3 : 6) {
    case 0: if !items.isEmpty { items.remove(at: pick(items.count)) }
    case 1: items.shuffle(using: &random)
    case 2: if items.count > 20 { items.removeFirst(10) }
    case 3: items.insert(RandomModel.Item(id: pick(100)), at: pick(items.count + 1))
    default:
      guard !items.isEmpty else { return }
      change(&items[pick(items.count)])
    }
  }

  private mutating func change(_ item: inout RandomModel.Item) {
    switch pick(6) {
    case 0: item.id += 1
    case 1: item.done.toggle()
    case 2: item.title = text()
    case 3: item.price = number()
    case 4: item.note = pick(2) == 0 ? nil : text()
    default: item.history = item.history.count > 10 ? [] : item.history + [number()]
    }
  }

  private mutating func change(_ items: inout [String: RandomModel.Item]) {
    let key = text()
    if pick(3) == 0 {
      items[key] = pick(2) == 0 ? nil : RandomModel.Item()
    } else if var item = items[key] {
      change(&item)
      items[key] = item
    }
  }

  private mutating func change(_ route: inout RandomModel.Route) {
    switch (route, pick(4)) {
    case (.list(var items, let selected), 0...2):
      change(&items)
      route = .list(items, selected: pick(2) == 0 ? selected : number())
    case (.inside(var inner, var item), 0...2):
      if pick(2) == 0 { change(&inner) } else { change(&item) }
      route = .inside(inner, item)
    case (.home, 0...2): route = .list([RandomModel.Item()], selected: -0.0)
    case (let old, _):
      route = pick(2) == 0 ? .home : .inside(old, RandomModel.Item())
      if pick(4) == 0 { route = .home }
    }
  }

  private mutating func change(_ loose: inout RandomModel.Loose) {
    if pick(2) == 0 { loose.hidden = number() } else { loose.list.append(number()) }
    if loose.list.count > 10 { loose.list = [] }
  }

  private mutating func change(_ twice: inout RandomModel.Twice) {
    if pick(2) == 0 { change(&twice.first) } else { change(&twice.second) }
  }

  private mutating func change(_ located: inout [RandomModel.Located]) {
    switch pick(3) {
    case 0: located.insert(RandomModel.Located(number: pick(3)), at: 0)
    case 1: if located.count > 1 { located.removeFirst() }
    default: if !located.isEmpty { located[located.count - 1].number += 1 }
    }
    if located.count > 10 { located = [RandomModel.Located()] }
  }

  private mutating func change(_ both: inout [RandomModel.Mixed]) {
    switch pick(4) {
    case 0: both.append(RandomModel.Mixed())
    case 1: if !both.isEmpty { both.removeFirst() }
    case 2: both.first?.counter.count += 1
    default: if !both.isEmpty { change(&both[pick(both.count)].items) }
    }
    if both.count > 10 { both = [] }
  }
}
