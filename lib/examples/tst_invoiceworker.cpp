// SPDX-License-Identifier: MIT
// How an application tests its own use of Baton: with a simulated Consul in the test, no daemon, no fixed
// port.
#include <Baton/EmbeddedAgent>
#include <Baton/LeaseProvider>

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <chrono>

// The application: sends invoices while it leads, and not otherwise.
class InvoiceWorker : public QObject
{
public:
    explicit InvoiceWorker(const Baton::LeaseOptions &options) : m_leases(options)
    {
        connect(&m_leases, &Baton::LeaseProvider::leadershipAcquired, &m_work, [this] { m_work.start(); });
        connect(&m_leases, &Baton::LeaseProvider::leadershipLost, &m_work, &QTimer::stop);
        connect(&m_work, &QTimer::timeout, this, [this] {
            if (m_leases.lease().isHeld())
                ++m_sent;
        });
        m_leases.start();
    }

    [[nodiscard]] Baton::LeaseProvider &leases() { return m_leases; }
    [[nodiscard]] bool isWorking() const { return m_work.isActive(); }
    [[nodiscard]] int sent() const { return m_sent; }

private:
    Baton::LeaseProvider m_leases;
    QTimer m_work;
    int m_sent = 0;
};

class TestInvoiceWorker : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void works_while_it_leads();
    void stops_when_its_session_is_destroyed();
    void stops_by_itself_when_consul_does_not_answer();
    void takes_over_when_the_other_stops();

private:
    [[nodiscard]] Baton::LeaseOptions options() const;

    std::unique_ptr<Baton::Testing::EmbeddedAgent> m_consul;
    const QString m_key = QStringLiteral("service/invoice-worker/leader");
};

void TestInvoiceWorker::init()
{
    m_consul = std::make_unique<Baton::Testing::EmbeddedAgent>();
    m_consul->setSessionTtlMin(std::chrono::seconds(1));
    QVERIFY2(m_consul->start(), qPrintable(m_consul->errorString()));
}

// Short, since a test of a loss waits for about this long.
Baton::LeaseOptions TestInvoiceWorker::options() const
{
    Baton::LeaseOptions options;
    options.address = m_consul->address();
    options.serviceName = QStringLiteral("invoice-worker");
    options.ttl = std::chrono::seconds(2);
    options.allowShortTtl = true;
    options.margin = std::chrono::milliseconds(500);
    options.lockDelay = std::chrono::seconds(2);
    return options;
}

void TestInvoiceWorker::works_while_it_leads()
{
    InvoiceWorker worker(options());
    QTRY_VERIFY_WITH_TIMEOUT(worker.sent() > 0, 10'000);
    QVERIFY(m_consul->holder(m_key).has_value());
    worker.leases().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!worker.isWorking(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(!m_consul->holder(m_key), 10'000);
}

void TestInvoiceWorker::stops_when_its_session_is_destroyed()
{
    InvoiceWorker worker(options());
    QTRY_VERIFY_WITH_TIMEOUT(worker.isWorking(), 10'000);
    QSignalSpy lost(&worker.leases(), &Baton::LeaseProvider::leadershipLost);
    QVERIFY(m_consul->destroySession(*m_consul->holder(m_key)));
    QVERIFY(lost.wait(10'000));
    QCOMPARE(lost.first().first().value<Baton::LostReason>(), Baton::LostReason::SessionExpired);
    QVERIFY(!worker.isWorking());
}

void TestInvoiceWorker::stops_by_itself_when_consul_does_not_answer()
{
    InvoiceWorker worker(options());
    QTRY_VERIFY_WITH_TIMEOUT(worker.isWorking(), 10'000);
    QSignalSpy lost(&worker.leases(), &Baton::LeaseProvider::leadershipLost);
    m_consul->freeze();
    QVERIFY(lost.wait(10'000));
    QCOMPARE(lost.first().first().value<Baton::LostReason>(), Baton::LostReason::LocalDeadlineExceeded);
    QVERIFY(!worker.isWorking());
    m_consul->thaw();
    QTRY_VERIFY_WITH_TIMEOUT(worker.isWorking(), 20'000); // It campaigns again by itself.
}

void TestInvoiceWorker::takes_over_when_the_other_stops()
{
    InvoiceWorker first(options());
    QTRY_VERIFY_WITH_TIMEOUT(first.isWorking(), 10'000);
    InvoiceWorker second(options());
    QTRY_COMPARE_WITH_TIMEOUT(second.leases().state(), Baton::ProviderState::Waiting, 10'000);
    QVERIFY(!second.isWorking());
    const quint64 token = first.leases().lease().token();
    first.leases().stop();
    QTRY_VERIFY_WITH_TIMEOUT(second.isWorking(), 10'000);
    QVERIFY(second.leases().lease().token() > token);
}

QTEST_GUILESS_MAIN(TestInvoiceWorker)
#include "tst_invoiceworker.moc"
