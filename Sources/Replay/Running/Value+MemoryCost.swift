import ValueTree

extension Value {
  /// About how many bytes the typed value takes that encodes to this one: rather more than less.
  ///
  /// A scalar takes a word or two, a text beyond 15 bytes and an array a block of its own. Members are
  /// counted with their keys, as if each object were a dictionary; a struct takes less.
  var memoryCost: Int {
    var cost = 0
    var rest = [self]
    while let value = rest.popLast() {
      cost += 16
      switch value {
      case .null, .bool, .number: break
      case .string(let text): cost += text.blockCost
      case .array(let elements):
        cost += 32
        rest.append(contentsOf: elements)
      case .object(let members):
        for (key, member) in members {
          cost += 16 + key.blockCost
          rest.append(member)
        }
      }
    }
    return cost
  }
}

extension String {
  fileprivate var blockCost: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}
