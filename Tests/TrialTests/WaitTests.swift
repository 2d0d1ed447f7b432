// Readers that wait for what another process has put, and what it costs them to look.

import Foundation
import Limelight
import LimelightStorage
import Testing

@Suite(.serialized)
struct WaitTests {
  private func code(_ step: () throws -> Void) -> LimelightError.Code? {
    do {
      try step()
      return nil
    } catch {
      return (error as? LimelightError)?.code
    }
  }

  private func milliseconds(_ step: () throws -> Void) rethrows -> Int {
    let start = Clock.monotonicNanoseconds()
    try step()
    return Int((Clock.monotonicNanoseconds() - start) / 1_000_000)
  }

  @Test func whatAnotherProcessHandsOverIsSeenAfterAWait() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["handover", folder.index, "60"])
    try #require(try child.wait(lines: 1))
    let reader = try Index(folder.index, access: .readOnly)
    var seen = 0
    while try child.wait(lines: seen + 1), child.lines[seen] != "done" {
      let words = child.lines[seen].split(separator: " ")
      let generation = try #require(UInt64(words[0]))
      try reader.wait(for: generation, milliseconds: 30_000)
      #expect(try reader.contains(String(words[1])), "\(words)")
      #expect(try reader.stats().generation >= generation)
      seen += 1
    }
    #expect(seen == 60)
    try child.kill()
  }

  @Test func aWaitBeginsBeforeTheChangeAndEndsWithIt() throws {
    let folder = try TrialFolder()
    let writer = try Index(folder.index)
    let reader = try Index(folder.index, access: .readOnly)
    let first = try writer.put([Item(id: "a")]).generation
    let putter = try WorkerThread(name: "put", stackSize: 4 << 20) {
      Clock.sleep(milliseconds: 100)
      _ = try? writer.put([Item(id: "b")])
    }
    for index in [reader, writer] {
      try index.wait(for: first + 1, milliseconds: 30_000)
      #expect(try index.contains("b"))
    }
    putter.join()
    // What is there already costs no wait.
    #expect(try milliseconds { try reader.wait(for: first, milliseconds: 30_000) } < 10_000)
    #expect(try milliseconds { try writer.wait(for: 0, milliseconds: 0) } < 10_000)
    try writer.close()
  }

  @Test func aWriterThatIsKilledLetsNobodyHang() throws {
    let folder = try TrialFolder()
    let child = try TrialProcess(["handover", folder.index, "3"])
    try #require(try child.wait(lines: 4))
    let reader = try Index(folder.index, access: .readOnly)
    let generation = try #require(UInt64(child.lines[2].split(separator: " ")[0]))
    try reader.wait(for: generation, milliseconds: 0)
    let killer = try WorkerThread(name: "kill") { [number = child.number] in
      Clock.sleep(milliseconds: 100)
      kill(number, SIGKILL)
    }
    let waited = milliseconds {
      #expect(code { try reader.wait(for: generation + 1, milliseconds: 400) } == .timedOut)
    }
    killer.join()
    #expect(waited >= 400 && waited < 20_000)
    // The next writer's change is the one that was waited for.
    let writer = try Index(folder.index)
    #expect(try writer.put([Item(id: "next")]).generation == generation + 1)
    try reader.wait(for: generation + 1, milliseconds: 0)
    #expect(try reader.contains("next"))
    try writer.close()
  }

  @Test func whatNeverComesEndsByTheTimeLimit() throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    let other = try Index.inMemory()
    var foreign: UInt64 = 0
    for number in 0..<5 { foreign = try other.put([Item(id: "i\(number)")]).generation }
    let reader = try Index(folder.index, access: .readOnly)
    for handle in [index, reader] {
      for generation in [foreign, 1 << 40, UInt64.max] {
        #expect(code { try handle.wait(for: generation, milliseconds: 0) } == .timedOut)
        #expect(code { try handle.wait(for: generation, milliseconds: 30) } == .timedOut)
      }
      #expect(code { try handle.wait(for: 1, milliseconds: -1) } == .invalidArgument)
    }
    try index.close()
  }

  @Test func aWaitCanBeCancelledAndEndsWithTheIndex() throws {
    let folder = try TrialFolder()
    let writer = try Index(folder.index)
    for access in [Access.readOnly, .readWrite] {
      let index = access == .readOnly ? try Index(folder.index, access: .readOnly) : writer
      let cancellation = Cancellation()
      let canceller = try WorkerThread(name: "cancel") {
        Clock.sleep(milliseconds: 50)
        cancellation.cancel()
      }
      let error = code {
        try index.wait(for: .max, milliseconds: 60_000, cancellation: cancellation)
      }
      canceller.join()
      #expect(error == .cancelled)
      #expect(
        code { try index.wait(for: 0, milliseconds: 0, cancellation: cancellation) } == .cancelled)
      let closer = try WorkerThread(name: "close", stackSize: 4 << 20) {
        Clock.sleep(milliseconds: 50)
        try? index.close()
      }
      #expect(code { try index.wait(for: .max, milliseconds: 60_000) } == .closed)
      closer.join()
    }
  }

  /// What was loaded in bulk comes with a manifest, not through the journal: a reader that has followed the
  /// journal before must not take that for all.
  @Test func loadsBehindAJournalThatWasFollowedAreSeen() throws {
    let folder = try TrialFolder()
    let writer = try Index(folder.index)
    let reader = try Index(folder.index, access: .readOnly)
    let ends = Lock()
    nonisolated(unsafe) var hasEnded = false
    let looker = try WorkerThread(name: "look", stackSize: 4 << 20) {
      while !ends.withLock({ hasEnded }) { _ = try? reader.count }
    }
    var count = 0
    for round in 0..<60 {
      var batches = [(0..<3).map { Item(id: "\(round)/\($0)") }]
      let report = try writer.load { batches.popLast().map { .items($0) } }
      count += 3
      try reader.wait(for: report.generation, milliseconds: 0)
      #expect(try reader.count == count, "round \(round)")
      if round % 3 == 0 {
        try writer.put([Item(id: "put \(round)")])
        count += 1
        #expect(try reader.count == count)
      }
    }
    ends.withLock { hasEnded = true }
    looker.join()
    try writer.close()
  }

  /// A merge leaves no trace in the journal; readers go over to its files in about a second.
  @Test func readersGoOverToMergedFiles() throws {
    let folder = try TrialFolder()
    let writer = try Index(folder.index)
    for number in 0..<4 {
      try writer.put([Item(id: "i\(number)", attributes: [.title: .text("all")])])
      try writer.commit()
    }
    let reader = try Index(folder.index, access: .readOnly)
    #expect(try reader.stats().segments.count > 1)
    try writer.merge()
    let end = Date(timeIntervalSinceNow: 20)
    while try reader.stats().segments.count > 1, end.timeIntervalSinceNow > 0 { usleep(50_000) }
    #expect(try reader.stats().segments.count == 1)
    #expect(try reader.count(.term("all")) == 4)
    try writer.close()
  }

  @Test func aLookThatFindsNothingNewIsOneSystemCall() throws {
    let folder = try TrialFolder()
    let index = try Index(folder.index)
    try index.put([Item(id: "a")])
    try index.commit()
    try index.put([Item(id: "b")])
    try index.commit()
    let library = try SystemCalls.library(
      in: folder,
      """
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <stdarg.h>
      #include <sys/stat.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      static _Atomic long calls;
      long calls_so_far(void) { return calls; }
      #define COUNTED(call) (calls++, (call))
      int fstat(int file, struct stat *status) {
        return COUNTED(syscall(SYS_newfstatat, file, "", status, AT_EMPTY_PATH));
      }
      int fstatat(int folder, const char *name, struct stat *status, int flags) {
        return COUNTED(syscall(SYS_newfstatat, folder, name, status, flags));
      }
      int stat(const char *name, struct stat *status) {
        return COUNTED(syscall(SYS_newfstatat, AT_FDCWD, name, status, 0));
      }
      ssize_t pread(int file, void *buffer, size_t count, off_t offset) {
        return COUNTED(syscall(SYS_pread64, file, buffer, count, offset));
      }
      ssize_t read(int file, void *buffer, size_t count) {
        return COUNTED(syscall(SYS_read, file, buffer, count));
      }
      int openat(int folder, const char *name, int flags, ...) {
        va_list rest;
        va_start(rest, flags);
        int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
        va_end(rest);
        return COUNTED(syscall(SYS_openat, folder, name, flags, mode));
      }
      """)
    let child = try TrialProcess(["idle", folder.index], preloading: library)
    #expect(try child.end() == "idle: 2000 looks, one call each")
    try index.close()
  }
}
