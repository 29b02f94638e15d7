// SPDX-License-Identifier: MIT
#pragma once

#include "answers.h"

#include <QtCore/QRandomGenerator>

namespace Baton::Wire::Samples {

/// A request with an answer that is state and no failure, as Consul 1.8.7 gave it.
struct Sample
{
    const char *name;
    Request request;
    HttpAnswer answer;
};

inline const QList<Sample> &samples()
{
    using namespace std::chrono_literals;
    static const QByteArray Session =
        R"([{"ID":"6056010b-4175-11be-ecb1-b105a3701bf3","Name":"x","Node":"n1",)"
        R"("LockDelay":1500000000,"Behavior":"release","TTL":"10s",)"
        R"("NodeChecks":["serfHealth"],"ServiceChecks":[{"ID":"a","Namespace":""}],)"
        R"("CreateIndex":8,"ModifyIndex":8}])";
    static const QByteArray Entry = R"({"LockIndex":1,"Key":"k","Flags":0,"Value":"aGk=",)"
                                    R"("Session":"6056010b-4175-11be-ecb1-b105a3701bf3",)"
                                    R"("CreateIndex":20,"ModifyIndex":20})";
    static const QByteArray Blank = QByteArray(Entry).replace(R"("aGk=")", "null");
    static const QByteArray Write = R"({"LockIndex":0,"Key":"w","Flags":0,"Value":null,)"
                                    R"("CreateIndex":26,"ModifyIndex":26})";
    static const auto results = [](const QByteArrayList &entries) {
        return json(200, R"({"Results":[{"KV":)" + entries.join(R"(},{"KV":)") + R"(}],"Errors":null})");
    };
    static const auto error = [](const QByteArray &what) {
        return json(409, R"({"Results":null,"Errors":[{"OpIndex":1,"What":")" + what + R"("}]})");
    };
    const LockKey lock{u"k"_s, Ours, "hi", IfAbsent{}};
    const LockKey lockAgain{u"k"_s, Ours, "hi", IfOurs{}};
    const FencedWrite write{u"k"_s, Ours, {{u"w"_s, "a"}}};
    static const QList<Sample> List = {
        {"created", CreateSession{u"x"_s, 10s, 9s, {}, {}},
         json(200, R"({"ID":"6056010b-4175-11be-ecb1-b105a3701bf3"})")},
        {"renewed", RenewSession{Ours}, json(200, Session)},
        {"renewed nothing", RenewSession{Ours},
         plain(404, "Session id '6056010b-4175-11be-ecb1-b105a3701bf3' not found")},
        {"shown", InspectSession{Ours}, json(200, Session)},
        {"shown nothing", InspectSession{Ours}, json(200, "[]")},
        {"destroyed", DestroySession{Ours}, json(200, "true")},
        {"read", ReadKey{u"k"_s}, withIndex(json(200, '[' + Entry + ']'), "20")},
        {"read nothing", ReadKey{u"k"_s}, absent("15")},
        {"watched", WatchKey{u"k"_s, 15, 50s}, withIndex(json(200, "[\n    " + Entry + "\n]\n"), "20")},
        {"won", lock, results({Blank, Entry})},
        {"won again", lockAgain, results({Blank, Blank, Entry})},
        {"held", lock, error(R"(failed to lock key \"k\", lock is already held)")},
        {"delayed", lock, error(R"(failed to lock key \"k\" due to lock delay)")},
        {"stale", lock, error(R"(key \"k\" exists)")},
        {"session gone", lock, error(R"(invalid session \"6056010b-4175-11be-ecb1-b105a3701bf3\")")},
        {"session gone, as a server error", lock,
         plain(500, R"(invalid session "6056010b-4175-11be-ecb1-b105a3701bf3")")},
        {"released", ReleaseKey{u"k"_s, Ours}, json(200, "true")},
        {"not released", ReleaseKey{u"k"_s, Ours}, json(200, "false")},
        {"written", write, results({Blank, Write})},
        {"write refused", write,
         error(R"(failed session check for key \"k\", current session \"\" != )"
               R"(\"6056010b-4175-11be-ecb1-b105a3701bf3\")")},
    };
    return List;
}

/// Changes, removes, repeats or inserts one to four bytes.
inline void mutate(QByteArray &body, QRandomGenerator &random)
{
    const int count = random.bounded(1, 5);
    for (int i = 0; i < count && !body.isEmpty(); ++i) {
        const qsizetype at = random.bounded(int(body.size()));
        const char byte = char(random.bounded(256));
        switch (random.bounded(4)) {
        case 0:
            body[at] = byte;
            break;
        case 1:
            body.remove(at, 1);
            break;
        case 2:
            body.insert(at, body.sliced(at, qMin<qsizetype>(body.size() - at, 16)));
            break;
        default:
            body.insert(at, byte);
            break;
        }
    }
}

} // namespace Baton::Wire::Samples
