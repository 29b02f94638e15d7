// SPDX-License-Identifier: MIT
#include "observe/clusterstate.h"

#include <QtCore/QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

/*
 * What a snapshot of 5,000 sessions and 1,000 elections costs while 20 of them change a second: reading the
 * two lists, folding them in, and taking snapshot and delta. An observer reads at most four times a second,
 * so a round of it has five changes.
 */
using namespace Baton;
using namespace Baton::Observe;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr int Sessions = 5000;
constexpr int Elections = 1000;
constexpr int Rounds = 100;
constexpr int ChangesARound = 5;

QByteArray sessionJson(int number, int generation)
{
    const QByteArray id = QByteArray::number(number).rightJustified(8, '0') + "-b94e-393a-cc88-"
        + QByteArray::number(generation).rightJustified(12, '0');
    return "{\"ID\":\"" + id + "\",\"Name\":\"baton service/s" + QByteArray::number(number)
        + "/leader host-1234\",\"Node\":\"node-" + QByteArray::number(number % 40)
        + "\",\"LockDelay\":9000000000,\"Behavior\":\"release\",\"TTL\":\"10s\",\"NodeChecks\":[],"
          "\"ServiceChecks\":null,\"CreateIndex\":"
        + QByteArray::number(100 + number) + ",\"ModifyIndex\":" + QByteArray::number(100 + number) + '}';
}

QByteArray sessionId(int number, int generation)
{
    return sessionJson(number, generation).sliced(7, 36);
}

QByteArray keyJson(int number, int generation)
{
    Core::LockValue value;
    value.instance = u"host-%1"_s.arg(number);
    value.host = u"host"_s;
    value.pid = 1234;
    value.version = u"0.1.0"_s;
    value.session = QString::fromLatin1(sessionId(number, generation));
    value.ttl = 10s;
    value.lockDelay = 9s;
    value.nonce = QString::number(generation);
    return "{\"LockIndex\":" + QByteArray::number(generation + 1) + ",\"Key\":\"service/s"
        + QByteArray::number(number) + "/leader\",\"Flags\":0,\"Value\":\"" + value.toJson().toBase64()
        + "\",\"Session\":\"" + sessionId(number, generation) + "\",\"CreateIndex\":5,\"ModifyIndex\":"
        + QByteArray::number(100'000 + number + 10'000 * generation) + '}';
}

Wire::HttpAnswer answer(const QByteArrayList &items, int index)
{
    Wire::HttpAnswer result;
    result.exchange = Wire::Exchange::Complete;
    result.status = 200;
    result.contentType = "application/json";
    result.consulIndex = QByteArray::number(index);
    result.lengthKnown = true;
    result.body = '[' + items.join(',') + ']';
    return result;
}

struct Samples
{
    const char *what;
    std::vector<double> milliseconds = {};

    void add(qint64 nanoseconds) { milliseconds.push_back(double(nanoseconds) / 1e6); }
    double print()
    {
        std::ranges::sort(milliseconds);
        double sum = 0;
        for (const double value : milliseconds)
            sum += value;
        std::printf("%-32s mean %7.2f ms   p50 %7.2f ms   p99 %7.2f ms\n", what,
                    sum / double(milliseconds.size()), milliseconds[milliseconds.size() / 2],
                    milliseconds[milliseconds.size() * 99 / 100]);
        return sum / double(milliseconds.size());
    }
};
} // namespace

int main()
{
    QByteArrayList sessions;
    QByteArrayList keys;
    std::vector<int> generations(Sessions, 0);
    for (int i = 0; i < Sessions; ++i)
        sessions += sessionJson(i, 0);
    for (int i = 0; i < Elections; ++i)
        keys += keyJson(i, 0);

    ClusterState state({u"service/"_s});
    state.aclsKnown(false);
    Samples decodeSessions{"parse the list of sessions"};
    Samples decodeKeys{"parse the list of keys"};
    Samples fold{"fold both into the state"};
    Samples snapshot{"take snapshot and delta"};
    qsizetype changed = 0;
    std::chrono::nanoseconds now = 1000s;
    int next = 0;
    for (int round = 0; round < Rounds; ++round) {
        for (int i = 0; i < ChangesARound; ++i, ++next) {
            const int which = next * 7 % Elections;
            const int generation = ++generations[std::size_t(which)];
            sessions[which] = sessionJson(which, generation);
            keys[which] = keyJson(which, generation);
        }
        now += 250ms;
        const ReadTimes times{Core::Instant(now), Core::Instant(now + 40ms), 0ns, 1ms};
        const Wire::HttpAnswer sessionsAnswer = answer(sessions, round + 1);
        const Wire::HttpAnswer keysAnswer = answer(keys, round + 1);
        QElapsedTimer clock;
        clock.start();
        const auto sessionList = Wire::decodeQuery(Wire::ListSessions{}, sessionsAnswer);
        decodeSessions.add(clock.nsecsElapsed());
        clock.restart();
        const auto keyList = Wire::decodeQuery(Wire::ListKeys{u"service/"_s, {}, {}}, keysAnswer);
        decodeKeys.add(clock.nsecsElapsed());
        clock.restart();
        state.keysRead(0, std::get<Wire::KeysListed>(keyList), times);
        state.sessionsRead(std::get<Wire::SessionsListed>(sessionList), times);
        fold.add(clock.nsecsElapsed());
        clock.restart();
        const ClusterSnapshot taken = state.takeSnapshot(Core::Instant(now));
        const ClusterDelta delta = state.takeDelta();
        snapshot.add(clock.nsecsElapsed());
        if (round > 0)
            changed += delta.electionsChanged.size();
        if (taken.sessions.size() != Sessions || taken.elections.size() != Elections) {
            std::printf("wrong: %lld sessions, %lld elections\n", (long long)(taken.sessions.size()),
                        (long long)(taken.elections.size()));
            return 1;
        }
    }
    std::printf("%d sessions, %d elections, %d changes a round of 250 ms, %d rounds\n", Sessions, Elections,
                ChangesARound, Rounds);
    const double total = decodeSessions.print() + decodeKeys.print() + fold.print() + snapshot.print();
    std::printf("elections changed in all: %lld of %d\n", (long long)(changed), ChangesARound * (Rounds - 1));
    std::printf(
        "one round %.2f ms: at most %.1f snapshots a second; with the floor of ten times that, %.1f\n", total,
        1000 / total, std::min(4.0, 100 / total));
    return 0;
}
