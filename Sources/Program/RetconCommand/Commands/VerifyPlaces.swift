import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Which differences of a verification count, and how many steps have the same one.
extension VerifyReport {
  /// More differences than a session has: those that do not count are left out afterwards.
  static let most = 100_000
  private static let placesOfStep = VerifyOptions().placesOfStep
  /// More places than a step usually changes.
  static let placesKnown = 4_096

  /// Omits the differences in states at some places, and below them.
  mutating func omit(_ places: [Pointer]) {
    guard !places.isEmpty else { return }
    let all = divergences
    divergences.removeAll { divergence in
      divergence.kind == .state
        && places.contains { place in
          place.tokens.count <= divergence.path.tokens.count && place.overlaps(divergence.path)
        }
    }
    let steps = Set(all.map(\.step)).count - Set(divergences.map(\.step)).count
    if all.count > divergences.count {
      let names = places.map { ValuePath($0, in: .null).text }.joined(separator: ", ")
      remarks.append(
        steps > 0
          ? "\(counted(steps, "step")) differ\(steps == 1 ? "s" : "") only at what --ignore names: \(names)"
          : "differences at \(names) are left out")
    }
    // Of a step with more places, some are unknown.
    let counts = Dictionary(grouping: all, by: \.step).mapValues(\.count)
    if counts.count >= Self.most || counts.values.contains(where: { $0 >= Self.placesKnown }) {
      isPartial = true
    }
  }

  /// Says where a rule's own places differ first.
  mutating func reportFirst(of rules: [StepQuestion]) {
    for rule in rules {
      let places = rule.condition.likelyPaths(in: "state").filter { !$0.isRoot }
      guard !places.isEmpty else { continue }
      let first = divergences.first { divergence in
        divergence.kind == .state && places.contains(where: divergence.path.overlaps)
      }
      let text = rule.condition.text
      remarks.append(
        first.map {
          "what \(text) asks about differs first at step \(grouped($0.step)), in "
            + ValuePath($0.path, in: .null).text
        } ?? "no difference is in what \(text) asks about")
    }
  }

  /// The differences that are shown: a few places of each step, and only of the first one.
  mutating func limitPlaces(all: Bool) {
    var counts: [Int: Int] = [:]
    divergences = divergences.filter { divergence in
      guard all || divergence.step == divergences[0].step else { return false }
      counts[divergence.step, default: 0] += 1
      return counts[divergence.step, default: 0] <= Self.placesOfStep
    }
  }

  /// Each finding once, where it is first, and a line with the other steps of each.
  var byFinding: (first: VerifyReport, others: [String]) {
    var steps: [String: [Int]] = [:]
    var (first, names) = (self, [String]())
    first.divergences = divergences.filter { divergence in
      let name = divergence.finding
      let known = steps[name]
      if known == nil { names.append(name) }
      if known?.last != divergence.step { steps[name, default: []].append(divergence.step) }
      // One step may have several places of one finding.
      return known == nil || known == [divergence.step]
    }
    let others = names.compactMap { name -> String? in
      guard let others = steps[name]?.dropFirst(), !others.isEmpty else { return nil }
      let shown = others.prefix(others.count > 8 ? 6 : 8).map { grouped($0) }
      let rest = others.count - shown.count
      return "“\(name)” also at \(others.count == 1 ? "step" : "steps") "
        + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
    return (first, others)
  }
}

extension Divergence {
  /// Equal for the same mistake: the action, what differs, and where.
  var finding: String {
    let place = path.withoutPositions
    let name = label.isEmpty ? "" : label + ": "
    return name + kind.rawValue + (place.isRoot ? "" : " at \(place)")
  }
}
