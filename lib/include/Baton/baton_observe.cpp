// SPDX-License-Identifier: MIT
#include <Baton/baton.h>

/* The spellings of what is observed. */
namespace Baton {

QLatin1StringView tag(ElectionState value)
{
    switch (value) {
    case ElectionState::Led:
        return QLatin1StringView("led");
    case ElectionState::NeverExpires:
        return QLatin1StringView("never_expires");
    case ElectionState::Vacant:
        return QLatin1StringView("vacant");
    case ElectionState::LockDelay:
        return QLatin1StringView("lock_delay");
    case ElectionState::Orphaned:
        return QLatin1StringView("orphaned");
    case ElectionState::HolderHidden:
        return QLatin1StringView("holder_hidden");
    case ElectionState::Hidden:
        return QLatin1StringView("hidden");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(TermEnd value)
{
    switch (value) {
    case TermEnd::Running:
        return QLatin1StringView("running");
    case TermEnd::Released:
        return QLatin1StringView("released");
    case TermEnd::SessionEnded:
        return QLatin1StringView("session_ended");
    case TermEnd::ReleasedOrEnded:
        return QLatin1StringView("released_or_ended");
    case TermEnd::KeyDeleted:
        return QLatin1StringView("key_deleted");
    case TermEnd::Replaced:
        return QLatin1StringView("replaced");
    case TermEnd::Unseen:
        return QLatin1StringView("unseen");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ChangeKind value)
{
    switch (value) {
    case ChangeKind::ElectionAppeared:
        return QLatin1StringView("election_appeared");
    case ChangeKind::ElectionRemoved:
        return QLatin1StringView("election_removed");
    case ChangeKind::LeaderElected:
        return QLatin1StringView("leader_elected");
    case ChangeKind::LeaderLost:
        return QLatin1StringView("leader_lost");
    case ChangeKind::StateChanged:
        return QLatin1StringView("state_changed");
    case ChangeKind::TokenLifted:
        return QLatin1StringView("token_lifted");
    case ChangeKind::TokenFell:
        return QLatin1StringView("token_fell");
    case ChangeKind::ForeignWrite:
        return QLatin1StringView("foreign_write");
    case ChangeKind::SessionAppeared:
        return QLatin1StringView("session_appeared");
    case ChangeKind::SessionGone:
        return QLatin1StringView("session_gone");
    case ChangeKind::IndexReset:
        return QLatin1StringView("index_reset");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ConnectionState value)
{
    switch (value) {
    case ConnectionState::Idle:
        return QLatin1StringView("idle");
    case ConnectionState::Connecting:
        return QLatin1StringView("connecting");
    case ConnectionState::Live:
        return QLatin1StringView("live");
    case ConnectionState::Stale:
        return QLatin1StringView("stale");
    case ConnectionState::Refused:
        return QLatin1StringView("refused");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ObserveTrouble value)
{
    switch (value) {
    case ObserveTrouble::None:
        return QLatin1StringView("none");
    case ObserveTrouble::InvalidOptions:
        return QLatin1StringView("invalid_options");
    case ObserveTrouble::NoApplication:
        return QLatin1StringView("no_application");
    case ObserveTrouble::Unreachable:
        return QLatin1StringView("unreachable");
    case ObserveTrouble::TimedOut:
        return QLatin1StringView("timed_out");
    case ObserveTrouble::Interrupted:
        return QLatin1StringView("interrupted");
    case ObserveTrouble::NoLeader:
        return QLatin1StringView("no_leader");
    case ObserveTrouble::ServerError:
        return QLatin1StringView("server_error");
    case ObserveTrouble::Denied:
        return QLatin1StringView("denied");
    case ObserveTrouble::RateLimited:
        return QLatin1StringView("rate_limited");
    case ObserveTrouble::Rejected:
        return QLatin1StringView("rejected");
    case ObserveTrouble::NotConsul:
        return QLatin1StringView("not_consul");
    case ObserveTrouble::TooLarge:
        return QLatin1StringView("too_large");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ObservedPart value)
{
    switch (value) {
    case ObservedPart::Sessions:
        return QLatin1StringView("sessions");
    case ObservedPart::Keys:
        return QLatin1StringView("keys");
    case ObservedPart::Agent:
        return QLatin1StringView("agent");
    case ObservedPart::Action:
        return QLatin1StringView("action");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(Visibility value)
{
    switch (value) {
    case Visibility::Unknown:
        return QLatin1StringView("unknown");
    case Visibility::Everything:
        return QLatin1StringView("everything");
    case Visibility::Some:
        return QLatin1StringView("some");
    case Visibility::Nothing:
        return QLatin1StringView("nothing");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(Consistency value)
{
    switch (value) {
    case Consistency::Default:
        return QLatin1StringView("default");
    case Consistency::Consistent:
        return QLatin1StringView("consistent");
    case Consistency::Stale:
        return QLatin1StringView("stale");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(AdminOutcome value)
{
    switch (value) {
    case AdminOutcome::Done:
        return QLatin1StringView("done");
    case AdminOutcome::Changed:
        return QLatin1StringView("changed");
    case AdminOutcome::Refused:
        return QLatin1StringView("refused");
    case AdminOutcome::Unknown:
        return QLatin1StringView("unknown");
    }
    Q_UNREACHABLE();
}

} // namespace Baton
