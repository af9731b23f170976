// What the rest of the driver knows of the spiller's controls; spiller.cpp describes them.

#ifndef REGTRIAGE_LLC_SPILLER_H
#define REGTRIAGE_LLC_SPILLER_H

#include <string>

namespace regtriage {

/// A message about a malformed value of one of the spiller's options, empty if there is none.
std::string invalidSpillerOption();

} // namespace regtriage

#endif
