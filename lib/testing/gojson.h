// SPDX-License-Identifier: MIT
#pragma once

#include "gotext.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace Baton::Testing {

/// The one value in \a body as Go's decoder takes it (what follows it is ignored), or Go's error text.
[[nodiscard]] std::variant<QJsonValue, QString> parseGoJson(const QByteArray &body);

/*!
 * The members of a JSON object as Go's decoder takes them: their names in any case, `null` as if it were not
 * there. What has the wrong type, or a name that nobody asked for where strangers are refused, is remembered:
 * the first such problem in Go's words.
 */
class GoObject
{
public:
    /// \a path is how Go's error texts name the place: "KVTxnOp.KV".
    explicit GoObject(const QJsonValue &value, const QString &path = {});
    /// The object in \a body; its first problem may be that there is none.
    [[nodiscard]] static GoObject parse(const QByteArray &body);

    [[nodiscard]] bool has(const QString &name);
    [[nodiscard]] QString text(const QString &name);
    [[nodiscard]] quint64 number(const QString &name);
    [[nodiscard]] QStringList texts(const QString &name);
    /// Base64 in the document.
    [[nodiscard]] QByteArray bytes(const QString &name);
    [[nodiscard]] Core::Duration duration(const QString &name, Core::Duration preset = {});
    /// As it is; null where it is not there.
    [[nodiscard]] QJsonValue value(const QString &name);

    /// To be called last: refuses every name that was not asked for.
    void refuseOthers();
    [[nodiscard]] const QString &problem() const { return m_problem; }
    void complain(const QString &problem);

private:
    void complainOfType(const QString &name, const QJsonValue &value, const QString &type);

    QJsonObject m_members;
    const QString m_path;
    QStringList m_asked;
    QString m_problem;
};

} // namespace Baton::Testing
