// SPDX-License-Identifier: MIT
#include <Baton/lease.h>

#include "deliver.h"
#include "driverlink.h"
#include "term.h"

namespace Baton {

Lease::Lease() = default;
Lease::~Lease() = default;
Lease::Lease(const Lease &) = default;
Lease::Lease(Lease &&) noexcept = default;
Lease &Lease::operator=(const Lease &) = default;
Lease &Lease::operator=(Lease &&) noexcept = default;

Lease::Lease(std::shared_ptr<Shell::Term> term) : m_term(std::move(term)), m_hold(m_term->hold()) { }

quint64 Lease::token() const
{
    return m_term ? m_term->token : 0;
}

QString Lease::key() const
{
    return m_term ? m_term->key : QString();
}

QString Lease::session() const
{
    return m_term ? m_term->session : QString();
}

bool Lease::isHeld() const
{
    return m_term && m_term->isHeld();
}

std::chrono::nanoseconds Lease::remaining() const
{
    return m_term ? m_term->remaining() : std::chrono::nanoseconds::zero();
}

std::optional<LostReason> Lease::lostReason() const
{
    return m_term ? m_term->lostReason() : std::nullopt;
}

void Lease::release() const
{
    if (!m_term)
        return;
    if (const auto driver = m_term->driver())
        driver->release(m_term->number);
}

void Lease::onLost(QObject *context, std::function<void(Baton::LostReason)> done) const
{
    if (m_term)
        Shell::deliver<LostReason>(m_term->lost(), context,
                                   [done = std::move(done)](const LostReason &reason) { done(reason); });
}

#if defined(__cpp_lib_jthread)
std::stop_token Lease::stopToken() const
{
    return m_term ? m_term->stopToken() : std::stop_token();
}
#endif

} // namespace Baton
