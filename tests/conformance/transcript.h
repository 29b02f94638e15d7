// SPDX-License-Identifier: MIT
#pragma once

#include "side.h"

#include <QMap>

namespace Baton::Testing {

/*
 * A row of the table, asked of one side. Each line is a request:
 *
 *     [@TOKEN] METHOD TARGET [BODY] [=> NAME]
 *
 * $NAME stands for the first "ID" in the answer of that name, $NAME.Member for the first such member, and
 * $NAME.Header for its X-Consul-Index; $K for a key of the row's own, %ZERO(n) for a body of n zeros.
 */
class Transcript
{
public:
    enum class Indexes { Compared, LeftOut };

    Transcript(const Side &side, const QByteArray &key, const QMap<QByteArray, QByteArray> &tokens)
        : m_side(side), m_key(key), m_tokens(tokens)
    {
    }

    void ask(const QByteArray &line);
    // A line for each request: status, headers, body. What differs by nature is written in a neutral way:
    // ids are counted, addresses are left out, and an index is its rank among the indexes of the row, so that
    // it is compared which of two is the greater and which are equal.
    [[nodiscard]] QByteArrayList neutral(Indexes mode = Indexes::Compared) const;
    // Sends the answers to what a row leaves behind, so that rows do not see each other.
    void cleanUp() const;

private:
    struct Exchange
    {
        QByteArray line;
        HttpAnswer answer;
    };

    [[nodiscard]] QByteArray filledIn(QByteArray text) const;

    const Side &m_side;
    const QByteArray m_key;
    const QMap<QByteArray, QByteArray> m_tokens;
    QList<Exchange> m_exchanges;
    QMap<QByteArray, HttpAnswer> m_named;
};

} // namespace Baton::Testing
