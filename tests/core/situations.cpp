// SPDX-License-Identifier: MIT
#include "situations.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Baton::Core {

namespace {
using enum Wire::FailureKind;

/// The term led, or the one that is being campaigned for.
quint64 presentTerm(const Harness &h)
{
    return std::max<quint64>(h.term(), 1);
}
} // namespace

Settings situationSettings()
{
    Settings settings = balanced();
    settings.tokenFloor = 60;
    return settings;
}

const std::vector<Situation> &situations()
{
    static const std::vector<Situation> all{
        {"idle", [](Harness &) {}},
        {"opening", [](Harness &h) { h.input(Start{}); }},
        {"opening, in back-off",
         [](Harness &h) {
             h.input(Start{});
             h.answer(Kind::Create, failure(Unreachable));
         }},
        {"verifying", [](Harness &h) { h.toVerifying(); }},
        {"verifying, in back-off",
         [](Harness &h) {
             h.toVerifying();
             h.answer(Kind::Renew, failure(ServerError));
         }},
        {"reading", [](Harness &h) { h.toReading(); }},
        {"reading, in back-off",
         [](Harness &h) {
             h.toReading();
             h.answer(Kind::Key, failure(ServerError));
         }},
        {"waiting", [](Harness &h) { h.toWaiting(); }},
        {"waiting, renewing",
         [](Harness &h) {
             h.toWaiting();
             h.advance(2250ms);
         }},
        {"waiting for a stranger",
         [](Harness &h) {
             h.toReading();
             h.answer(Kind::Key, held(u"X1"_s, 50, "not Baton's"));
         }},
        {"waiting, in lock-delay",
         [](Harness &h) {
             h.toWaiting();
             h.answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
         }},
        {"waiting, denied",
         [](Harness &h) {
             h.toLocking();
             h.answer(Kind::Lock, failure(Denied));
         }},
        {"locking", [](Harness &h) { h.toLocking(); }},
        {"locking, renewing",
         [](Harness &h) {
             h.toLocking();
             h.advance(2250ms);
         }},
        {"locking, watching",
         [](Harness &h) {
             h.toWaiting();
             h.answer(Kind::Key, freeKey(55, rivalValue(u"R1"_s)));
             for (int i = 0; i < 3; ++i) {
                 h.advance(2250ms);
                 h.answer(Kind::Renew, renewed());
             }
             h.advance(2250ms); // The lock-delay is over.
         }},
        {"locking again",
         [](Harness &h) {
             h.toLocking();
             h.answer(Kind::Lock, failure(Interrupted));
             h.advance(200ms);
             h.answer(Kind::Key, held(u"S1"_s, 100, "v"));
         }},
        {"leading", [](Harness &h) { h.toLeading(); }},
        {"leading, renewing",
         [](Harness &h) {
             h.toLeading();
             h.advance(2250ms);
         }},
        {"leading, at risk",
         [](Harness &h) {
             h.toLeading();
             h.advance(5s);
         }},
        {"leading, in doubt",
         [](Harness &h) {
             h.toLeading();
             h.answer(Kind::Key, held(u"R0"_s, 40, rivalValue(u"R0"_s)));
         }},
        {"diagnosing",
         [](Harness &h) {
             h.toLeading();
             h.advance(2250ms); // So that a renewal is under way, too.
             h.answer(Kind::Key, freeKey(120));
         }},
        {"yielding",
         [](Harness &h) {
             h.toLeading();
             h.input(Release{});
         }},
        {"yielding to a stop",
         [](Harness &h) {
             h.toLeading();
             h.advance(2250ms);
             h.input(Stop{});
         }},
        {"closing, destroying",
         [](Harness &h) {
             h.toWaiting();
             h.input(Stop{});
         }},
        {"closing, releasing",
         [](Harness &h) {
             h.toLeading();
             h.input(Stop{});
             h.input(HandedOver{h.term()});
         }},
        {"closing, reading back",
         [](Harness &h) {
             h.toLeading();
             h.input(Stop{});
             h.input(HandedOver{h.term()});
             h.answer(Kind::Release, released(false));
         }},
        {"closing, with a create",
         [](Harness &h) {
             h.input(Start{});
             h.input(Stop{});
         }},
        {"closing, with a lock",
         [](Harness &h) {
             h.toLocking();
             h.input(Stop{});
         }},
        {"stopped, with a create",
         [](Harness &h) {
             h.input(Start{});
             h.input(Stop{});
             h.advance(5s);
         }},
        {"stopped, with a lock",
         [](Harness &h) {
             h.toLocking();
             h.input(Stop{});
             h.advance(5s);
         }},
    };
    return all;
}

