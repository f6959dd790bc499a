import SessionWords
import ValueTree

/// Laws of states: sums that stay, lists without doubles, references to what is there, places
/// that are equal.
extension LearnedLaws {
  /// An element gains as much as another one loses.
  mutating func learnSums(_ step: Step, _ changes: [ChangedPlace]) {
    var groups: [String: (place: StatePlaces.Place, count: Int, growth: Double)] = [:]
    for change in changes where !change.keys.isEmpty && change.place.aspect == .value {
      guard change.old?.number != nil || change.new?.number != nil else { continue }
      let group = change.keys.dropLast().joined(separator: "\0")
      var known = groups["\(change.place.node) \(group)"] ?? (change.place, 0, 0)
      known.count += 1
      known.growth += change.growth
      groups["\(change.place.node) \(group)"] = known
    }
    for (place, count, growth) in groups.values where count > 1 {
      let law = law(.sum, place.node)
      if abs(growth) < 1e-6 {
        law.countSupport()
      } else {
        law.fail(
          at: step,
          "\(step.label) changed the sum of \(places.name(place)) by \(words(growth)); usually it stays"
        )
      }
    }
  }

  mutating func learnLists(_ step: Step, _ changes: [ChangedPlace]) {
    for change in changes where change.place.aspect == .elements {
      guard let list = change.new?.list, list.count > 1 else { continue }
      let law = law(.double, change.place.node)
      let texts = list.compactMap(\.scalarText)
      if Set(texts).count == texts.count {
        law.countSupport()
      } else {
        law.fail(
          at: step, by: change.key,
          "\(step.label) put one thing into \(places.name(change.place)) twice; usually it is there "
            + "once")
      }
    }
    learnPlacings(step, changes)
  }

  /// Each element of a collection stands once in the lists of some place.
  private mutating func learnPlacings(_ step: Step, _ changes: [ChangedPlace]) {
    var moved: [StatePlaces.Place: Set<String>] = [:]
    for change in changes where change.place.aspect == .elements {
      let (old, new) = (Self.texts(change.old), Self.texts(change.new))
      moved[change.place, default: []].formUnion(Set(old).symmetricDifference(new))
    }
    var touched: [Int: Set<String>] = [:]
    for change in changes where change.isAdded && change.place.aspect == .value {
      guard places.nodes[change.place.node].names.last == StatePlaces.element,
        let key = change.keys.last
      else { continue }
      touched[change.place.node, default: []].insert(key)
    }
    for (node, keys) in touched {
      for key in keys {
        for (place, _) in occurrences[key] ?? [:] where place.aspect == .elements {
          placings[node, default: []].insert(place)
        }
        for place in placings[node] ?? [] { check(key, of: node, in: place, step) }
      }
    }
    for (place, keys) in moved {
      for (node, lists) in placings where lists.contains(place) {
        for key in keys where elements[node]?[key] != nil { check(key, of: node, in: place, step) }
      }
    }
  }

  private mutating func check(
    _ key: String, of node: Int, in place: StatePlaces.Place, _ step: Step
  ) {
    let law = law(.misplaced, node, place.node)
    let count = occurrences[key]?[place] ?? 0
    if count == 1 { return law.countSupport() }
    law.fail(
      at: step, by: key,
      "after \(step.label), \(name(of: node, key)) stands \(count == 0 ? "nowhere" : "\(count) times") "
        + "in \(places.name(place)); usually it stands there once")
  }

  private func name(of node: Int, _ key: String) -> String {
    let names = places.nodes[node].names.dropLast() + [key]
    return ValuePath(names.map { .key($0) }).text
  }

  /// A place has an element of a collection as its value.
  mutating func learnReferences(_ step: Step, _ changes: [ChangedPlace]) {
    for change in changes {
      let old = Set(change.place.aspect == .elements ? Self.texts(change.old) : [])
      for text in Self.texts(change.new) where !old.contains(text) {
        for (node, keys) in elements where node != change.place.node {
          let isThere = keys[text] != nil
          let known = references[change.place]?[node]
          if known == nil {
            references[change.place, default: [:]][node] = isThere
          }
          guard known ?? isThere else { continue }
          let law = law(.unknown, change.place.id, node)
          if isThere {
            law.countSupport()
          } else {
            let collection = ValuePath(places.nodes[node].names.dropLast().map { .key($0) }).text
            law.fail(
              at: step, by: change.key,
              "\(step.label) set \(places.name(change.place)) to “\(text.clipped(to: 40))”, which is "
                + "not in \(collection); usually it is")
          }
        }
      }
    }
  }

  /// Two places, or a place and a sum, have the same value.
  mutating func learnEqualities(_ step: Step, _ changes: [ChangedPlace]) {
    var groups: [String: [StatePlaces.Place]] = [:]
    if changes.count < 900 {
      for change in changes {
        guard let value = change.new, value.scalarText != nil, value != "", value != 0, value != 1,
          change.place.aspect != .elements
        else { continue }
        groups["\(change.key)\u{1}\(value.text())", default: []].append(change.place)
      }
    }
    for equal in groups.values where equal.count > 1 {
      let real = equal.filter { $0.aspect != .computed }
      guard !real.isEmpty, real.count <= 8, equal.count <= 80 else { continue }
      for left in real {
        for right in equal where right != left {
          equalities[left, default: []].insert(right)
          equalities[right, default: []].insert(left)
        }
      }
    }
    var done: Set<String> = []
    for change in changes {
      for other in equalities[change.place] ?? [] {
        let (left, right) = change.place < other ? (change.place, other) : (other, change.place)
        let name = "\(left.id) \(right.id)"
        guard done.insert("\(name) \(change.key)").inserted,
          let first = values[left]?[change.key], let second = values[right]?[change.key]
        else { continue }
        law(.unequal, left.id, right.id).state(
          first == second, of: change.key, at: step,
          "after \(step.label), \(places.name(left)) is \(ValuePreview.text(first)) and "
            + "\(places.name(right)) is \(ValuePreview.text(second)); usually they are equal")
      }
    }
  }

  func words(_ growth: Double) -> String {
    (growth > 0 ? "+" : "") + ValuePreview.text(.number(Number(exact: growth)))
  }
}

extension StatePlaces.Place {
  var id: Int { node * 4 + aspect.rawValue }
  static func < (left: Self, right: Self) -> Bool { left.id < right.id }
}
