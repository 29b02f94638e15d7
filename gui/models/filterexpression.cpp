// SPDX-License-Identifier: MIT
#include "models/filterexpression.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Baton::Monitor::Filter)
};

constexpr auto RegexPrefix = "re:"_L1;
constexpr auto StatePrefix = "state:"_L1;

/// `Lock-delay`, `lock delay` and `lock_delay` are the same state.
QString stateWord(const QString &text)
{
    QString word = text.toLower();
    return word.replace('-'_L1, '_'_L1).replace(' '_L1, '_'_L1);
}

/// Takes the text up to \a end, and \a end itself, off the front.
QString take(QStringView *rest, qsizetype end)
{
    const QString taken = rest->first(end).toString();
    *rest = rest->sliced(std::min(end + 1, rest->size()));
    return taken;
}

qsizetype wordEnd(QStringView text)
{
    const auto space = std::find_if(text.begin(), text.end(), [](QChar c) { return c.isSpace(); });
    return space - text.begin();
}

} // namespace

FilterExpression FilterExpression::parse(const QString &text, const QStringList &states)
{
    FilterExpression expression;
    QStringView rest = QStringView(text).trimmed();
    while (!rest.isEmpty() && expression.m_error.isEmpty()) {
        const bool inverse = rest.startsWith('!'_L1);
        if (inverse)
            rest = rest.sliced(1);
        if (rest.startsWith(RegexPrefix)) {
            expression.addRegex(rest.sliced(RegexPrefix.size()).trimmed().toString(), inverse);
            break;
        }
        if (rest.startsWith('"'_L1)) {
            rest = rest.sliced(1);
            const qsizetype quote = rest.indexOf('"'_L1);
            const QString word = take(&rest, quote < 0 ? rest.size() : quote);
            if (!word.isEmpty())
                expression.m_terms.append({.inverse = inverse, .text = word});
        } else {
            expression.addWord(take(&rest, wordEnd(rest)), inverse, states);
        }
        rest = rest.trimmed();
    }
    if (!expression.m_error.isEmpty())
        expression.m_terms.clear();
    return expression;
}

void FilterExpression::addRegex(const QString &pattern, bool inverse)
{
    if (pattern.isEmpty()) // It is being typed.
        return;
    const QRegularExpression regex(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!regex.isValid()) {
        m_error = Text::tr("No regular expression: %1, at character %2")
                      .arg(regex.errorString())
                      .arg(regex.patternErrorOffset());
        return;
    }
    m_terms.append({.kind = Kind::Regex, .inverse = inverse, .regex = regex});
}

void FilterExpression::addWord(const QString &word, bool inverse, const QStringList &states)
{
    if (!word.startsWith(StatePrefix)) {
        if (!word.isEmpty())
            m_terms.append({.inverse = inverse, .text = word});
        return;
    }
    const QString state = stateWord(word.sliced(StatePrefix.size()));
    if (state.isEmpty()) // It is being typed.
        return;
    const bool isKnown = std::any_of(states.cbegin(), states.cend(),
                                     [&](const QString &known) { return known.startsWith(state); });
    if (!states.isEmpty() && !isKnown) {
        m_error = Text::tr("No such state: %1. There are: %2").arg(state, states.join(u", "_s));
        return;
    }
    m_terms.append(
        {.kind = Kind::State, .inverse = inverse, .isWhole = states.contains(state), .text = state});
}

bool FilterExpression::matches(const QString &text, const QString &state) const
{
    return std::all_of(m_terms.cbegin(), m_terms.cend(),
                       [&](const Term &term) { return matches(term, text, state) != term.inverse; });
}

bool FilterExpression::matches(const Term &term, const QString &text, const QString &state)
{
    switch (term.kind) {
    case Kind::Text:
        return text.contains(term.text, Qt::CaseInsensitive);
    case Kind::State:
        return term.isWhole ? state == term.text : state.startsWith(term.text);
    case Kind::Regex:
        return term.regex.match(text).hasMatch();
    }
    Q_UNREACHABLE();
}

} // namespace Baton::Monitor
