/// What follows from a turn and is done when it is over, because it may run somebody else's code on
/// this very thread: an executor can run a job while it is handed over, and a task's cancellation
/// runs its handlers.
struct Aftermath<Action: Sendable> {
  var cancelled: [Task<Void, Never>] = []
  /// Parts of effects that were cancelled by their ids.
  var blocks: [@Sendable () -> Void] = []
  var starting: [(token: EffectToken, run: EffectRun<Action>)] = []
  /// Groups that something of them has ended in, and the step of the user they descend from.
  var leaving: [(group: EffectGroup, root: Int)] = []
}
