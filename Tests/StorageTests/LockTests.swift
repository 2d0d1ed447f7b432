// Lock, Condition, WorkerThread, Clock, Randomness: the small services.
import Foundation
import Glibc
import LimelightStorage
import Testing

@Suite struct LockTests {
  /// A number that only its lock protects.
  private final class Counter: @unchecked Sendable {
    let lock = Lock()
    let changed = Condition()
    var value = 0
  }

  private struct Refusal: Error, Equatable {}

  @Test func excludes() throws {
    let counter = Counter()
    let workers = try (0..<4).map { number in
      try WorkerThread(name: "count \(number)") {
        for _ in 0..<10_000 { counter.lock.withLock { counter.value += 1 } }
      }
    }
    for worker in workers { worker.join() }
    #expect(counter.value == 40_000)
  }

  @Test func isFreeAfterAThrow() {
    let lock = Lock()
    #expect(throws: Refusal()) {
      try lock.withLock { () throws(Refusal) in throw Refusal() }
    }
    #expect(lock.withLock { 7 } == 7)
  }

  @Test func conditionsWake() throws {
    let counter = Counter()
    let workers = try (0..<3).map { _ in
      try WorkerThread(name: "wait") {
        counter.lock.withLock {
          while counter.value == 0 { counter.changed.wait(on: counter.lock) }
          counter.value += 1
        }
      }
    }
    counter.lock.withLock { counter.value = 1 }
    counter.changed.broadcast()
    for worker in workers { worker.join() }
    #expect(counter.value == 4)
  }

  @Test func conditionsTimeOut() {
    let counter = Counter()
    let start = Clock.monotonicNanoseconds()
    let isSignalled = counter.lock.withLock {
      // A wait may end early without a signal; one that times out has lasted.
      var isSignalled = true
      while isSignalled, Clock.monotonicNanoseconds() - start < 10_000_000_000 {
        isSignalled = counter.changed.wait(on: counter.lock, milliseconds: 40)
      }
      return isSignalled
    }
    #expect(!isSignalled)
    #expect(Clock.monotonicNanoseconds() - start >= 40_000_000)
    counter.lock.withLock {
      #expect(!counter.changed.wait(on: counter.lock, milliseconds: -5))
    }
  }

  @Test func workersAreNamedAndDeafToSignals() throws {
    let name = Flag()
    let deaf = Flag()
    let mask = signalMask()
    let worker = try WorkerThread(name: "limelight worker", stackSize: 1) {
      let comm = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      if comm == "limelight worke\n" { name.set() }
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      if sigismember(&mask, SIGTERM) == 1 { deaf.set() }
    }
    worker.join()
    worker.join()
    #expect(name.isSet)
    #expect(deaf.isSet)
    #expect(signalMask() == mask, "the maker's mask is as before")
  }

  /// Which signals this thread has blocked.
  private func signalMask() -> [Bool] {
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    return (1..<32).map { sigismember(&mask, $0) == 1 }
  }

  @Test func clocksRun() {
    let start = Clock.monotonicNanoseconds()
    Clock.sleep(milliseconds: 3)
    #expect(Clock.monotonicNanoseconds() - start >= 3_000_000)
    let seconds = Double(Clock.wallMicroseconds()) / 1_000_000
    #expect(abs(seconds - Date().timeIntervalSince1970) < 60)
  }

  @Test func randomnessDiffers() {
    #expect(Randomness.bytes(0) == [])
    #expect(Randomness.bytes(-3) == [])
    #expect(Randomness.bytes(37).count == 37)
    let ids = (0..<1000).map { _ in Randomness.uuid() }
    #expect(Set(ids).count == 1000)
    #expect(ids.allSatisfy { $0.count == 16 && $0[6] >> 4 == 4 && $0[8] >> 6 == 2 })
  }

  @Test func ownedBuffersAreTakenOver() throws {
    let pointer = try #require(malloc(3))
    pointer.copyMemory(from: [1, 2, 3] as [UInt8], byteCount: 3)
    let bytes = MappedBytes.owning(pointer, count: 3)
    #expect(bytes.base == UnsafeRawPointer(pointer))
    #expect(bytes.bytes == [1, 2, 3])
    #expect(MappedBytes.empty().count == 0)
  }
}
