// SPDX-License-Identifier: MIT
#pragma once

#include "views/rowdelegate.h"

#include <QtWidgets/QTableView>

class QMenu;
class QSettings;

namespace Baton::Monitor {

class TableFilter;

/*!
 * A table of the dashboard. Under changing data it keeps what somebody looks at where it is: the row at the
 * top stays at the top by its identity, unless the table is scrolled to its beginning.
 *
 * Columns are measured from a sample. What is left goes to all of them, most of it to the elastic one, which
 * also gives way where there is too little.
 */
class TableView : public QTableView
{
    Q_OBJECT
public:
    static constexpr int RowHeight = 26;
    static constexpr int CompactRowHeight = 22;

    explicit TableView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    [[nodiscard]] RowDelegate &cells() { return *m_delegate; }
    void setElasticColumn(int column) { m_elastic = column; }
    /// Columns from \a column on are hidden until they are asked for.
    void hideColumnsFrom(int column);
    void setCompact(bool compact);
    /// How many rows it would like to show, where a layout asks.
    void setPreferredRows(int rows) { m_preferredRows = rows; }
    [[nodiscard]] QSize sizeHint() const override;
    /// Draws everything in muted: it is not the present.
    void setMuted(bool muted);

    /// Identity of the current row; empty for none.
    [[nodiscard]] QString currentKey() const;
    /// Makes the row with that identity the current one, without scrolling it into view unless \a reveal.
    bool selectKey(const QString &key, bool reveal);

    /// Measures the columns; does nothing once somebody has moved one.
    void fitColumns();
    /// Widens columns whose visible cells have become longer; ages do. Likewise.
    void growColumns();
    /// For showing and hiding columns. Filled when it opens.
    void fillColumnMenu(QMenu *menu);

    void copyCell() const;
    void copyRow() const;
    void copyJson() const;

    void saveTo(QSettings &settings, const QString &name) const;
    void restoreFrom(const QSettings &settings, const QString &name);

Q_SIGNALS:
    /// Another row is the current one by the user's hand or by the model; empty for none.
    void currentKeyChanged(const QString &key);
    /// Return, or a double click.
    void opened(const QString &key);
    /// Mouse, wheel or keys are used in it.
    void touched();

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void layOutColumns();
    void holdPlace();
    void restorePlace();
    [[nodiscard]] int neededWidth(int column, int firstRow, int lastRow) const;

    RowDelegate *m_delegate;
    QString m_topKey;
    int m_topOffset = 0;
    int m_preferredRows = 8;
    bool m_placeHeld = false;
    /// What each column needs to show its texts, as far as they were measured.
    QList<int> m_needed;
    int m_elastic = -1;
    bool m_fitted = false;
    bool m_widthsAreMine = false;
    bool m_setting = false;
};

} // namespace Baton::Monitor
