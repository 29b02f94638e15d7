// SPDX-License-Identifier: MIT
#include "textdemo.h"

#include <Baton/boottime.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QTextStream>
#include <QtCore/QTimer>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Lab {

namespace {
constexpr int Candidates = 3;
constexpr int LaneWidth = 12;
constexpr auto RowPause = 2s; ///< Between two rows of the timeline while nothing happens.
constexpr auto PromptLimit = 15s; ///< For what takes milliseconds, on a machine that does something else.
const QString StaleKey = u"baton-demo/ledger"_s;

QTextStream &out()
{
    static QTextStream stream(stdout);
    return stream;
}

QString seconds(std::chrono::nanoseconds duration)
{
    const double ms = double(duration.count()) / 1e6;
    return ms < 1000 ? u"%1 ms"_s.arg(ms, 0, 'f', ms < 10 ? 1 : 0) : u"%1 s"_s.arg(ms / 1000, 0, 'f', 1);
}

QString band(const FailoverPrediction &predicted)
{
    return u"%1 to %2, expected %3"_s.arg(seconds(predicted.earliest), seconds(predicted.latest),
                                          seconds(predicted.expected));
}

QString originText(FailoverOrigin origin)
{
    return origin == FailoverOrigin::ReleaseSent ? u"the release"_s : u"the last renewal"_s;
}
} // namespace

struct TextDemo::Failure
{
};

TextDemo::TextDemo(const QString &consulProgram, const QString &batonProgram, QObject *parent)
    : QObject(parent), m_consulProgram(consulProgram), m_batonProgram(batonProgram)
{
    m_options.serviceName = u"demo"_s;
}

int TextDemo::run()
{
    try {
        startConsul();
        startCandidates();
        handOver();
        crash();
        freezeAndThaw();
        endCandidates();
    } catch (const Failure &) {
        out() << Qt::endl << (m_interrupted ? u"Interrupted."_s : u"Stopped: "_s + m_failure) << Qt::endl;
        return m_interrupted ? 130 : 1;
    }
    return report();
}

void TextDemo::interrupt()
{
    m_interrupted = true;
}

void TextDemo::startConsul()
{
    const bool isSimulated = m_consulProgram.isEmpty();
    m_consul = isSimulated ? std::make_unique<ConsulProcess>(ConsulProcess::Kind::Simulated, m_batonProgram)
                           : std::make_unique<ConsulProcess>(ConsulProcess::Kind::Real, m_consulProgram);
    bool ready = false;
    connect(m_consul.get(), &ConsulProcess::ready, this, [&ready] { ready = true; });
    connect(m_consul.get(), &ConsulProcess::failed, this,
            [this](const QString &reason) { m_failure = reason; });
    m_consul->start();
    waitUntil([&] { return ready; }, 60s, u"Consul to be ready"_s);
    const LeaseTimings timings = m_options.timings();
    out() << "Baton " << BATON_VERSION << ": leader election on a " << (isSimulated ? "simulated" : "real")
          << " Consul " << m_consul->version() << " (" << m_consul->address() << ", one agent)" << Qt::endl
          << (isSimulated
                  ? "This is NOT Consul but `baton agent`, which answers as one does; for a real one see "
                    "lib/testing/get-consul.\n"
                  : "")
          << "Profile balanced: TTL " << seconds(timings.ttl) << ", lock-delay " << seconds(timings.lockDelay)
          << ", a lease is valid for " << seconds(timings.window) << " after its last renewal was sent."
          << Qt::endl
          << Qt::endl
          << "Lanes:  #### leads, with its token   //// at risk   .... waits   ~~~~ frozen   (blank) not "
             "running"
          << Qt::endl;
}

void TextDemo::startCandidates()
{
    m_began = bootTime();
    QString head = u"     time  "_s;
    for (int i = 1; i <= Candidates; ++i) {
        const QString name = u"worker-%1"_s.arg(i);
        auto candidate = std::make_unique<CandidateProcess>(
            name, m_batonProgram,
            QStringList{u"campaign"_s, u"--service"_s, m_options.serviceName, u"--address"_s,
                        m_consul->address(), u"--instance"_s, name});
        connect(candidate.get(), &CandidateProcess::event, this,
                [this, c = candidate.get()](const QJsonObject &line) { note(*c, line); });
        head += u"  "_s + name.leftJustified(LaneWidth);
        m_candidates.push_back(std::move(candidate));
    }
    out() << Qt::endl << head << Qt::endl;
    for (auto &candidate : m_candidates)
        candidate->start();
    waitUntil([&] { return leaderOtherThan(nullptr) != nullptr; }, PromptLimit, u"a first leader"_s);
}

