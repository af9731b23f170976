#include "serve.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace regtriage {

namespace {

/// The next string up to a NUL; false where the input ends.
bool readField(std::string &Field) {
  Field.clear();
  for (int C = std::getchar(); C != EOF; C = std::getchar()) {
    if (C == '\0')
      return true;
    Field.push_back(char(C));
  }
  return false;
}

bool readRequest(std::vector<std::string> &Fields) {
  Fields.clear();
  std::string Field;
  while (readField(Field)) {
    if (Field.empty())
      return true;
    Fields.push_back(Field);
  }
  return false;
}

void redirect(const std::string &File, int Descriptor) {
  const int Opened = open(File.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (Opened < 0 || dup2(Opened, Descriptor) < 0)
    _exit(3);
  close(Opened);
}

[[noreturn]] void runRequest(const char *Program, std::vector<std::string> &Fields,
                             function_ref<int(int, char **)> Run) {
  redirect(Fields[0], STDOUT_FILENO);
  redirect(Fields[1], STDERR_FILENO);
  if (const int Nothing = open("/dev/null", O_RDONLY); Nothing >= 0)
    dup2(Nothing, STDIN_FILENO);
  std::vector<char *> Arguments{const_cast<char *>(Program)};
  for (size_t N = 2; N != Fields.size(); ++N)
    Arguments.push_back(Fields[N].data());
  Arguments.push_back(nullptr);
  const int Status = Run(int(Arguments.size()) - 1, Arguments.data());
  outs().flush();
  errs().flush();
  _exit(Status);
}

} // namespace

bool wantsServing(int argc, char **argv) { return argc == 2 && StringRef(argv[1]) == "-serve"; }

int serve(const char *Program, function_ref<int(int, char **)> Run) {
  std::vector<std::string> Fields;
  while (readRequest(Fields)) {
    if (Fields.size() < 2)
      return 2;
    const pid_t Child = fork();
    if (Child == 0)
      runRequest(Program, Fields, Run);
    if (Child < 0)
      return 3;
    std::printf("%d\n", int(Child));
    std::fflush(stdout);
    int Status = 0;
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
    }
    std::printf("%d\n", WIFSIGNALED(Status) ? -WTERMSIG(Status) : WEXITSTATUS(Status));
    std::fflush(stdout);
  }
  return 0;
}

} // namespace regtriage
