// SPDX-License-Identifier: MIT
#include "views/journalpage.h"

#include "actions.h"
#include "models/format.h"
#include "views/elidedlabel.h"
#include "views/fieldlist.h"
#include "views/filterbar.h"
#include "views/tableview.h"
#include "views/widgets.h"

#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

using namespace Qt::StringLiterals;

namespace Baton::Monitor {
namespace {

/// The entry of the time ranges that means the range chosen on another page.
constexpr int SharedRange = -1;
/// Looking through 200,000 lines takes a few milliseconds.
constexpr std::chrono::seconds AdvanceEvery{5};

} // namespace

JournalFilter::JournalFilter(const JournalModel &journal, const Clock &clock)
    : m_journal(journal), m_clock(clock)
{
}

void JournalFilter::setLast(std::optional<Nanoseconds> span)
{
    m_last = span;
    m_range.reset();
    invalidateFilter();
}

void JournalFilter::setRange(const TimeRange &range)
{
    m_last.reset();
    m_range = range;
    invalidateFilter();
}

void JournalFilter::advance()
{
    if (!m_last || m_clock.now() - m_advanced < AdvanceEvery)
        return;
    m_advanced = m_clock.now();
    invalidateFilter();
}

bool JournalFilter::filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const
{
    if (m_last && m_journal.instant(sourceRow) < m_clock.now() - *m_last)
        return false;
    if (m_range && !m_range->contains(m_journal.instant(sourceRow)))
        return false;
    return TableFilter::filterAcceptsRow(sourceRow, sourceParent);
}

JournalPage::JournalPage(Feed &feed, Actions &actions, QWidget *parent)
    : Page(feed, actions, new JournalFilter(feed.journal(), feed.clock()), parent),
      m_lines(static_cast<JournalFilter &>(filter())), m_span(choiceBox(this)), m_details(new QWidget(this)),
      m_sentence(new ElidedLabel(this)), m_fields(new FieldList(this))
{
    m_sentence->setFont(headingFont(font()));
    m_details->setAccessibleName(tr("Details of the line"));
    auto *column = new QVBoxLayout(m_details);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    column->addWidget(m_sentence);
    column->addWidget(m_fields);
    column->addStretch();

    using Scope = TableFilter::Scope;
    table().cells().setStateColumn(JournalModel::Kind);
    table().cells().setMonospaceColumns({JournalModel::Session});
    Setup setup;
    setup.name = u"journal"_s;
    setup.accessibleName = tr("Journal");
    setup.model = &feed.journal();
    setup.scopes = {Scope::All, Scope::Problems};
    setup.elasticColumn = JournalModel::What;
    setup.firstHiddenColumn = JournalModel::Session;
    setup.sortColumn = JournalModel::Time;
    build(setup, m_details);
    table().setColumnHidden(JournalModel::Leader, true); // The sentence names it.

    m_span->setAccessibleName(tr("Stretch of time"));
    m_span->addItem(tr("Last 10 minutes"), 10);
    m_span->addItem(tr("Last hour"), 60);
    m_span->addItem(tr("Last 24 hours"), 24 * 60);
    m_span->insertItem(0, tr("All times"), 0);
    m_span->setCurrentIndex(0);
    connect(&table(), &TableView::opened, this, [this](const QString &line) {
        const QModelIndex index = filter().indexOf(line);
        const JournalEntry *entry = this->feed().journal().entry(filter().mapToSource(index).row());
        if (!entry || entry->key.isEmpty())
            return;
        this->feed().selection().choose(entry->key);
        this->actions().overview->trigger();
    });
    bar().addWidget(m_span);
    bar().addWidget(actionButton(actions.exportTable, this));
    connect(m_span, &QComboBox::currentIndexChanged, this, &JournalPage::showSpan);
    connect(&feed.timeWindow(), &TimeWindow::changed, this, [this] {
        const int shared = m_span->findData(SharedRange);
        if (this->feed().timeWindow().isFollowing()) {
            m_span->removeItem(shared);
            return;
        }
        if (shared < 0)
            m_span->addItem(tr("Chosen range"), SharedRange);
        m_span->setCurrentIndex(m_span->count() - 1);
        showSpan();
    });
}

void JournalPage::showSpan()
{
    const int minutes = m_span->currentData().toInt();
    if (minutes == SharedRange)
        m_lines.setRange(feed().timeWindow().range());
    else
        m_lines.setLast(minutes > 0 ? std::optional<Nanoseconds>(std::chrono::minutes(minutes))
                                    : std::nullopt);
    showTableOrMessage();
}

void JournalPage::clearFilter()
{
    m_span->setCurrentIndex(0);
    Page::clearFilter();
}

void JournalPage::refresh()
{
    Page::refresh();
    table().setMuted(false); // What happened stays true, however old it is.
}

void JournalPage::tick()
{
    Page::tick();
    m_lines.advance();
}

void JournalPage::choose(const QString &key)
{
    m_chosen = key;
    showLine();
    refresh();
}

void JournalPage::showLine()
{
    const QModelIndex index = filter().indexOf(m_chosen);
    if (!index.isValid())
        return;
    const JournalEntry *entry = feed().journal().entry(filter().mapToSource(index).row());
    m_sentence->setText(entry->sentence());
    const auto cell = [&index](JournalModel::Column column) {
        return index.siblingAtColumn(column).data(FullTextRole).toString();
    };
    const auto orDash = [](const QString &text) { return text.isEmpty() ? u"–"_s : text; };
    m_fields->show({
        {tr("Time"), cell(JournalModel::Time)},
        {tr("Kind"), cell(JournalModel::Kind)},
        {tr("Lock key"), orDash(Format::safe(entry->key, Format::DetailLength))},
        {tr("Session"), orDash(Format::safe(entry->session)), !entry->session.isEmpty()},
        {tr("Leader"), orDash(Format::safe(entry->leader, Format::DetailLength))},
        {tr("Token"), Format::token(entry->token)},
        {tr("Evidence"), orDash(Format::safe(entry->evidence, Format::DetailLength))},
    });
}

Message JournalPage::emptyMessage(QList<QAction *> *) const
{
    Message message;
    message.glyph = Glyph::Journal;
    message.title = tr("Nothing has happened yet");
    message.cause = tr("Every change that this window sees becomes a line here.");
    message.advice = tr("The journal of a connection is kept when the window is closed.");
    return message;
}

QString JournalPage::hiddenText(int count) const
{
    return count == 1 ? tr("The filter or the stretch of time hides the only line.")
                      : tr("The filter or the stretch of time hides all %n lines.", nullptr, count);
}

} // namespace Baton::Monitor
