extension Data {
  public func base64EncodedData() -> Data { self }
}