const std::vector<Stimulus> &stimuli()
{
    using R = Wire::Refusal;
    static const std::vector<Stimulus> all{
        // Commands and time
        {"start", {}, {}, [](Harness &h) { h.input(Start{}); }},
        {"start once", {}, {}, [](Harness &h) { h.input(Start{false}); }},
        {"stop", {}, {}, [](Harness &h) { h.input(Stop{}); }},
        {"release", {}, {}, [](Harness &h) { h.input(Release{}); }},
        {"release, cancelled", {}, {}, [](Harness &h) { h.input(Release{LostReason::Cancelled}); }},
        {"handed over", {}, {}, [](Harness &h) { h.input(HandedOver{presentTerm(h)}); }},
        {"handed over, another term", {}, {}, [](Harness &h) { h.input(HandedOver{presentTerm(h) + 1}); }},
        {"abandon", {}, {}, [](Harness &h) { h.input(Abandon{LostReason::ApplicationStalled}); }},
        {"an hour", {}, {}, [](Harness &h) { h.jump(1h); }},
        {"a reply to nothing", {}, {}, [](Harness &h) { h.answerRequest(9999, sessionDestroyed()); }},
        // The session
        {"created", Kind::Create, [] { return created(u"S9"_s); }},
        {"create unreachable", Kind::Create, [] { return failure(Unreachable); }},
        {"create denied", Kind::Create, [] { return failure(Denied); }},
        {"renewed", Kind::Renew, [] { return renewed(); }},
        {"renewed unfit", Kind::Renew,
         [] {
             Settings shorter = balanced();
             shorter.lockDelay = 1s;
             return renewed(shorter);
         }},
        {"renew failed", Kind::Renew, [] { return failure(ServerError); }},
        {"renew gone", Kind::Renew, [] { return sessionGone(); }},
        {"shown", Kind::Inspect, [] { return sessionShown(); }},
        {"shown for ever", Kind::Inspect, [] { return sessionShown(std::nullopt); }},
        {"not shown", Kind::Inspect, [] { return sessionGone(); }},
        {"show failed", Kind::Inspect, [] { return failure(ServerError); }},
        // The key
        {"key absent", Kind::Key, [] { return absent(130); }},
        {"key free", Kind::Key, [] { return freeKey(130); }},
        {"key held", Kind::Key, [] { return held(u"R2"_s, 130, rivalValue(u"R2"_s)); }},
        {"key held earlier", Kind::Key, [] { return held(u"R0"_s, 40, rivalValue(u"R0"_s)); }},
        {"key ours", Kind::Key, [] { return held(u"S1"_s, 100, "v"); }},
        {"key failed", Kind::Key, [] { return failure(TimedOut); }},
        // The lock
        {"won", Kind::Lock, [] { return won(140); }},
        {"won low", Kind::Lock, [] { return won(59); }},
        {"lock held", Kind::Lock, [] { return refused(R::Held); }},
        {"lock delayed", Kind::Lock, [] { return refused(R::LockDelay); }},
        {"lock stale", Kind::Lock, [] { return refused(R::StaleGuard); }},
        {"lock denied", Kind::Lock, [] { return failure(Denied); }},
        {"lock lost", Kind::Lock, [] { return failure(Interrupted); }},
        {"lock gone", Kind::Lock, [] { return sessionGone(); }},
        // The end of a session
        {"released", Kind::Release, [] { return released(true); }},
        {"not released", Kind::Release, [] { return released(false); }},
        {"release failed", Kind::Release, [] { return failure(Interrupted); }},
        {"release denied", Kind::Release, [] { return failure(Denied); }},
        {"read back free", Kind::ReadBack, [] { return freeKey(150); }},
        {"read back ours", Kind::ReadBack, [] { return held(u"S1"_s, 140, "v"); }},
        {"read back failed", Kind::ReadBack, [] { return failure(TimedOut); }},
        {"destroyed", Kind::Destroy, [] { return sessionDestroyed(); }},
        {"destroy failed", Kind::Destroy, [] { return failure(ServerError); }},
    };
    return all;
}

} // namespace Baton::Core
