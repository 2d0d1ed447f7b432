// The child's side of the control page: which thread is where, and the stop at a step.

internal import Glibc
internal import LimelightStorage

/// Writes down where the threads of this process are.
enum Witness {
  /// Set once, before any other thread is there.
  nonisolated(unsafe) private static var page: ControlPage?
  nonisolated(unsafe) private static var slotKey = pthread_key_t()

  static func install(_ page: ControlPage) {
    self.page = page
    pthread_key_create(&slotKey, nil)
    enter(thread: 0)
    PhaseHook.install { Witness.reached($0) }
  }

  /// Says which worker this thread is; threads that do not say so are the engine's own.
  static func enter(thread: Int) {
    pthread_setspecific(slotKey, UnsafeRawPointer(bitPattern: thread + 1))
  }

  private static var slot: Int {
    let number = Int(bitPattern: pthread_getspecific(slotKey))
    return number > 0 ? number - 1 : ControlPage.backgroundSlot
  }

  static func begin(_ operation: CrashOperation) { page?.begin(operation, slot: slot) }

  static func end() { page?.begin(.none, slot: slot) }

  private static func reached(_ phase: UInt32) {
    switch page?.reach(phase, slot: slot) ?? .none {
    case .none: break
    case .tell: CrashMessage(.reached).send()
    case .stop:
      CrashMessage(.reached).send()
      while true { pause() }
    }
  }
}
