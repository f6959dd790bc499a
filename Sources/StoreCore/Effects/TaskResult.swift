/// A value or the error that came instead, as something that an action can hold: it is equal,
/// encoded and decoded like any other value.
///
/// ```swift
/// enum Action { case factResponse(TaskResult<String>) }
///
/// return .run { send in
///   await send(.factResponse(TaskResult { try await factClient.fact(7) }))
/// }
/// ```
public enum TaskResult<Success: Sendable>: Sendable {
  /// What the work gave.
  case success(Success)
  /// What is kept of the error that came instead.
  case failure(TaskFailure)

  /// What the work gives, or the error that it throws.
  public init(catching body: @Sendable () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(TaskFailure(error)) }
  }

  /// The value; throws the failure where there is none.
  public var value: Success {
    get throws {
      switch self {
      case .success(let value): value
      case .failure(let failure): throw failure
      }
    }
  }
}

/// What is kept of an error: its type and its words.
public struct TaskFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name of the error's type.
  public var type: String
  /// What the error said of itself.
  public var description: String

  /// Keeps the type and the words of an error.
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
  /// The cases as key paths: `\.response.success`.
  public struct AllCasePaths: CaseListing {
    /// For the store: write `allCasePaths`.
    public var _caseNames: [String] { ["success", "failure"] }

    /// The result of the work.
    public var success: CasePath<TaskResult, Success> {
      CasePath(embed: { .success($0) }) { if case .success(let value) = $0 { value } else { nil } }
    }

    /// The error, as type and words.
    public var failure: CasePath<TaskResult, TaskFailure> {
      CasePath(embed: { .failure($0) }) { if case .failure(let value) = $0 { value } else { nil } }
    }
  }

  /// The cases as values, to be matched and made.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// An action may hold a `Result`, too, if it need neither be compared nor recorded: errors cannot be.
extension Result where Failure == any Error {
  /// What the work gives, or the error that it throws.
  public init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension Result: CasePathable {
  /// The cases as key paths: `\.response.success`.
  public struct AllCasePaths: CaseListing {
    /// For the store: write `allCasePaths`.
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

  /// The cases as values, to be matched and made.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
