struct QueryParser {
  var reader: QueryReader
  /// A condition on steps, not a path query.
  let asksSteps: Bool
  var neighbours: [NeighbourQuestion] = []
  /// The open filters: inside one, `@` is not the whole value.
  var filterDepth = 0
  private var hasBlanksInBrackets = false
  private var depth = 0

  private static let depthLimit = 64
  private static let segmentLimit = 1_000

  init(_ text: String, asksSteps: Bool = false) {
    reader = QueryReader(text)
    self.asksSteps = asksSteps
  }

  mutating func parseQuery() throws(QueryError) -> [QuerySegment] {
    guard reader.consume("$") else {
      throw reader.error("A path query begins with “$”.", hint: "Try “$.” before the first name.")
    }
    let segments = try parseSegments()
    guard reader.isAtEnd else {
      throw reader.error(
        "Expected “.name”, “[…]” or the end, found \(reader.found).",
        hint: "A name with other signs than letters, digits and _ is written ['like this'].")
    }
    return segments
  }

  mutating func parseInnerQuery(
    _ origin: InnerQuery.Origin, after first: [QuerySegment] = [],
    isCode: Bool = false
  ) throws(QueryError) -> InnerQuery {
    hasBlanksInBrackets = false
    let segments = first + (try parseSegments())
    // RFC 9535 allows no blanks in the brackets of a singular query.
    return InnerQuery(
      origin: origin, segments: segments, mayBeSingle: asksSteps || !hasBlanksInBrackets,
      isCode: isCode)
  }

  private mutating func parseSegments() throws(QueryError) -> [QuerySegment] {
    var segments: [QuerySegment] = []
    while true {
      let start = reader.offset
      reader.skipBlanks()
      guard let segment = try parseSegment() else {
        reader.offset = start
        return segments
      }
      segments.append(segment)
      guard segments.count <= Self.segmentLimit else {
        throw reader.error("A query has at most \(Self.segmentLimit) parts.", at: start)
      }
    }
  }

  private mutating func parseSegment() throws(QueryError) -> QuerySegment? {
    if reader.consume("..") {
      if reader.next == UInt8(ascii: "[") { return .descendants(try parseBrackets()) }
      return .descendants([try parseDotSelector(after: "..")])
    }
    if reader.consume(".") { return .children([try parseDotSelector(after: ".")]) }
    if reader.next == UInt8(ascii: "[") { return .children(try parseBrackets()) }
    return nil
  }

  private mutating func parseDotSelector(after dots: String) throws(QueryError) -> QuerySelector {
    if reader.consume("*") { return .wildcard }
    if let name = reader.readName() { return .name(name) }
    throw reader.error(
      "Expected a name or “*” after “\(dots)”, found \(reader.found).",
      hint: "A name with other signs than letters, digits and _ is written ['like this'].")
  }

  private mutating func parseBrackets() throws(QueryError) -> [QuerySelector] {
    let start = reader.offset
    _ = reader.consume("[")
    var selectors: [QuerySelector] = []
    repeat {
      skipBlanksInBrackets()
      selectors.append(try parseSelector())
      skipBlanksInBrackets()
    } while reader.consume(",")
    guard reader.consume("]") else {
      if reader.isAtEnd {
        throw reader.error("The bracket that begins here has no end.", at: start)
      }
      throw reader.error("Expected “,” or “]”, found \(reader.found).")
    }
    return selectors
  }

  private mutating func skipBlanksInBrackets() {
    let start = reader.offset
    reader.skipBlanks()
    if reader.offset > start { hasBlanksInBrackets = true }
  }

  private mutating func parseSelector() throws(QueryError) -> QuerySelector {
    if reader.consume("*") { return .wildcard }
    if reader.consume("?") {
      reader.skipBlanks()
      filterDepth += 1
      defer { filterDepth -= 1 }
      return .filter(try parseExpression())
    }
    if let name = try reader.readString() { return .name(name) }
    let start = try reader.readInteger()
    let afterStart = reader.offset
    reader.skipBlanks()
    guard reader.consume(":") else {
      reader.offset = afterStart
      if let start { return .index(start) }
      throw reader.error(
        "Expected a name in quotes, an index, a slice, “*” or “?”, found \(reader.found).")
    }
    return .slice(try parseSlice(start: start))
  }

  private mutating func parseSlice(start: Int?) throws(QueryError) -> QuerySlice {
    reader.skipBlanks()
    var slice = QuerySlice(start: start, end: try reader.readInteger())
    let afterEnd = reader.offset
    reader.skipBlanks()
    guard reader.consume(":") else {
      reader.offset = afterEnd
      return slice
    }
    reader.skipBlanks()
    if let step = try reader.readInteger() { slice.step = step }
    return slice
  }

  /// Limits nesting, so that thousands of brackets cannot exhaust the stack.
  mutating func nested<Result>(
    _ body: (inout Self) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < Self.depthLimit else {
      throw reader.error("More than \(Self.depthLimit) brackets and filters inside one another.")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}
