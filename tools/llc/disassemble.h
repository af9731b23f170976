// -disassemble: the code of an AMDGPU code object as text.

#ifndef REGTRIAGE_LLC_DISASSEMBLE_H
#define REGTRIAGE_LLC_DISASSEMBLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace regtriage {

/// Whether -disassemble was given.
bool wantsDisassembly();

/// Writes every function of an AMDGPU ELF object, one instruction a line with its address and encoding in a
/// comment, as llvm-objdump does; a comment with the source location and the locations that it is inlined at
/// goes before the first instruction that comes from there. Returns what is wrong with the file, or "".
std::string disassemble(llvm::StringRef Path, llvm::raw_ostream &OS);

} // namespace regtriage

#endif
