// SPDX-License-Identifier: MIT
#include <Baton/baton.h>

namespace Baton {

QLatin1StringView tag(LostReason value)
{
    switch (value) {
    case LostReason::SessionExpired:
        return QLatin1StringView("session_expired");
    case LostReason::LockKeyTaken:
        return QLatin1StringView("lock_key_taken");
    case LostReason::LocalDeadlineExceeded:
        return QLatin1StringView("local_deadline_exceeded");
    case LostReason::Released:
        return QLatin1StringView("released");
    case LostReason::Cancelled:
        return QLatin1StringView("cancelled");
    case LostReason::LockKeyDeleted:
        return QLatin1StringView("lock_key_deleted");
    case LostReason::LockKeyReleased:
        return QLatin1StringView("lock_key_released");
    case LostReason::HealthCheckFailed:
        return QLatin1StringView("health_check_failed");
    case LostReason::TokenRegressed:
        return QLatin1StringView("token_regressed");
    case LostReason::ApplicationStalled:
        return QLatin1StringView("application_stalled");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ProviderState value)
{
    switch (value) {
    case ProviderState::Idle:
        return QLatin1StringView("idle");
    case ProviderState::Opening:
        return QLatin1StringView("opening");
    case ProviderState::Waiting:
        return QLatin1StringView("waiting");
    case ProviderState::Leading:
        return QLatin1StringView("leading");
    case ProviderState::Stopping:
        return QLatin1StringView("stopping");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(WaitReason value)
{
    switch (value) {
    case WaitReason::Held:
        return QLatin1StringView("held");
    case WaitReason::LockDelay:
        return QLatin1StringView("lock_delay");
    case WaitReason::NeverExpires:
        return QLatin1StringView("never_expires");
    case WaitReason::Denied:
        return QLatin1StringView("denied");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(Profile value)
{
    switch (value) {
    case Profile::Conservative:
        return QLatin1StringView("conservative");
    case Profile::Balanced:
        return QLatin1StringView("balanced");
    case Profile::Fast:
        return QLatin1StringView("fast");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(FailureKind value)
{
    switch (value) {
    case FailureKind::HandOver:
        return QLatin1StringView("hand_over");
    case FailureKind::ProcessCrash:
        return QLatin1StringView("process_crash");
    case FailureKind::ProcessFrozen:
        return QLatin1StringView("process_frozen");
    case FailureKind::AgentLost:
        return QLatin1StringView("agent_lost");
    case FailureKind::MachineLost:
        return QLatin1StringView("machine_lost");
    case FailureKind::NetworkCut:
        return QLatin1StringView("network_cut");
    case FailureKind::ConsulLeaderLost:
        return QLatin1StringView("consul_leader_lost");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(FailoverOrigin value)
{
    switch (value) {
    case FailoverOrigin::ReleaseSent:
        return QLatin1StringView("release_sent");
    case FailoverOrigin::DeathSeen:
        return QLatin1StringView("death_seen");
    case FailoverOrigin::LastRenewal:
        return QLatin1StringView("last_renewal");
    case FailoverOrigin::LastHeartbeat:
        return QLatin1StringView("last_heartbeat");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(ErrorCode value)
{
    switch (value) {
    case ErrorCode::None:
        return QLatin1StringView("none");
    case ErrorCode::InvalidOptions:
        return QLatin1StringView("invalid_options");
    case ErrorCode::NoApplication:
        return QLatin1StringView("no_application");
    case ErrorCode::Busy:
        return QLatin1StringView("busy");
    case ErrorCode::Unreachable:
        return QLatin1StringView("unreachable");
    case ErrorCode::TimedOut:
        return QLatin1StringView("timed_out");
    case ErrorCode::Interrupted:
        return QLatin1StringView("interrupted");
    case ErrorCode::ServerError:
        return QLatin1StringView("server_error");
    case ErrorCode::NodeUnhealthy:
        return QLatin1StringView("node_unhealthy");
    case ErrorCode::Denied:
        return QLatin1StringView("denied");
    case ErrorCode::RateLimited:
        return QLatin1StringView("rate_limited");
    case ErrorCode::Rejected:
        return QLatin1StringView("rejected");
    case ErrorCode::NotConsul:
        return QLatin1StringView("not_consul");
    case ErrorCode::SessionUnfit:
        return QLatin1StringView("session_unfit");
    case ErrorCode::TokenRegressed:
        return QLatin1StringView("token_regressed");
    case ErrorCode::ForeignWrite:
        return QLatin1StringView("foreign_write");
    case ErrorCode::NodeCheckForced:
        return QLatin1StringView("node_check_forced");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(Step value)
{
    switch (value) {
    case Step::Configure:
        return QLatin1StringView("configure");
    case Step::CreateSession:
        return QLatin1StringView("create_session");
    case Step::RenewSession:
        return QLatin1StringView("renew_session");
    case Step::ReadKey:
        return QLatin1StringView("read_key");
    case Step::Lock:
        return QLatin1StringView("lock");
    case Step::Watch:
        return QLatin1StringView("watch");
    case Step::Release:
        return QLatin1StringView("release");
    case Step::DestroySession:
        return QLatin1StringView("destroy_session");
    case Step::InspectSession:
        return QLatin1StringView("inspect_session");
    case Step::Write:
        return QLatin1StringView("write");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(AcquireOutcome value)
{
    switch (value) {
    case AcquireOutcome::Won:
        return QLatin1StringView("won");
    case AcquireOutcome::Contended:
        return QLatin1StringView("contended");
    case AcquireOutcome::TimedOut:
        return QLatin1StringView("timed_out");
    case AcquireOutcome::Cancelled:
        return QLatin1StringView("cancelled");
    case AcquireOutcome::Failed:
        return QLatin1StringView("failed");
    }
    Q_UNREACHABLE();
}

QLatin1StringView tag(WriteOutcome value)
{
    switch (value) {
    case WriteOutcome::Written:
        return QLatin1StringView("written");
    case WriteOutcome::Refused:
        return QLatin1StringView("refused");
    case WriteOutcome::Unknown:
        return QLatin1StringView("unknown");
    }
    Q_UNREACHABLE();
}

} // namespace Baton
