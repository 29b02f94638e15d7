// SPDX-License-Identifier: MIT
#include "models/filterexpression.h"

#include <QtTest/QTest>

using namespace Baton::Monitor;
using namespace Qt::StringLiterals;

class tst_FilterExpression : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void errors_data();
    void errors();
};

void tst_FilterExpression::matches_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<bool>("matches");
    // Against "service/billing/leader\napi-5", state lock_delay.
    QTest::newRow("empty") << QString() << true;
    QTest::newRow("blanks") << u"   "_s << true;
    QTest::newRow("a word") << u"billing"_s << true;
    QTest::newRow("in another case") << u"BILL"_s << true;
    QTest::newRow("another word") << u"invoice"_s << false;
    QTest::newRow("both words") << u"api billing"_s << true;
    QTest::newRow("one of two") << u"api invoice"_s << false;
    QTest::newRow("inverse") << u"!billing"_s << false;
    QTest::newRow("inverse of another") << u"!invoice"_s << true;
    QTest::newRow("inverse of nothing, being typed") << u"!"_s << true;
    QTest::newRow("a word and an inverse") << u"billing !api"_s << false;
    QTest::newRow("regex") << u"re:^service/b.*ing"_s << true;
    QTest::newRow("regex with blanks takes the rest") << u"re: no such thing|api-\\d"_s << true;
    QTest::newRow("regex behind a word") << u"billing re:api-[67]"_s << false;
    QTest::newRow("inverse regex") << u"!re:api-[67]"_s << true;
    QTest::newRow("regex being typed") << u"re:"_s << true;
    QTest::newRow("state") << u"state:lock_delay"_s << true;
    QTest::newRow("state spelt otherwise") << u"state:Lock-Delay"_s << true;
    QTest::newRow("beginning of a state") << u"state:lock"_s << true;
    QTest::newRow("a state that is the beginning of this one") << u"state:lock_d"_s << true;
    QTest::newRow("another state") << u"state:led"_s << false;
    QTest::newRow("inverse state") << u"!state:led"_s << true;
    QTest::newRow("state being typed") << u"state:"_s << true;
    QTest::newRow("quoted") << u"\"g/leader\""_s << true;
    QTest::newRow("quoted with a blank") << u"\"billing leader\""_s << false;
    QTest::newRow("a quote being typed") << u"\"billing"_s << true;
    QTest::newRow("quoted, so no state") << u"\"state:lock\""_s << false;
    QTest::newRow("characters of a regex without re:") << u"b.*ing"_s << false;
}

void tst_FilterExpression::matches()
{
    QFETCH(QString, filter);
    const QStringList states{u"led"_s, u"lock_delay"_s, u"vacant"_s};
    const FilterExpression expression = FilterExpression::parse(filter, states);
    QCOMPARE(expression.error(), QString());
    QTEST(expression.matches(u"service/billing/leader\napi-5"_s, u"lock_delay"_s), "matches");
    // A whole tag is no beginning of another one.
    const FilterExpression whole = FilterExpression::parse(u"state:holds"_s, {u"holds"_s, u"holds_none"_s});
    QVERIFY(whole.matches({}, u"holds"_s) && !whole.matches({}, u"holds_none"_s));
}

void tst_FilterExpression::errors_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("says");
    QTest::newRow("open bracket") << u"re:("_s << u"No regular expression"_s;
    QTest::newRow("behind a word") << u"billing !re:[z"_s << u"No regular expression"_s;
    QTest::newRow("unknown state") << u"state:vacent"_s << u"There are: led, vacant"_s;
}

void tst_FilterExpression::errors()
{
    QFETCH(QString, filter);
    QFETCH(QString, says);
    const FilterExpression expression = FilterExpression::parse(filter, {u"led"_s, u"vacant"_s});
    QVERIFY2(expression.error().contains(says), qPrintable(expression.error()));
    QVERIFY(expression.matches(u"anything"_s, u"led"_s));
    QVERIFY(expression.isEmpty());
}

QTEST_GUILESS_MAIN(tst_FilterExpression)
#include "tst_filterexpression.moc"
