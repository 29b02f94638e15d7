// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QRegularExpression>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace Baton::Monitor {

/*!
 * What is typed behind `/`: words that must all occur, whatever their case. `!word` must not occur,
 * `state:vacant` is compared with the row's state, also in part (`state:lock`, `!state:led`), `"two words"`
 * are one, and `re:` or
 * `!re:` makes all that follows one regular expression. An empty one matches everything.
 *
 * A value.
 */
class FilterExpression
{
public:
    FilterExpression() = default;
    /// \a states are the tags that `state:` may name; another one is an error. Empty: any.
    [[nodiscard]] static FilterExpression parse(const QString &text, const QStringList &states = {});

    /// What is wrong, as a translated sentence; empty where nothing is. One with an error matches everything.
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool isEmpty() const { return m_terms.isEmpty(); }
    [[nodiscard]] bool matches(const QString &text, const QString &state) const;

private:
    enum class Kind { Text, State, Regex };
    struct Term
    {
        Kind kind = Kind::Text;
        bool inverse = false;
        /// Of State: the whole tag, not only its beginning.
        bool isWhole = false;
        QString text{};
        QRegularExpression regex{};
    };

    void addWord(const QString &word, bool inverse, const QStringList &states);
    void addRegex(const QString &pattern, bool inverse);
    [[nodiscard]] static bool matches(const Term &term, const QString &text, const QString &state);

    QList<Term> m_terms;
    QString m_error;
};

} // namespace Baton::Monitor
