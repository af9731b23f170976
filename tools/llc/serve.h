// Compiles many inputs in one process that is already warm: a compilation is a fork of it, which saves loading the
// program and setting up LLVM, half of the time of a small kernel.
#ifndef REGTRIAGE_SERVE_H
#define REGTRIAGE_SERVE_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace regtriage {

/// Whether the command line is the one that asks for this: -serve, alone.
bool wantsServing(int argc, char **argv);

/// Reads requests from stdin until it ends. A request is the name of a file for stdout, one for stderr, and the
/// arguments, each ended by a NUL, then one more NUL. Answers with the process id, and, when that process has ended,
/// with its exit status or minus the signal: a line each.
int serve(const char *Program, llvm::function_ref<int(int, char **)> Run);

} // namespace regtriage

#endif
