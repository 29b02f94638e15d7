// SPDX-License-Identifier: MIT
#include "looks.h"

#include "views/elidedlabel.h"
#include "views/tableview.h"

#include <QtCore/QDir>
#include <QtTest/QtTest>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractScrollArea>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>

#include <ctime>

using namespace Qt::StringLiterals;
using namespace Baton::Monitor;

namespace Baton::Testing {
namespace {

QString named(const QWidget &widget)
{
    QString text = QLatin1StringView(widget.metaObject()->className());
    if (!widget.objectName().isEmpty())
        text += u'#' + widget.objectName();
    return text;
}

QString cutText(const QWidget &widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        const bool cut = label->wordWrap() ? label->heightForWidth(label->width()) > label->height()
                                           : label->sizeHint().width() > label->width();
        return cut ? label->text() : QString();
    }
    if (const auto *label = qobject_cast<const ElidedLabel *>(&widget))
        return label->isElided() ? label->text() : QString();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget)) {
        const bool cut =
            button->sizeHint().width() > button->width() || button->sizeHint().height() > button->height();
        return cut ? button->text() : QString();
    }
    if (const auto *box = qobject_cast<const QComboBox *>(&widget))
        return box->sizeHint().width() > box->width() ? box->currentText() : QString();
    return {};
}

QStringList cutInTable(TableView &table)
{
    QStringList flaws;
    const QHeaderView *header = table.horizontalHeader();
    for (int column = 0; column < header->count(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        if (header->fontMetrics().horizontalAdvance(title) > header->sectionSize(column))
            flaws += u"header '%1' is cut"_s.arg(title);
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex cell = table.model()->index(row, column);
            if (!table.viewport()->rect().intersects(table.visualRect(cell)))
                continue;
            if (table.cells().widthOf(cell, table.font(), header->visualIndex(column) == 0) - 2
                > table.columnWidth(column))
                flaws += u"cell '%1' of column '%2' is cut"_s.arg(cell.data().toString(), title);
        }
    }
    const int right = header->length() - header->offset();
    if (right > table.viewport()->width() + 1)
        flaws += u"%1: columns of %2 pixels in %3"_s.arg(table.accessibleName())
                     .arg(right)
                     .arg(table.viewport()->width());
    return flaws;
}

} // namespace

QStringList flawsOf(const QWidget &window)
{
    QStringList flaws;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->isWindow())
            continue;
        const QString cut = cutText(*widget);
        if (!cut.isEmpty())
            flaws += u"%1 '%2' is cut"_s.arg(named(*widget), cut);
        const bool scrolls =
            qobject_cast<QAbstractScrollArea *>(widget->parentWidget()->parentWidget()) != nullptr;
        if (!scrolls && !widget->parentWidget()->rect().contains(widget->geometry()))
            flaws += u"%1 sticks out of %2"_s.arg(named(*widget), named(*widget->parentWidget()));
        if (auto *table = qobject_cast<TableView *>(widget))
            flaws += cutInTable(*table);
    }
    return flaws;
}

void takePicture(QWidget &window, const QString &name)
{
    const QString folder = u"pictures"_s;
    QDir().mkpath(folder);
    QApplication::processEvents(); // What has changed is laid out first.
    QVERIFY(window.grab().save(u"%1/%2.png"_s.arg(folder, name)));
}

namespace {
std::chrono::nanoseconds threadTime()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}
} // namespace

StallProbe::StallProbe()
{
    connect(&m_timer, &QTimer::timeout, this, &StallProbe::look);
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.start(std::chrono::milliseconds(1));
    reset();
}

void StallProbe::reset()
{
    m_last = threadTime();
    m_longest = {};
}

void StallProbe::look()
{
    const auto now = threadTime();
    m_longest = std::max(m_longest, now - m_last);
    m_last = now;
}

} // namespace Baton::Testing
