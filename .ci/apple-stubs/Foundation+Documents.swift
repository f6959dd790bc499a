open class FileManager {
  open class var `default`: FileManager { FileManager() }
  public enum SearchPathDirectory: UInt, Sendable { case documentDirectory = 9 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public let rawValue: UInt
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  open func urls(
    for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask
  ) -> [URL] { [] }
}
