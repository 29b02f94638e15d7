// SPDX-License-Identifier: MIT
#include <Baton/LeaseProvider>

#include <QtCore/QMetaMethod>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <functional>
#include <map>
#include <memory>

using namespace Baton;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Every signal of LeaseProvider, in every way in which applications connect: whatever it carries arrives as
/// it was sent. The rows come from the meta-object, so a new signal fails here until it is in the tables
/// below.
class TestSignals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void arrivesAsItWasSent_data();
    void arrivesAsItWasSent();
    void everyPropertyTellsItsChange();
    void argumentsHaveNames();
};

namespace {

using P = LeaseProvider;

LeaderInfo someLeader()
{
    LeaderInfo leader;
    leader.key = u"key"_s;
    leader.session = u"5eae4e5e"_s;
    return leader;
}

/// A value of each type that a signal carries, unlike the one that such a type has by itself.
QVariant sample(QMetaType type)
{
    static const QVariantList samples{
        quint64(9007199254740993),
        true,
        u"5eae4e5e"_s,
        QVariant::fromValue(std::chrono::milliseconds(1500)),
        QVariant::fromValue(std::chrono::microseconds(1501)),
        QVariant::fromValue(std::optional(std::chrono::milliseconds(9))),
        QVariant::fromValue(LostReason::LockKeyTaken),
        QVariant::fromValue(ProviderState::Leading),
        QVariant::fromValue(WaitReason::Denied),
        QVariant::fromValue(ErrorCode::Denied),
        QVariant::fromValue(LeaseError{ErrorCode::Denied, Step::Lock, 403, u"no"_s, u"key"_s}),
        QVariant::fromValue(someLeader()),
    };
    for (const QVariant &value : samples) {
        if (value.metaType() == type)
            return value;
    }
    return {};
}

using Connect = std::function<bool(P *from, P *to, Qt::ConnectionType type)>;

template <typename Signal>
Connect byPointer(Signal signal)
{
    return [signal](P *from, P *to, Qt::ConnectionType type) {
        return bool(QObject::connect(from, signal, to, signal, type));
    };
}

const std::map<QByteArray, Connect> Pointers{
    {"leadershipAcquired", byPointer(&P::leadershipAcquired)},
    {"leadershipLost", byPointer(&P::leadershipLost)},
    {"leadershipAtRisk", byPointer(&P::leadershipAtRisk)},
    {"leadershipSafe", byPointer(&P::leadershipSafe)},
    {"stateChanged", byPointer(&P::stateChanged)},
    {"leaderChanged", byPointer(&P::leaderChanged)},
    {"atRiskChanged", byPointer(&P::atRiskChanged)},
    {"renewed", byPointer(&P::renewed)},
    {"waiting", byPointer(&P::waiting)},
    {"sessionOpened", byPointer(&P::sessionOpened)},
    {"errorOccurred", byPointer(&P::errorOccurred)},
    {"errorCleared", byPointer(&P::errorCleared)},
    {"stopped", byPointer(&P::stopped)},
};

/// What SIGNAL() makes of a signature.
QByteArray asString(const QMetaMethod &signal)
{
    return QByteArray::number(QSIGNAL_CODE) + signal.methodSignature();
}

Connect byString(const QMetaMethod &signal)
{
    return [text = asString(signal)](P *from, P *to, Qt::ConnectionType type) {
        return bool(QObject::connect(from, text.constData(), to, text.constData(), type));
    };
}

QList<QMetaMethod> signalsOf(const QMetaObject &object)
{
    QList<QMetaMethod> result;
    for (int i = object.methodOffset(); i < object.methodCount(); ++i) {
        if (object.method(i).methodType() == QMetaMethod::Signal)
            result += object.method(i);
    }
    return result;
}

/// As the library emits it, with the given arguments.
void emitFrom(P *provider, const QMetaMethod &signal, const QVariantList &arguments)
{
    QVarLengthArray<void *, 4> values{nullptr};
    for (const QVariant &argument : arguments)
        values.append(const_cast<void *>(argument.constData()));
    const int local = signal.methodIndex() - P::staticMetaObject.methodOffset();
    QMetaObject::activate(provider, &P::staticMetaObject, local, values.data());
}

LeaseOptions anyOptions()
{
    LeaseOptions options;
    options.serviceName = u"test"_s;
    return options;
}

} // namespace

