// SPDX-License-Identifier: MIT
#pragma once

#include <testing/consulmodel.h>

/// Short ways to speak with the model, for tests that read like the table of Consul's answers.
namespace Baton::Testing {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

struct ModelFixture
{
    ConsulModel model{1};
    Instant now{};
    Rights rights;
    const QString key = u"service/x/leader"_s;

    ModelFixture() { model.addNode(u"n1"_s); }

    Outcome run(const Command &command) { return model.execute(command, rights, now); }
    QString session(Duration ttl = 10s, Duration lockDelay = 15s, Behavior behavior = Behavior::Release)
    {
        MakeSession make;
        make.node = u"n1"_s;
        make.ttl = ttl;
        make.lockDelay = lockDelay;
        make.behavior = behavior;
        make.nodeChecks = QStringList();
        return run(make).session->id;
    }
    bool acquire(const QString &session, const QByteArray &value = "v")
    {
        PutKey put{key, value, 0, {}, session, {}};
        return run(put).done;
    }
    bool release(const QString &session, const QByteArray &value = {})
    {
        PutKey put{key, value, 0, {}, {}, session};
        return run(put).done;
    }
    void put(const QString &name, const QByteArray &value) { run(PutKey{name, value, 0, {}, {}, {}}); }
    Outcome transact(std::vector<Operation> operations) { return run(Transaction{std::move(operations)}); }
    Operation lock(const QString &session) const { return {Verb::Lock, key, "v", 0, 0, session}; }
    Operation get() const { return {Verb::Get, key, {}, 0, 0, {}}; }
    Operation checkIndex(quint64 index) const { return {Verb::CheckIndex, key, {}, 0, index, {}}; }

    std::optional<KvEntry> entry(const QString &name = {})
    {
        const KvEntry *found = (model.advance(now), model.store().find(name.isEmpty() ? key : name));
        return found ? std::optional(*found) : std::nullopt;
    }
    bool lives(const QString &session) { return (model.advance(now), model.store().session(session)); }
};

} // namespace Baton::Testing
