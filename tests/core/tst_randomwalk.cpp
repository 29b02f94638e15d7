// SPDX-License-Identifier: MIT
#include "invariants.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// One sequence of inputs, made by a seed: commands, time and replies that are now likely, now absurd.
class Walk
{
public:
    explicit Walk(quint64 seed);
    void step();
    /// Stops the candidate and lets everything come to its end; nobody answers any more.
    void end();
    [[nodiscard]] const Invariants &invariants() const { return m_invariants; }
    [[nodiscard]] QStringList news() { return m_harness.news(); }
    [[nodiscard]] const QString &lastStep() const { return m_lastStep; }

private:
    quint64 below(quint64 bound) { return m_random.next() % bound; }
    bool chance(int percent) { return int(below(100)) < percent; }
    void command();
    void answerSomething();
    void answer(quint64 request, const Wire::Reply &reply);
    void passTime(Duration by);
    void look();
    Wire::Reply likelyReply(const Send &send);
    Wire::Reply possibleReply(const Send &send);
    Wire::Reply anyReply();
    Wire::Reply anyRead();
    QString anySession();
    quint64 anyIndex();
    static Settings settingsFor(quint64 seed);

    Random m_random;
    const Settings m_settings;
    Harness m_harness;
    Invariants m_invariants;
    const int m_kindness; ///< Percent of likely replies.
    size_t m_looked = 0;
    quint64 m_index = 100; ///< Of the imagined Consul.
    int m_sessions = 0;
    quint64 m_lastRequest = 0;
    QString m_lastStep;
};

Settings Walk::settingsFor(quint64 seed)
{
    Settings settings = balanced();
    settings.seed = seed;
    settings.tokenFloor = seed % 4 == 0 ? 150 : 0;
    if (seed % 5 == 0)
        settings.lockDelay = 0ms;
    if (seed % 7 == 0)
        settings.stopTimeout = 0ms;
    return settings;
}

Walk::Walk(quint64 seed)
    : m_random(seed), m_settings(settingsFor(seed)), m_harness(m_settings), m_invariants(m_settings),
      m_kindness(50 + int(below(50)))
{
}

