// SPDX-License-Identifier: MIT
/*
 * A program that ends in one of many ways with a provider in one of many places: tst_lifetimes runs it and
 * looks how it ended. Arguments: address, place, moment, end.
 */
#include <Baton/LeaseProvider>

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>

#include <cstdio>
#include <cstdlib>
#include <memory>

using namespace Qt::StringLiterals;

namespace {
std::unique_ptr<Baton::LeaseProvider> g_static;

struct Probe
{
    QString moment;
    QString end;
    Baton::LeaseProvider *provider = nullptr;

    void finish() const
    {
        std::puts("reached");
        std::fflush(stdout);
        if (end == "exit"_L1)
            std::exit(3);
        if (end == "own slot"_L1)
            delete provider;
        QCoreApplication::quit();
    }

    void arm() const
    {
        using Baton::LeaseProvider;
        QObject::connect(provider, &LeaseProvider::leadershipAcquired, provider,
                         [] { std::puts("acquired"); });
        QObject::connect(provider, &LeaseProvider::leadershipLost, provider, [](Baton::LostReason reason) {
            std::printf("lost %s\n", Baton::tag(reason).data());
        });
        if (moment == "leading"_L1)
            QObject::connect(provider, &LeaseProvider::leadershipAcquired, provider, [this] { finish(); });
        else if (moment == "waiting"_L1)
            QObject::connect(provider, &LeaseProvider::waiting, provider, [this] { finish(); });
        else // "opening": the agent keeps the first request
            QTimer::singleShot(50, qApp, [this] { finish(); });
        provider->start();
    }
};
} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    Baton::LeaseOptions options;
    options.serviceName = u"test"_s;
    options.address = words.at(1);
    const QString place = words.at(2);
    Probe probe{words.at(3), words.at(4), nullptr};

    std::unique_ptr<Baton::LeaseProvider> onHeap;
    std::optional<Baton::LeaseProvider> onStack;
    if (place == "stack"_L1) {
        probe.provider = &onStack.emplace(options);
    } else if (place == "static"_L1) {
        g_static = std::make_unique<Baton::LeaseProvider>(options);
        probe.provider = g_static.get();
    } else if (place == "child"_L1) {
        probe.provider = new Baton::LeaseProvider(options, &app);
    } else {
        probe.provider = new Baton::LeaseProvider(options);
        if (place == "heap"_L1 && probe.end != "own slot"_L1)
            onHeap.reset(probe.provider); // Otherwise it leaks, or deletes itself.
    }
    probe.arm();
    const int code = QCoreApplication::exec();
    std::puts("main returns");
    return code;
}
