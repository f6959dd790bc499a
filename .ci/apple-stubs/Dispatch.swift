// The part of Dispatch that StoreCore extends.
open class DispatchQueue: @unchecked Sendable {}
