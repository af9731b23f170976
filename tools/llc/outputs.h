// Output files that exist only if the compilation succeeds.

#ifndef REGTRIAGE_LLC_OUTPUTS_H
#define REGTRIAGE_LLC_OUTPUTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ToolOutputFile.h"
#include <memory>
#include <vector>

namespace regtriage {

/// Every file this process writes. Until keepAll() they are removed again when the process ends, in whatever
/// way: by return, by a fatal error, by a signal.
class OutputFiles {
public:
  /// Opens Path ("-" is the standard output). A file that cannot be opened is reported on stderr and ends the
  /// process with exit status 2.
  llvm::raw_fd_ostream &open(llvm::StringRef Path);

  /// Makes the files permanent. Returns false, with a message on stderr, if one of them is not fully written.
  bool keepAll();

private:
  std::vector<std::unique_ptr<llvm::ToolOutputFile>> Files;
};

/// The files of this process.
OutputFiles &outputs();

} // namespace regtriage

#endif
