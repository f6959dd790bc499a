import StoreCore

/// The statements of a test with cases in the place of actions: `\.form.saveTapped`.
extension TestStore where Action: CasePathable {
  /// Sends the action of this case, as a user would.
  @discardableResult
  public nonisolated(nonsending) func send<Value>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    await send(
      Action.allCasePaths[keyPath: path].embed(value), fileID: fileID, filePath: filePath,
      line: line, assert)
  }

  /// Sends the action of this case, as a user would.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ path: CaseKeyPath<Action, Void>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    await send(path, (), fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case, whatever it carries.
  public nonisolated(nonsending) func receive<Value>(
    _ path: CaseKeyPath<Action, Value>, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .case(path), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }

  /// Expects an action of this case that carries this value.
  public nonisolated(nonsending) func receive<Value: Equatable & Sendable>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async {
    await receive(
      .case(path, value), timeout: timeout, fileID: fileID, filePath: filePath, line: line, assert)
  }
}
