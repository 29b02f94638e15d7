// SPDX-License-Identifier: MIT
#include <QtCore/QFutureInterface>
#include <QtCore/QMetaObject>
#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QWaitCondition>

#include <cstdarg>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <sanitizer/tsan_interface.h>
#include <sched.h>

/*
 * Tells ThreadSanitizer what Qt orders between threads. Debian's Qt is built without it, so it sees neither
 * the locks of Qt's event queues nor what happens inside a wait condition, and would take every queued call
 * for a race. The functions below stand before Qt's own of the same name in every test, add what they order,
 * and go on to Qt's. This file is built without ThreadSanitizer, since it reads what is ordered by it.
 */
namespace {

template <typename Function>
Function *original(const char *symbol)
{
    void *const found = dlsym(RTLD_NEXT, symbol);
    if (!found)
        qFatal("Qt has no %s", symbol);
    return reinterpret_cast<Function *>(found);
}

/// A queued call: it follows whatever its sender did before, and a blocked sender goes on after it.
class OrderedCall : public QtPrivate::QSlotObjectBase
{
public:
    OrderedCall(QtPrivate::QSlotObjectBase *call, void *done)
        : QSlotObjectBase(&OrderedCall::run), m_call(call), m_done(done)
    {
        __tsan_release(this);
    }

private:
    static void run(int which, QSlotObjectBase *self, QObject *receiver, void **arguments, bool *)
    {
        auto *that = static_cast<OrderedCall *>(self);
        __tsan_acquire(that);
        if (which == Call) {
            that->m_call->call(receiver, arguments);
            __tsan_release(that); // The sender may be the one that destroys it.
            if (that->m_done)
                __tsan_release(that->m_done);
        } else if (which == Destroy) {
            that->m_call->destroyIfLastRef();
            delete that;
        }
    }

    QtPrivate::QSlotObjectBase *m_call;
    void *m_done;
};

} // namespace

bool QMetaObject::invokeMethodImpl(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type,
                                   void *result)
{
    using Function = bool(QObject *, QtPrivate::QSlotObjectBase *, Qt::ConnectionType, void *);
    static Function *const invoke = original<Function>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    char done = 0;
    const bool blocking = type == Qt::BlockingQueuedConnection;
    const bool invoked = invoke(object, new OrderedCall(slot, blocking ? &done : nullptr), type, result);
    if (blocking)
        __tsan_acquire(&done);
    return invoked;
}

bool QWaitCondition::wait(QMutex *mutex, QDeadlineTimer deadline)
{
    using Function = bool(QWaitCondition *, QMutex *, QDeadlineTimer);
    static Function *const waitFor = original<Function>("_ZN14QWaitCondition4waitEP6QMutex14QDeadlineTimer");
    __tsan_mutex_pre_unlock(mutex, 0);
    __tsan_mutex_post_unlock(mutex, 0);
    const bool woken = waitFor(this, mutex, deadline);
    __tsan_mutex_pre_lock(mutex, 0);
    __tsan_mutex_post_lock(mutex, 0, 0);
    return woken;
}

/// A continuation follows the call of then() that made it.
void QFutureInterfaceBase::setContinuation(std::function<void(const QFutureInterfaceBase &)> continuation,
                                           QFutureInterfaceBasePrivate *data)
{
    using Continuation = std::function<void(const QFutureInterfaceBase &)>;
    using Function = void(QFutureInterfaceBase *, Continuation, QFutureInterfaceBasePrivate *);
    static Function *const set = original<Function>(
        "_ZN20QFutureInterfaceBase15setContinuationESt8functionIFvRKS_EEP27QFutureInterfaceBasePrivate");
    struct Made
    {
        Continuation continuation;
    };
    const auto made = std::make_shared<Made>(Made{std::move(continuation)});
    __tsan_release(made.get());
    const auto ordered = [made](const QFutureInterfaceBase &future) {
        __tsan_acquire(made.get());
        made->continuation(future);
    };
    set(this, ordered, data);
}

/// Whoever lets the last result of a future go follows all the others.
bool QFutureInterfaceBase::derefT() const
{
    using Function = bool(const QFutureInterfaceBase *);
    static Function *const deref = original<Function>("_ZNK20QFutureInterfaceBase6derefTEv");
    __tsan_release(d);
    const bool left = deref(this);
    __tsan_acquire(d);
    return left;
}

/// QProcess makes a child that shares the memory of its parent until it runs its program. What
/// ThreadSanitizer notes in that child it would believe of the parent, too: that it ignores everything, and may
/// start no more threads. So the child gets a copy.
extern "C" int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) noexcept
{
    using Function = int(int (*)(void *), void *, int, void *, void *, void *, void *);
    static Function *const cloneInto = original<Function>("clone");
    va_list more;
    va_start(more, argument);
    void *const parentId = va_arg(more, void *);
    void *const tls = va_arg(more, void *);
    void *const childId = va_arg(more, void *);
    va_end(more);
    return cloneInto(run, stack, flags & ~(CLONE_VM | CLONE_VFORK), argument, parentId, tls, childId);
}
