// SPDX-License-Identifier: MIT
#include "models/format.h"
#include "models/verdict.h"

#include <QtCore/QCoreApplication>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Trouble)
};

/// What was to be read, as part of a sentence.
QString partText(const ObserveError &error)
{
    const QString subject = Format::inSentence(error.subject);
    switch (error.part) {
    case ObservedPart::Sessions:
        return Text::tr("the sessions");
    case ObservedPart::Keys:
        return subject.isEmpty() ? Text::tr("the keys") : Text::tr("the keys under %1").arg(subject);
    case ObservedPart::Agent:
        return Text::tr("the agent's state");
    case ObservedPart::Action:
        return subject.isEmpty() ? Text::tr("what was asked for") : subject;
    }
    Q_UNREACHABLE();
}

QString deniedRemedy(const ObserveError &error)
{
    if (error.missingRule.isEmpty())
        return Text::tr("Check that the token exists and has the rights to read.");
    return Text::tr("Add the rule %1 to the token's policy.").arg(Format::safe(error.missingRule));
}

} // namespace

TroubleText troubleText(const ObserveError &error)
{
    TroubleText text;
    const QString again = Text::tr("It is tried again by itself.");
    switch (error.trouble) {
    case ObserveTrouble::None:
        return text;
    case ObserveTrouble::InvalidOptions:
        text.cause = Text::tr("The connection is not set up right");
        text.remedy = Text::tr("Mend the profile.");
        break;
    case ObserveTrouble::NoApplication:
        text.cause = Text::tr("The program is ending");
        break;
    case ObserveTrouble::Unreachable:
        text.cause = Text::tr("Consul cannot be reached");
        text.remedy = Text::tr("Check the address, and whether the agent runs. %1").arg(again);
        break;
    case ObserveTrouble::TimedOut:
        text.cause = Text::tr("Consul does not answer");
        text.remedy = Text::tr("Check the network and the agent's load. %1").arg(again);
        break;
    case ObserveTrouble::Interrupted:
        text.cause = Text::tr("Consul's answer was cut off");
        text.remedy = Text::tr("Check the network, and a proxy in between. %1").arg(again);
        break;
    case ObserveTrouble::NoLeader:
        text.cause = Text::tr("Consul has no leader of its own");
        text.remedy = Text::tr("Nothing can move until its servers have elected one.");
        break;
    case ObserveTrouble::ServerError:
        text.cause = Text::tr("Consul is in trouble");
        text.remedy = Text::tr("Look into the agent's log. %1").arg(again);
        break;
    case ObserveTrouble::Denied:
        text.cause = Text::tr("The token may not read %1").arg(partText(error));
        if (error.part == ObservedPart::Action)
            text.cause = Text::tr("The token may not change %1").arg(partText(error));
        text.remedy = deniedRemedy(error);
        break;
    case ObserveTrouble::RateLimited:
        text.cause = Text::tr("Consul limits the rate of requests from here");
        text.remedy = Text::tr("Close other windows on this machine, or raise the limit. %1").arg(again);
        break;
    case ObserveTrouble::Rejected:
        text.cause = Text::tr("Consul refuses the request for %1").arg(partText(error));
        text.remedy = Text::tr("Check datacenter, namespace and prefixes of the profile.");
        break;
    case ObserveTrouble::NotConsul:
        text.cause = Text::tr("What answers there is not Consul");
        text.remedy = Text::tr("Check the address: a proxy or another program answers.");
        break;
    case ObserveTrouble::TooLarge:
        text.cause = Text::tr("There is more under %1 than is read at a time").arg(partText(error));
        text.remedy = Text::tr("Watch a narrower prefix.");
        break;
    }
    const QString own = Format::safe(error.detail, Format::DetailLength);
    if (error.status == 0)
        text.detail = own;
    else if (own.isEmpty())
        text.detail = u"HTTP %1"_s.arg(error.status);
    else
        text.detail = u"HTTP %1: %2"_s.arg(QString::number(error.status), own);
    return text;
}

} // namespace Baton::Monitor
