// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace Baton::Wire {

/*!
 * One JSON value, read strictly: RFC 8259 to the letter, valid UTF-8, no name twice in an object. Numbers
 * keep their text, since an index above 2^53 does not survive the double that QJsonValue would make of it.
 */
struct Json
{
    enum class Type { Null, False, True, Number, String, Array, Object };

    /// Arrays and objects within each other; Consul's answers have 4 levels.
    static constexpr int MaxDepth = 16;
    /// Values in one text, so that a hostile answer costs little memory; a transaction of 64 results has
    /// ~600.
    static constexpr int MaxValues = 4096;

    Type type = Type::Null;
    QString text; ///< String: its characters. Number: as it was written.
    QStringList names; ///< Object: the name of each item.
    std::vector<Json> items; ///< Array and object.

    /// The one value that \a document consists of; nothing where it is not JSON or beyond the limits.
    [[nodiscard]] static std::optional<Json> parse(QByteArrayView document);
    /// Hands each item of the list that \a document consists of to \a take, one at a time, so that a long
    /// list costs no more memory than its longest item. False where it is not such a list, an item is beyond
    /// the limits, or \a take returns false; items before that have been handed over all the same.
    [[nodiscard]] static bool parseEach(QByteArrayView document,
                                        const std::function<bool(const Json &item)> &take);
    /// The member \a name of an object, or null.
    [[nodiscard]] const Json *member(QStringView name) const;
};

} // namespace Baton::Wire
