// SPDX-License-Identifier: MIT
#pragma once

namespace Baton::Shell {

/*!
 * A child made by fork() has none of the threads and holds none of the leases of its parent, although it has
 * inherited their memory. It must neither act as the leader nor touch the parent's connections or wait for
 * threads that it does not have.
 */
void watchForks();
/// True in such a child, from its first instruction on. Any thread.
[[nodiscard]] bool inForkedChild() noexcept;

} // namespace Baton::Shell
