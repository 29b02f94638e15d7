// SPDX-License-Identifier: MIT
#pragma once

#include "views/page.h"

class QComboBox;

namespace Baton::Monitor {

class ElidedLabel;
class FieldList;

/// Lines of the journal within a stretch of time, too.
class JournalFilter : public TableFilter
{
    Q_OBJECT
public:
    JournalFilter(const JournalModel &journal, const Clock &clock);

    /// Lines of the last \a span only; nothing: all.
    void setLast(std::optional<Nanoseconds> span);
    /// Lines within \a range only.
    void setRange(const TimeRange &range);
    /// Time moved on: drops the lines that have become too old.
    void advance();

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const override;

private:
    const JournalModel &m_journal;
    const Clock &m_clock;
    std::optional<Nanoseconds> m_last;
    std::optional<TimeRange> m_range;
    Nanoseconds m_advanced{};
};

/// Every change as a line, the newest first.
class JournalPage : public Page
{
    Q_OBJECT
public:
    JournalPage(Feed &feed, Actions &actions, QWidget *parent = nullptr);

    void clearFilter() override;
    void refresh() override;
    void tick() override;

protected:
    QString chosen() const override { return m_chosen; }
    void choose(const QString &key) override;
    bool hasDetails() const override { return !m_chosen.isEmpty(); }
    bool choosesFirst() const override { return false; }
    Message emptyMessage(QList<QAction *> *buttons) const override;
    QString hiddenText(int count) const override;

private:
    void showSpan();
    void showLine();

    JournalFilter &m_lines;
    QComboBox *m_span;
    QWidget *m_details;
    ElidedLabel *m_sentence;
    FieldList *m_fields;
    QString m_chosen;
};

} // namespace Baton::Monitor