void TestSignals::arrivesAsItWasSent_data()
{
    QTest::addColumn<QMetaMethod>("signal");
    QTest::addColumn<bool>("pointer");
    QTest::addColumn<bool>("queued");
    QTest::addColumn<bool>("acrossThreads");
    for (const QMetaMethod &signal : signalsOf(P::staticMetaObject)) {
        for (const bool pointer : {false, true}) {
            const char *how = pointer ? "by pointer" : "by string";
            const char *name = signal.name().constData();
            QTest::addRow("%s, %s, direct", name, how) << signal << pointer << false << false;
            QTest::addRow("%s, %s, queued", name, how) << signal << pointer << true << false;
            QTest::addRow("%s, %s, across threads", name, how) << signal << pointer << false << true;
        }
    }
}

/// From one provider on to another, and read by QSignalSpy, which itself connects by string or by pointer.
void TestSignals::arrivesAsItWasSent()
{
    QFETCH(QMetaMethod, signal);
    QFETCH(bool, pointer);
    QFETCH(bool, queued);
    QFETCH(bool, acrossThreads);
    QVariantList sent;
    for (int i = 0; i < signal.parameterCount(); ++i) {
        const QMetaType type = signal.parameterMetaType(i);
        QVERIFY2(type.isValid(), "an argument that no queued connection can carry");
        sent += sample(type);
        QVERIFY2(sent.last().isValid(), type.name());
    }
    const auto known = Pointers.find(signal.name());
    QVERIFY2(known != Pointers.end(), "a new signal: it belongs into Pointers");

    QThread thread;
    P from(anyOptions());
    auto to = std::make_unique<P>(anyOptions());
    const auto type = queued ? Qt::QueuedConnection : Qt::AutoConnection;
    QVERIFY((pointer ? known->second : byString(signal))(&from, to.get(), type));
    const QSignalSpy spyByString(to.get(), asString(signal).constData());
    const QSignalSpy spyByMethod(to.get(), signal);
    QVERIFY(spyByString.isValid() && spyByMethod.isValid());
    if (acrossThreads) {
        to->moveToThread(&thread);
        thread.start();
    }

    emitFrom(&from, signal, sent);
    if (!acrossThreads)
        QCOMPARE(spyByString.size(), queued ? 0 : 1);
    if (acrossThreads) {
        // After what is queued already.
        QMetaObject::invokeMethod(
            to.get(), [&to] { to.reset(); }, Qt::BlockingQueuedConnection);
        thread.quit();
        QVERIFY(thread.wait());
    }
    QCoreApplication::processEvents();
    QCOMPARE(spyByString.size(), 1);
    QCOMPARE(spyByString.first(), sent);
    QCOMPARE(spyByMethod.size(), 1);
    QCOMPARE(spyByMethod.first(), sent);
}

void TestSignals::everyPropertyTellsItsChange()
{
    const QMetaObject &object = P::staticMetaObject;
    QVERIFY(object.propertyCount() > object.propertyOffset());
    for (int i = object.propertyOffset(); i < object.propertyCount(); ++i) {
        QVERIFY2(object.property(i).hasNotifySignal(), object.property(i).name());
        QVERIFY2(!object.property(i).isWritable(), object.property(i).name());
        QVERIFY2(object.property(i).metaType().isValid(), object.property(i).name());
    }
}

void TestSignals::argumentsHaveNames()
{
    for (const QMetaMethod &signal : signalsOf(P::staticMetaObject)) {
        const auto names = signal.parameterNames();
        for (const QByteArray &name : names)
            QVERIFY2(!name.isEmpty(), signal.methodSignature().constData());
    }
}


QTEST_GUILESS_MAIN(TestSignals)
#include "tst_signals.moc"