void TextDemo::handOver()
{
    scene(u"Hand over in order"_s, FailureKind::HandOver,
          u"The leader releases the lock; a waiting candidate is woken and takes it."_s);
    CandidateProcess &former = leader();
    CandidateProcess::Instant released{};
    const auto watch = connect(&former, &CandidateProcess::event, this, [&](const QJsonObject &line) {
        if (line["event"_L1].toString() == "released"_L1)
            released = CandidateProcess::Instant{line["t"_L1].toInteger()};
    });
    former.command("release");
    waitUntil([&] { return leaderOtherThan(&former) != nullptr; }, PromptLimit, u"the next leader"_s);
    disconnect(watch);
    measure(u"Hand over in order"_s, FailureKind::HandOver, released);
    former.command("resume");
}

void TextDemo::crash()
{
    scene(u"Crash (SIGKILL)"_s, FailureKind::ProcessCrash,
          u"Nobody tells Consul. It ends the session at twice the TTL, then the lock-delay runs."_s);
    CandidateProcess &former = leader();
    former.crash();
    m_log.end(former.name(), bootTime());
    waitUntil([&] { return leaderOtherThan(&former) != nullptr; }, 60s, u"the next leader"_s);
    measure(u"Crash (SIGKILL)"_s, FailureKind::ProcessCrash, former.lastRenewalSent());
    former.start();
}

void TextDemo::freezeAndThaw()
{
    scene(u"Freeze and thaw (SIGSTOP, SIGCONT)"_s, FailureKind::ProcessFrozen,
          u"The leader stands still past its deadline; when it goes on, its first act must be refused."_s);
    CandidateProcess &former = leader();
    former.freeze();
    row(u"%1 is frozen"_s.arg(former.name()));
    waitUntil([&] { return leaderOtherThan(&former) != nullptr; }, 60s, u"the next leader"_s);
    // It could not say so itself, but its lease was void from here on: every isHeld() compares the clock.
    m_log.end(former.name(), former.localDeadline());
    measure(u"Freeze (SIGSTOP)"_s, FailureKind::ProcessFrozen, former.lastRenewalSent());

    m_thawed = &former;
    const quint64 staleToken = former.token().value_or(0);
    former.command("write " + StaleKey.toUtf8() + " written by a leader of the past");
    row(u"%1 goes on, and its first act is a write with token %2"_s.arg(former.name()).arg(staleToken));
    former.thaw();
    waitUntil([&] { return m_refusedWrites + m_acceptedStaleWrites > 0; }, PromptLimit,
              u"the answer to the write"_s);
    waitUntil([&] { return former.condition() == CandidateProcess::Condition::Waiting; }, PromptLimit,
              u"the thawed leader to stand down"_s);
    m_thawed = nullptr;
}

void TextDemo::endCandidates()
{
    const auto anyRuns = [this] {
        return std::any_of(m_candidates.begin(), m_candidates.end(),
                           [](const auto &c) { return c->isRunning(); });
    };
    out() << Qt::endl;
    for (auto &candidate : m_candidates)
        candidate->terminate();
    waitUntil([&] { return !anyRuns(); }, PromptLimit, u"the candidates to end"_s);
}

int TextDemo::report()
{
    out() << Qt::endl
          << "                      counted from        predicted             measured" << Qt::endl;
    bool allInBand = true;
    for (const auto &measurement : m_log.measurements()) {
        allInBand = allInBand && measurement.inBand();
        out() << measurement.what.leftJustified(20) << "  "
              << originText(measurement.predicted.origin).leftJustified(16) << "  "
              << band(measurement.predicted).leftJustified(37) << "  "
              << seconds(measurement.measured).leftJustified(8)
              << (measurement.inBand() ? "in band" : "OUT OF BAND") << Qt::endl;
    }
    QStringList tokens;
    for (const auto &term : m_log.terms())
        tokens.append(QString::number(term.token));
    const bool safe =
        m_log.overlaps() == 0 && m_log.tokensRise() && m_acceptedStaleWrites == 0 && m_refusedWrites > 0;
    out() << Qt::endl
          << "Tokens " << tokens.join(u" < "_s) << (m_log.tokensRise() ? ": rising" : ": NOT RISING")
          << Qt::endl
          << "Two leaders at once: " << m_log.overlaps() << " times" << Qt::endl
          << "Writes of a former leader: refused " << m_refusedWrites << ", accepted "
          << m_acceptedStaleWrites << Qt::endl;
    if (!allInBand)
        out() << "A figure out of its band is worth a look; on a busy machine it may mean nothing."
              << Qt::endl;
    return safe ? 0 : 1;
}

