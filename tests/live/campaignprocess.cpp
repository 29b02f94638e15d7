// SPDX-License-Identifier: MIT
#include "campaignprocess.h"

#include "process.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QProcessEnvironment>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;

namespace Baton::Testing {

namespace {
const QStringList Events{u"started"_s, u"session"_s, u"waiting"_s,  u"acquired"_s, u"renewed"_s,
                         u"at_risk"_s, u"safe"_s,    u"lost"_s,     u"released"_s, u"leader"_s,
                         u"error"_s,   u"written"_s, u"rejected"_s, u"stopped"_s,  u"status"_s};
}

CampaignProcess::CampaignProcess(const QStringList &arguments)
    : m_arguments(QStringList{u"campaign"_s} + arguments)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        if (name.startsWith("CONSUL_"_L1))
            environment.remove(name);
    }
    m_process.setProcessEnvironment(environment);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &CampaignProcess::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_errorOutput += m_process.readAllStandardError(); });
}

CampaignProcess::~CampaignProcess()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(-1);
}

void CampaignProcess::setVariable(const QString &name, const QString &value)
{
    auto environment = m_process.processEnvironment();
    environment.insert(name, value);
    m_process.setProcessEnvironment(environment);
}

bool CampaignProcess::start()
{
    m_process.setChildProcessModifier([end = endWithParent(), more = m_inChild] {
        end();
        if (more)
            more();
    });
    m_process.start(QStringLiteral(BATON_PROGRAM), m_arguments);
    return m_process.waitForStarted(-1);
}

void CampaignProcess::signal(int number) const
{
    if (isRunning())
        ::kill(pid_t(processId()), number);
}

bool CampaignProcess::waitForExit()
{
    return QTest::qWaitFor([this] { return !isRunning(); }, 30'000);
}

void CampaignProcess::waitUntilGone()
{
    m_process.waitForFinished(-1);
    readOutput();
}

int CampaignProcess::exitCode() const
{
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

qsizetype CampaignProcess::count(QLatin1StringView event) const
{
    return std::count_if(m_lines.begin(), m_lines.end(),
                         [&](const QJsonObject &line) { return line["event"_L1] == event; });
}

QJsonObject CampaignProcess::last(QLatin1StringView event) const
{
    const auto line = std::find_if(m_lines.rbegin(), m_lines.rend(),
                                   [&](const QJsonObject &one) { return one["event"_L1] == event; });
    return line == m_lines.rend() ? QJsonObject() : *line;
}

QStringList CampaignProcess::story() const
{
    QStringList result;
    for (const QJsonObject &line : m_lines) {
        if (line["event"_L1] != "renewed"_L1)
            result += line["event"_L1].toString();
    }
    return result;
}

void CampaignProcess::readOutput()
{
    while (m_process.canReadLine()) {
        const QByteArray text = m_process.readLine();
        const QJsonObject line = QJsonDocument::fromJson(text).object();
        check(text, line);
        m_output += text;
        m_lines += line;
        heard(line);
    }
}

void CampaignProcess::check(const QByteArray &text, const QJsonObject &line)
{
    if (const QString what = contradiction(text, line); m_broken.isEmpty() && !what.isEmpty())
        m_broken = what + u": "_s + QString::fromUtf8(text);
}

QString CampaignProcess::contradiction(const QByteArray &text, const QJsonObject &line)
{
    const QString event = line["event"_L1].toString();
    const qint64 t = line["t"_L1].toInteger();
    if (!Events.contains(event))
        return u"not a known event"_s;
    if (!text.startsWith("{\"t\":" + QByteArray::number(t) + ',') || t <= 0)
        return u"t is not an integer"_s;
    if (!m_lines.isEmpty() && t < m_lines.last()["t"_L1].toInteger())
        return u"t goes backwards"_s;
    if (line["seq"_L1].toInteger() != m_lines.size() + 1)
        return u"seq does not count the lines"_s;
    if (line["boot"_L1].toString().isEmpty() || line["host"_L1].toString().isEmpty()
        || line["instance"_L1].toString().isEmpty())
        return u"does not say where it comes from"_s;
    const QString wall = line["wall"_L1].toString();
    if (!QDateTime::fromString(wall, Qt::ISODateWithMs).isValid() || !wall.endsWith('Z'_L1)
        || !wall.contains('.'_L1))
        return u"wall is not an instant of UTC with milliseconds"_s;

    const qint64 token = line["token"_L1].toInteger();
    const bool begins = event == "acquired"_L1;
    const bool ends = event == "lost"_L1 || event == "released"_L1;
    if (begins && (m_inTerm || token <= m_token))
        return u"a term inside a term, or its token does not rise"_s;
    if (ends && (!m_inTerm || token != m_token || line["reason"_L1].toString().isEmpty()))
        return u"the end of no term"_s;
    if (begins)
        m_token = token;
    m_inTerm = begins || (m_inTerm && !ends);
    if (event == "stopped"_L1 && m_inTerm)
        return u"a term without an end"_s;
    return {};
}

} // namespace Baton::Testing
