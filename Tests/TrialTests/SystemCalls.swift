// System calls that behave otherwise in a child: libraries that are loaded before the system's own.

import Foundation
import Testing

enum SystemCalls {
  /// Compiles C code to a library for `TrialProcess(preloading:)`.
  static func library(in folder: TrialFolder, _ code: String) throws -> String {
    let name = folder.path + "/calls-\(UUID().uuidString)"
    try Data((code + "\n").utf8).write(to: URL(fileURLWithPath: name + ".c"))
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc", "-shared", "-fPIC", "-o", name + ".so", name + ".c"]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    return name + ".so"
  }

  /// As on a file system that has no locks.
  static let noLocks = """
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static int call(int file, int command, void *argument) {
      if (command == F_SETLK || command == F_GETLK || command == F_SETLKW) {
        errno = ENOLCK;
        return -1;
      }
      return syscall(SYS_fcntl, file, command, argument);
    }
    int fcntl(int file, int command, ...) {
      va_list rest;
      va_start(rest, command);
      void *argument = va_arg(rest, void *);
      va_end(rest);
      return call(file, command, argument);
    }
    int fcntl64(int file, int command, ...) {
      va_list rest;
      va_start(rest, command);
      void *argument = va_arg(rest, void *);
      va_end(rest);
      return call(file, command, argument);
    }
    """
}