void Walk::step()
{
    const quint64 what = below(100);
    if (m_harness.state() == State::Idle && chance(50)) {
        m_lastStep = u"start"_s;
        m_harness.input(Start{chance(90)});
    } else if (what < 60) {
        answerSomething();
    } else if (what < 80) {
        m_lastStep = u"next timer"_s;
        const auto next = m_harness.machine().nextTimeout();
        passTime(std::clamp<Duration>(next ? *next - m_harness.now() : 1s, 0s, 20s));
    } else if (what < 90) {
        m_lastStep = u"a while"_s;
        passTime(std::chrono::milliseconds{below(3000)});
    } else if (what < 94) {
        m_lastStep = u"sleep"_s;
        const Duration by = std::chrono::milliseconds{below(20'000)};
        m_invariants.sleeps(by);
        m_harness.sleep(by);
        // Then a timer is the first thing, or an answer that had been waiting.
        if (chance(50))
            m_harness.jump(0s);
        else
            answerSomething();
    } else {
        command();
    }
    look();
}

void Walk::command()
{
    const quint64 term = m_harness.term();
    switch (below(8)) {
    case 0:
        m_lastStep = u"start"_s;
        return m_harness.input(Start{chance(80)});
    case 1:
        m_lastStep = u"stop"_s;
        return m_harness.input(Stop{});
    case 2:
        m_lastStep = u"release"_s;
        return m_harness.input(Release{chance(50) ? LostReason::Released : LostReason::Cancelled});
    case 3:
        m_lastStep = u"abandon"_s;
        return m_harness.input(Abandon{LostReason::ApplicationStalled});
    case 4:
        m_lastStep = u"hand over another term"_s;
        return m_harness.input(HandedOver{term + 1 + below(3)});
    default:
        // The application says so only of a term that it was told to be lost.
        m_lastStep = u"hand over"_s;
        if (m_invariants.openTerm() == term)
            return;
        m_invariants.handsOver(term);
        return m_harness.input(HandedOver{term});
    }
}

void Walk::answerSomething()
{
    const auto &underWay = m_invariants.underWay();
    if (underWay.isEmpty() || chance(3)) {
        m_lastStep = u"answer of old"_s;
        return answer(below(m_lastRequest + 1), anyReply());
    }
    auto it = underWay.cbegin();
    std::advance(it, qsizetype(below(quint64(underWay.size()))));
    const auto send = std::get<Send>(it->output);
    m_lastStep = u"answer %1"_s.arg(send.request);
    answer(send.request, chance(m_kindness) ? likelyReply(send) : possibleReply(send));
}

void Walk::answer(quint64 request, const Wire::Reply &reply)
{
    m_invariants.answers(request, reply);
    m_harness.answerRequest(request, reply);
    look();
}

/// Lets time pass as the shell does: every request has an answer by the end of its time.
void Walk::passTime(Duration by)
{
    const Instant until = m_harness.now() + by;
    while (m_harness.now() < until) {
        Instant next = until;
        std::optional<quint64> expired;
        for (auto it = m_invariants.underWay().cbegin(); it != m_invariants.underWay().cend(); ++it) {
            const Instant end = it->at + std::get<Send>(it->output).timeout;
            if (end <= next) {
                next = std::max(end, m_harness.now());
                expired = it.key();
            }
        }
        // A timer may send more, so that nothing is expired over more than one of them.
        if (const auto timer = m_harness.machine().nextTimeout(); timer && *timer < next) {
            next = std::max(*timer, m_harness.now());
            expired.reset();
        }
        m_harness.advance(next - m_harness.now());
        look();
        if (expired)
            answer(*expired, failure(Wire::FailureKind::TimedOut));
        if (!m_invariants.violation().isEmpty() || QTest::currentTestFailed())
            return;
    }
}

void Walk::look()
{
    const auto &done = m_harness.done();
    for (; m_looked < done.size(); ++m_looked) {
        m_invariants.does(done.at(m_looked));
        if (const auto *send = std::get_if<Send>(&done.at(m_looked).output))
            m_lastRequest = send->request;
    }
    m_invariants.rests(m_harness.machine(), m_harness.now());
}

void Walk::end()
{
    m_lastStep = u"the end"_s;
    m_harness.input(Stop{});
    look();
    if (m_harness.state() == State::Yielding && m_harness.term() % 2 == 0) {
        m_invariants.handsOver(m_harness.term());
        m_harness.input(HandedOver{m_harness.term()});
    }
    passTime(2min);
    m_invariants.hasEnded(m_harness.machine());
}

QString Walk::anySession()
{
    switch (below(4)) {
    case 0:
        return m_harness.session().isEmpty() ? u"R0"_s : m_harness.session();
    case 1:
        return u"S%1"_s.arg(below(quint64(m_sessions) + 1)); // One of its past ones.
    default:
        return u"R%1"_s.arg(below(5));
    }
}

/// Rising in general, as it should; now and then from before, from a rebuilt cluster, or the greatest there
/// is.
quint64 Walk::anyIndex()
{
    if (chance(85))
        return m_index += 1 + below(3);
    return chance(95) ? below(m_index + 1) : below(2) * std::numeric_limits<quint64>::max();
}

Wire::Reply Walk::anyRead()
{
    const bool foreign = chance(20);
    switch (below(6)) {
    case 0:
        return absent(chance(90) ? std::optional(anyIndex()) : std::nullopt);
    case 1:
        return freeKey(anyIndex());
    case 2:
        return freeKey(anyIndex(), rivalValue(u"R1"_s, std::chrono::milliseconds{below(60'001)}));
    default: {
        const QString session = anySession();
        return held(session, anyIndex(), foreign ? QByteArray("x") : rivalValue(session));
    }
    }
}

Wire::Reply Walk::likelyReply(const Send &send)
{
    switch (kindOf(send)) {
    case Kind::Create:
        return created(u"S%1"_s.arg(++m_sessions));
    case Kind::Renew:
        return renewed(m_settings);
    case Kind::Key:
    case Kind::ReadBack:
        // A leader mostly sees its own lock; others see a key that is free now and then.
        if (m_harness.state() == State::Leading && chance(80))
            return held(m_harness.session(), m_index, "v");
        return chance(40) ? absent(++m_index) : anyRead();
    case Kind::Lock:
        return chance(70) ? won(anyIndex()) : refused(Wire::Refusal(below(3)));
    case Kind::Inspect:
        return chance(50) ? sessionShown() : sessionGone();
    case Kind::Release:
        return released(chance(80));
    case Kind::Destroy:
        return sessionDestroyed();
    }
    Q_UNREACHABLE();
}

/// Whatever the codec lets through for such a request.
Wire::Reply Walk::possibleReply(const Send &send)
{
    if (chance(50))
        return failure(Wire::FailureKind(below(9)));
    Settings unfit = m_settings;
    unfit.ttl = 1s;
    switch (kindOf(send)) {
    case Kind::Renew:
        return chance(50) ? sessionGone() : renewed(chance(50) ? unfit : m_settings);
    case Kind::Key:
    case Kind::ReadBack:
        return anyRead();
    case Kind::Lock:
        return chance(20) ? sessionGone() : likelyReply(send);
    case Kind::Inspect:
        return chance(30) ? sessionShown(std::nullopt) : likelyReply(send);
    default:
        return likelyReply(send);
    }
}

Wire::Reply Walk::anyReply()
{
    Settings unfit = m_settings;
    switch (below(14)) {
    case 0:
        return created(u"S%1"_s.arg(++m_sessions));
    case 1:
        return renewed(m_settings);
    case 2:
        unfit.ttl = 1s;
        return renewed(unfit);
    case 3:
        return sessionShown(chance(50) ? std::optional(Milliseconds{10s}) : std::nullopt);
    case 4:
        return sessionGone();
    case 5:
        return sessionDestroyed();
    case 6:
        return won(anyIndex());
    case 7:
        return refused(Wire::Refusal(below(3)));
    case 8:
        return released(chance(50));
    case 9:
    case 10:
        return anyRead();
    default:
        return failure(Wire::FailureKind(below(9)));
    }
}

constexpr int Rows = 20;
constexpr int SeedsOfARow = 100;
constexpr int Steps = 100;

} // namespace

/// Two thousand sequences of inputs, each made by its seed, and what must hold at every step of them.
class RandomWalkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void walk_data();
    void walk();
    void cleanupTestCase();

private:
    static void tellHow(quint64 seed);
    qsizetype m_walks = 0;
    qsizetype m_terms = 0;
    size_t m_mostRequests = 0;
};

void RandomWalkTest::walk_data()
{
    QTest::addColumn<quint64>("firstSeed");
    for (int row = 0; row < Rows; ++row) {
        const quint64 first = quint64(row) * SeedsOfARow + 1;
        QTest::addRow("seeds %llu to %llu", first, first + SeedsOfARow - 1) << first;
    }
}

void RandomWalkTest::walk()
{
    QFETCH(const quint64, firstSeed);
    for (quint64 seed = firstSeed; seed < firstSeed + SeedsOfARow; ++seed) {
        Walk walk(seed);
        for (int i = 0; i < Steps && walk.invariants().violation().isEmpty(); ++i)
            walk.step();
        if (walk.invariants().violation().isEmpty())
            walk.end();
        const QString violation = walk.invariants().violation();
        if (!violation.isEmpty() || QTest::currentTestFailed())
            tellHow(seed);
        QVERIFY2(violation.isEmpty(),
                 qPrintable(u"seed %1: it does not hold that %2"_s.arg(seed).arg(violation)));
        QVERIFY2(!QTest::currentTestFailed(), qPrintable(u"seed %1"_s.arg(seed)));
        ++m_walks;
        m_terms += walk.invariants().terms();
        m_mostRequests = std::max(m_mostRequests, walk.invariants().mostRequests());
    }
}

/// The same walk again, told step by step: the last ones lead to the place.
void RandomWalkTest::tellHow(quint64 seed)
{
    constexpr qsizetype Told = 30;
    QStringList story;
    Walk walk(seed);
    for (int i = 0; i <= Steps && walk.invariants().violation().isEmpty(); ++i) {
        if (i < Steps)
            walk.step();
        else
            walk.end();
        story += walk.lastStep() + u" -> "_s + walk.news().join(u' ');
    }
    for (const QString &line : story.mid(std::max<qsizetype>(0, story.size() - Told)))
        qInfo().noquote() << line;
}

/// A walk that never leads, or never asks for anything, would show nothing.
void RandomWalkTest::cleanupTestCase()
{
    qInfo() << "terms:" << m_terms << "most requests in ten seconds:" << m_mostRequests;
    QVERIFY(m_terms > m_walks);
}

QTEST_APPLESS_MAIN(RandomWalkTest)
#include "tst_randomwalk.moc"
