// SPDX-License-Identifier: MIT
#pragma once

/// Exit codes of sysexits(3), as far as `baton` uses them.
namespace Baton::Tools {

inline constexpr int ExitOk = 0;
inline constexpr int ExitUsage = 64; ///< EX_USAGE: a wrong option.
inline constexpr int ExitNoInput = 66; ///< EX_NOINPUT: a file that cannot be read.
inline constexpr int ExitUnavailable = 69; ///< EX_UNAVAILABLE: Consul cannot be read.
inline constexpr int ExitIoError = 74; ///< EX_IOERR: nobody reads standard output any more.
inline constexpr int ExitSignal = 128; ///< Plus the number of the signal that ended it at once.

} // namespace Baton::Tools