void TextDemo::note(CandidateProcess &candidate, const QJsonObject &line)
{
    const QString kind = line["event"_L1].toString();
    const CandidateProcess::Instant at{line["t"_L1].toInteger()};
    const QString &name = candidate.name();
    if (kind == "acquired"_L1) {
        const quint64 token = candidate.token().value_or(0);
        m_log.begin(name, token, at);
        row(u"%1 leads, token %2"_s.arg(name).arg(token));
    } else if (kind == "lost"_L1 || kind == "released"_L1) {
        m_log.end(name, std::min(at, candidate.localDeadline()));
        row(u"%1 %2"_s.arg(name,
                           kind == "lost"_L1 ? u"lost: "_s + line["reason"_L1].toString() : u"released"_s));
    } else if (kind == "waiting"_L1 && line["why"_L1].toString() == "lock_delay"_L1) {
        row(u"%1 sees the session gone: lock-delay"_s.arg(name));
    } else if (kind == "error"_L1) {
        row(u"%1: %2"_s.arg(name, line["detail"_L1].toString()));
    } else if (&candidate == m_thawed && (kind == "written"_L1 || kind == "rejected"_L1)) {
        ++(kind == "written"_L1 ? m_acceptedStaleWrites : m_refusedWrites);
        row(u"the write of %1 is %2"_s.arg(name, kind == "written"_L1 ? u"ACCEPTED"_s : u"refused"_s));
    }
}

void TextDemo::waitUntil(const std::function<bool()> &condition, Seconds limit, const QString &what)
{
    const auto deadline = bootTime() + limit;
    auto nextRow = bootTime() + RowPause;
    QTimer pulse; // Wakes the loop below for its row and its limits; news wake it by themselves.
    pulse.start(100ms);
    while (!condition()) {
        if (m_failure.isEmpty() && bootTime() >= deadline)
            m_failure = u"waited %1 s for %2"_s.arg(limit.count()).arg(what);
        if (m_interrupted || !m_failure.isEmpty())
            throw Failure{};
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        if (bootTime() >= nextRow && !m_candidates.empty()) {
            row();
            nextRow += RowPause;
        }
    }
}

CandidateProcess *TextDemo::leaderOtherThan(const CandidateProcess *former) const
{
    using Condition = CandidateProcess::Condition;
    const auto found = std::find_if(m_candidates.begin(), m_candidates.end(), [&](const auto &candidate) {
        const Condition condition = candidate->condition();
        return candidate.get() != former
            && (condition == Condition::Leading || condition == Condition::AtRisk);
    });
    return found == m_candidates.end() ? nullptr : found->get();
}

CandidateProcess &TextDemo::leader() const
{
    CandidateProcess *found = leaderOtherThan(nullptr);
    Q_ASSERT(found); // Every scene ends with a leader.
    return *found;
}

void TextDemo::measure(const QString &what, FailureKind kind, CandidateProcess::Instant origin)
{
    const FailoverLog::Measurement measurement{
        what, m_options.predictedFailover(kind),
        std::chrono::duration_cast<std::chrono::milliseconds>(m_log.terms().back().from - origin)};
    m_log.add(measurement);
    row(u"predicted %1, measured %2"_s.arg(band(measurement.predicted),
                                           seconds(m_log.terms().back().from - origin)));
}

void TextDemo::scene(const QString &title, FailureKind kind, const QString &explanation)
{
    const FailoverPrediction predicted = m_options.predictedFailover(kind);
    out() << Qt::endl
          << "== " << title << ": predicted " << band(predicted) << " after " << originText(predicted.origin)
          << Qt::endl
          << "   " << explanation << Qt::endl;
}

void TextDemo::row(const QString &text)
{
    using Condition = CandidateProcess::Condition;
    QString line = u"%1 s  "_s.arg(double((bootTime() - m_began).count()) / 1e9, 7, 'f', 1);
    for (const auto &candidate : m_candidates) {
        const QString token = candidate->token() ? u" %1"_s.arg(*candidate->token()) : QString();
        QString cell;
        switch (candidate->condition()) {
        case Condition::Absent:
            break;
        case Condition::Waiting:
            cell = u"...."_s;
            break;
        case Condition::AtRisk:
            cell = u"////"_s + token;
            break;
        case Condition::Leading:
            cell = u"####"_s + token;
            break;
        case Condition::Frozen:
            cell = u"~~~~"_s + token;
            break;
        case Condition::Void:
            cell = u"void"_s + token;
            break;
        }
        line += u"  "_s + cell.leftJustified(LaneWidth);
    }
    out() << line << "  " << text << Qt::endl;
}

} // namespace Baton::Lab
