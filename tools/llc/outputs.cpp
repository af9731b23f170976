#include "outputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <unistd.h>

using namespace llvm;

namespace regtriage {

raw_fd_ostream &OutputFiles::open(StringRef Path) {
  std::error_code Error;
  auto File = std::make_unique<ToolOutputFile>(Path, Error, sys::fs::OF_None);
  if (Error) {
    errs() << Path << ": error: cannot write: " << Error.message() << '\n';
    sys::RunInterruptHandlers();
    _exit(2);
  }
  Files.push_back(std::move(File));
  return Files.back()->os();
}

bool OutputFiles::keepAll() {
  bool Complete = true;
  for (const auto &File : Files) {
    File->os().flush();
    if (std::error_code Error = File->os().error()) {
      errs() << File->getFilename() << ": error: cannot write: " << Error.message() << '\n';
      // A stream destroyed with an unread error ends the process; the error has been reported here.
      File->os().clear_error();
      Complete = false;
    }
  }
  if (Complete)
    for (const auto &File : Files)
      File->keep();
  return Complete;
}

OutputFiles &outputs() {
  static OutputFiles Files;
  return Files;
}

} // namespace regtriage
