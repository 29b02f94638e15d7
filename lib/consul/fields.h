// SPDX-License-Identifier: MIT
#pragma once

#include "json.h"

namespace Baton::Wire {

/*!
 * The members of one JSON object, read one by one. A member that is missing or of another type makes the
 * whole object unusable: ok() turns false and stays so. Members that nobody asks for do not matter, since
 * newer versions of Consul add some.
 */
class Fields
{
public:
    explicit Fields(const Json &object);

    [[nodiscard]] bool ok() const { return m_ok; }
    /// A condition of the reader's own.
    void require(bool condition) { m_ok = m_ok && condition; }

    quint64 number(QStringView name);
    QString text(QStringView name);
    /// Base64, decoded; empty where it is null, as Consul writes an empty value.
    QByteArray bytes(QStringView name);
    /// Nothing where the member is missing or empty.
    std::optional<QString> optionalText(QStringView name);
    /// Empty where the member is missing or null.
    const std::vector<Json> &list(QStringView name);
    /// A list as above, of texts.
    QStringList texts(QStringView name);

private:
    const Json *required(QStringView name, Json::Type type);

    const Json &m_object;
    bool m_ok = true;
};

} // namespace Baton::Wire
