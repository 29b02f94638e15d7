// SPDX-License-Identifier: MIT
#include "harness.h"

#include <QtTest/QTest>

using namespace Baton;
using namespace Baton::Core;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// When an application is warned, and when it is told that all is well again.
class AtRiskTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void at_risk_at_half_of_the_window();
    void late_answer_makes_nothing_safe();
    void at_risk_from_the_start();
};

void AtRiskTest::at_risk_at_half_of_the_window()
{
    Harness h;
    h.toLeading();
    const Instant sent = h.now();
    h.advance(4s - 1ns);
    QVERIFY(h.all<AtRisk>().empty());
    h.advance(1ns);
    QCOMPARE(h.all<AtRisk>().size(), 1);
    QCOMPARE(h.all<AtRisk>().front().deadline, sent + 8s);
    h.advance(1s);
    QCOMPARE(h.all<AtRisk>().size(), 1); // Once.
    h.answer(Kind::Renew, failure());
    h.advance(200ms);
    h.news();
    h.answer(Kind::Renew, renewed());
    QCOMPARE(h.news(), QStringList({u"mended:server_error"_s, u"renewed"_s, u"safe"_s}));
    h.advance(4s);
    QCOMPARE(h.all<AtRisk>().size(), 2);
}

void AtRiskTest::late_answer_makes_nothing_safe()
{
    Settings settings = balanced();
    settings.requestTimeout = 20s;
    Harness h(settings);
    h.toLeading();
    h.advance(6500ms); // The renewal went out at 2.25 s: half of what it gives is used up as well.
    h.answer(Kind::Renew, renewed());
    QCOMPARE(h.all<Renewed>().size(), 1);
    QVERIFY(h.all<Safe>().empty());
    h.answer(Kind::Renew, renewed());
    QCOMPARE(h.all<Safe>().size(), 1);
}

void AtRiskTest::at_risk_from_the_start()
{
    Harness h;
    h.toLocking();
    h.advance(5s);
    h.news();
    h.answer(Kind::Lock, won(100));
    QCOMPARE(h.news(),
             QStringList({u"acquired:100"_s, u"leader:S1"_s, u"=Leading"_s, u"watch:100"_s, u"at_risk"_s}));
}

QTEST_APPLESS_MAIN(AtRiskTest)
#include "tst_atrisk.moc"
