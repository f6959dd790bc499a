/// A value or an error, in a form that actions can hold: equatable and codable.
///
/// ```swift
/// enum Action { case factResponse(TaskResult<String>) }
///
/// return .run { send in
///   await send(.factResponse(TaskResult { try await factClient.fact(7) }))
/// }
/// ```
public enum TaskResult<Success: Sendable>: Sendable {
  /// The result of the work.
  case success(Success)
  /// The error's type and text.
  case failure(TaskFailure)

  /// Runs the work, and catches its error.
  public init(catching body: @Sendable () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(TaskFailure(error)) }
  }

  /// The value; throws the failure.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): value
      case .failure(let failure): throw failure
      }
    }
  }
}

/// The type and the text of an error.
public struct TaskFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name of the error's type.
  public var type: String
  /// The error's description.
  public var description: String

  /// Keeps the type and the text of an error.
  public init(_ error: any Error) {
    if let failure = error as? TaskFailure {
      self = failure
    } else {
      type = stableName(of: Swift.type(of: error))
      description = "\(error)"
    }
  }
}

extension TaskResult: Equatable where Success: Equatable {}
extension TaskResult: Hashable where Success: Hashable {}
extension TaskResult: Encodable where Success: Encodable {}
extension TaskResult: Decodable where Success: Decodable {}

extension TaskResult: CasePathable {
  /// The case paths: `\.response.success`.
  public struct AllCasePaths: CaseListing {
    /// Used by the store; write `allCasePaths`.
    public var _caseNames: [String] { ["success", "failure"] }

    /// The result of the work.
    public var success: CasePath<TaskResult, Success> {
      CasePath(embed: { .success($0) }) { if case .success(let value) = $0 { value } else { nil } }
    }

    /// The error's type and text.
    public var failure: CasePath<TaskResult, TaskFailure> {
      CasePath(embed: { .failure($0) }) { if case .failure(let value) = $0 { value } else { nil } }
    }
  }

  /// The case paths.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// An action may hold a `Result`, too, if it is neither compared nor recorded: errors cannot be.
extension Result where Failure == any Error {
  /// Runs the work, and catches its error.
  public init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension Result: CasePathable {
  /// The case paths: `\.response.success`.
  public struct AllCasePaths: CaseListing {
    /// Used by the store; write `allCasePaths`.
    public var _caseNames: [String] { ["success", "failure"] }

    /// The result of the work.
    public var success: CasePath<Result, Success> {
      CasePath(embed: { .success($0) }) { if case .success(let value) = $0 { value } else { nil } }
    }

    /// The error itself.
    public var failure: CasePath<Result, Failure> {
      CasePath(embed: { .failure($0) }) { if case .failure(let value) = $0 { value } else { nil } }
    }
  }

  /// The case paths.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
