// SPDX-License-Identifier: MIT
// An application of which one instance works and the others stand by. Start it twice.
#include <Baton/LeaseProvider>

#include <QCoreApplication>
#include <QTimer>

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);

    Baton::LeaseOptions options = Baton::LeaseOptions::fromEnvironment(); // CONSUL_HTTP_ADDR and friends
    options.serviceName = QStringLiteral("invoice-worker");
    Baton::LeaseProvider leases(options);

    QTimer work;
    work.setInterval(1000);
    QObject::connect(&work, &QTimer::timeout, &app, [&leases] {
        const Baton::Lease lease = leases.lease();
        if (lease.isHeld()) // Asked right before the act; the token goes with it, for the resource to check.
            qInfo("sending invoices with token %llu", lease.token());
    });

    QObject::connect(&leases, &Baton::LeaseProvider::leadershipAcquired, &app, [&work](quint64 token) {
        qInfo("leading with token %llu", token);
        work.start();
    });
    QObject::connect(&leases, &Baton::LeaseProvider::leadershipLost, &app, [&work](Baton::LostReason reason) {
        qInfo("standing by: %s", Baton::tag(reason).data());
        work.stop();
    });
    QObject::connect(&leases, &Baton::LeaseProvider::errorOccurred, &app,
                     [](const Baton::LeaseError &error) { qWarning("%s", qUtf8Printable(error.message())); });

    leases.start(); // Campaigns until stop(), and again after each loss.
    return app.exec();
}
