// SPDX-License-Identifier: MIT
#pragma once

#include <Baton/clustersnapshot.h>
#include <Baton/observeroptions.h>

#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace Baton {

class SessionAdminPrivate;

/// What became of it, and why.
struct BATON_EXPORT AdminResult
{
    AdminOutcome outcome = AdminOutcome::Unknown;
    /// What stood in the way of a Refused or an Unknown one.
    ObserveError error;
    /// What is there now, in the case of Changed; one English line.
    QString detail;

    bool operator==(const AdminResult &) const = default;
};

/*!
 * Ends sessions and takes locks away, for an operator who has been shown what that does and said yes. It does
 * nothing by itself, repeats nothing, and acts on what was shown only: each call reads first, consistently,
 * whether the store still has the session or the key as they were in the record that it is given, and else
 * does nothing (Changed).
 *
 * What it does to a leader: Baton's stands down when its watch or its next renewal says so. After
 * destroySession() Consul refuses the lock for the session's lock-delay. After releaseKey() it does not;
 * waiting candidates of Baton impose it on themselves, others may lead while the old leader does not know
 * yet. So prefer destroySession().
 *
 * Threads and lifetime: used from the thread it lives in, which needs an event loop; results come there.
 * Where \a context has gone, a result is not delivered. A SessionAdmin that goes leaves open whether what was
 * under way is done. Each request ends within 5 s.
 *
 * Unstable until 1.0. Pinned by tst_sessionadmin and tst_live_observe.
 */
class BATON_EXPORT SessionAdmin : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Baton::AdminResult &result)>;

    /// The prefixes and intervals of \a options do not matter.
    explicit SessionAdmin(const ObserverOptions &options, QObject *parent = nullptr);
    ~SessionAdmin() override;

    /*!
     * Ends \a session, and with it the terms of all keys that it holds: also of those that no watched prefix
     * shows. Changed where it is gone, is another than shown (CreateIndex), or one of the keys in
     * SessionRecord::keys is not its any more. Consul 1.8 cannot check and destroy in one step, so a key that
     * is taken in between goes with it.
     */
    void destroySession(const SessionRecord &session, QObject *context, Done done);
    /*!
     * Releases the lock of \a election in the holder's name, in one transaction that checks the key's index;
     * the session lives on. The value stays as it was, so that nobody takes this for the holder's own
     * release. Changed where the key's session or index are not those shown.
     */
    void releaseKey(const ElectionRecord &election, QObject *context, Done done);

private:
    friend class SessionAdminPrivate;
    std::unique_ptr<SessionAdminPrivate> d;
};

} // namespace Baton

Q_DECLARE_METATYPE(Baton::AdminResult)
